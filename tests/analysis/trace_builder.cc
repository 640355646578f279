#include "tests/analysis/trace_builder.h"

#include <fmt/format.h>

namespace photon::analysis::testing {

using namespace trace;

void World::boot() {
  environment(kNoNode, RunPhase{Phase::started});
  for (const NodeId node : {kReplica1, kReplica2, kReplica3, kDispatcher, kJoiner, kJoiner2,
                            kFarDispatcher, kFarJoiner}) {
    environment(node, ProcessStarted{0});
  }
  for (const NodeId joiner : {kJoiner, kJoiner2, kFarJoiner}) {
    delivered(registrar_of(joiner), joiner,
              IncarnationGranted{joiner.value(), granted(joiner), life(joiner).value()});
  }
  elect(kReplica1, 0x101, 0);
  lease(kReplica1, 0x101, 10min);
}

void World::crash(NodeId node) { environment(node, ProcessCrashed{0}); }

void World::fence(NodeId node) {
  emit(Source::durable, registrar_of(node), OutputFenced{node, granted(node) + 1});
}

void World::restart(NodeId node) {
  fence(node);
  lives[node.value()] = Incarnation{life(node).value() + 1};
  environment(node, ProcessStarted{0});
  delivered(registrar_of(node), node,
            IncarnationGranted{node.value(), granted(node), life(node).value()});
}

void World::elect(NodeId node, std::uint64_t ballot, std::uint64_t applied) {
  decide(node, MasterElected{ballot, applied, ShardId{0}});
}

void World::lease(NodeId node, std::uint64_t ballot, Duration remaining) {
  decide(node, LeaseExtended{ballot, remaining.count(), ShardId{0}});
}

void World::generate(std::uint32_t click) {
  const std::uint64_t end = click * kRecordBytes;
  environment(kNoNode, ClickGenerated{click_id(click), query_id(click), end, end,
                                      joined_hash(click), kClickFile, kQueryFile, 0});
}

void World::ship(NodeId to, std::uint32_t file, std::uint64_t length) {
  environment(to, LogVisible{length, file});
}

void World::ship_all(std::uint32_t clicks) {
  for (const NodeId to : {kDispatcher, kFarDispatcher}) {
    for (const std::uint32_t file : {kQueryFile, kClickFile}) ship(to, file, clicks * kRecordBytes);
  }
}

void World::propose(std::uint64_t slot, std::uint64_t ballot, std::uint64_t value) {
  sent(kReplica1, kReplica2, PaxosAccept{ballot, slot, value, ShardId{0}});
}

void World::accept(NodeId acceptor, std::uint64_t slot, std::uint64_t ballot, std::uint64_t value) {
  append(acceptor);
  write_accept(acceptor, slot, ballot, value);
  sent(acceptor, kReplica1, PaxosAccepted{ballot, slot, value, ShardId{0}});
}

void World::append(NodeId replica) {
  Log& log = logs.at(replica.value());
  emit(Source::durable, replica,
       PaxosLogWritten{log.segment, 100 * log.appends++, 0, 0, ShardId{0}, replica.value() - 1});
}

void World::begin_segment(NodeId replica, std::uint64_t valid) {
  Log& log = logs.at(replica.value());
  log = {log.segment + 1, 1};
  emit(Source::durable, replica,
       PaxosLogWritten{log.segment, 0, log.segment - 1, 100 * valid, ShardId{0},
                       replica.value() - 1});
}

void World::begin_chain(NodeId replica) {
  Log& log = logs.at(replica.value());
  const std::uint64_t valid = 100 * log.appends;
  log = {log.segment + 1, 1};
  emit(Source::durable, replica,
       PaxosLogWritten{log.segment, 0, log.segment - 1, valid, ShardId{0}, replica.value() - 1, 1});
}

void World::restated(NodeId replica, std::uint64_t base) {
  emit(Source::durable, replica,
       PaxosLogRestated{logs.at(replica.value()).segment, base, ShardId{0}});
}

void World::format(NodeId replica, std::uint32_t generation) {
  logs.at(replica.value()) = {};
  emit(Source::durable, replica, PaxosFormatted{ShardId{0}, generation});
}

void World::write_promise(NodeId replica, std::uint64_t ballot) {
  emit(Source::durable, replica, PaxosPromise{ballot, 0, 0, ShardId{0}});
}

void World::write_accept(NodeId replica, std::uint64_t slot, std::uint64_t ballot,
                         std::uint64_t value) {
  emit(Source::durable, replica, PaxosAccepted{ballot, slot, value, ShardId{0}});
}

void World::promise(NodeId replica, std::uint64_t ballot, std::uint64_t from_slot,
                    std::uint64_t reported) {
  append(replica);
  write_promise(replica, ballot);
  sent(replica, kReplica3, PaxosPromise{ballot, from_slot, reported, ShardId{0}});
}

void World::choose(std::uint64_t slot, std::uint64_t ballot, std::uint64_t value) {
  propose(slot, ballot, value);
  accept(kReplica2, slot, ballot, value);
  accept(kReplica3, slot, ballot, value);
}

void World::apply(NodeId replica, std::uint64_t slot, std::uint64_t value,
                  std::initializer_list<Insert> inserts) {
  std::uint32_t index = 0;
  for (const Insert& insert : inserts) {
    decide(replica, OperationApplied{click_id(insert.click), insert.token, slot, index++,
                                     insert.operation, insert.code, ShardId{0}, insert.fresh});
  }
  decide(replica, SlotApplied{slot, value, slot * 31, ShardId{0}, index});
}

void World::move_boundary(std::uint64_t slot, std::uint32_t click) {
  choose(slot, 0x101, 0x5000 + slot);
  for (const NodeId replica : {kReplica1, kReplica2, kReplica3}) {
    decide(replica, BoundaryMoved{slot, click_id(click).stamp, ShardId{0}});
    apply(replica, slot, 0x5000 + slot);
  }
}

void World::transaction(std::uint64_t slot, std::initializer_list<Insert> inserts) {
  choose(slot, 0x101, 0x5000 + slot);
  for (const NodeId replica : {kReplica1, kReplica2, kReplica3}) {
    apply(replica, slot, 0x5000 + slot, inserts);
  }
}

void World::read(NodeId dispatcher, std::uint32_t click) {
  decide(dispatcher, ClickRead{click_id(click), click * kRecordBytes, kClickFile});
}

void World::ask_join(NodeId dispatcher, NodeId joiner, std::uint32_t click, std::uint64_t request,
                     std::uint32_t attempts) {
  message(dispatcher, joiner, JoinAsk{click_id(click), query_id(click), request, attempts});
}

void World::answer_join(NodeId joiner, NodeId dispatcher, std::uint32_t click,
                        std::uint64_t request, JoinOutcome outcome) {
  if (outcome == JoinOutcome::unjoinable)
    stored(joiner, UnjoinableLogged{click_id(click), request});
  message(joiner, dispatcher, JoinAnswer{click_id(click), request, outcome});
}

void World::done(NodeId dispatcher, std::uint32_t click, DoneReason reason) {
  decide(dispatcher, ClickDone{click_id(click), reason, 1});
}

void World::ask_insert(NodeId joiner, std::uint32_t click, const Token& token,
                       std::uint64_t request) {
  message(joiner, kReplica1,
          RegistryAsk{click_id(click), token, request, RegistryOperation::insert, ShardId{0}});
}

void World::answer_insert(NodeId replica, NodeId joiner, std::uint32_t click, const Token& token,
                          std::uint64_t slot, RegistryCode code) {
  message(
      replica, joiner,
      RegistryAnswer{click_id(click), token, 1, slot, RegistryOperation::insert, code, ShardId{0}});
}

void World::ask_lookup(NodeId dispatcher, NodeId replica, std::uint32_t click,
                       std::uint64_t request) {
  message(dispatcher, replica,
          RegistryAsk{click_id(click), Token{}, request, RegistryOperation::lookup, ShardId{0}});
}

void World::reply_lookup(NodeId replica, NodeId dispatcher, std::uint32_t click, std::uint64_t slot,
                         RegistryCode code, std::uint64_t request) {
  message(replica, dispatcher,
          RegistryAnswer{click_id(click), Token{}, request, slot, RegistryOperation::lookup, code,
                         ShardId{0}});
}

void World::answer_lookup(NodeId replica, NodeId dispatcher, std::uint32_t click,
                          std::uint64_t slot, RegistryCode code) {
  ask_lookup(dispatcher, replica, click);
  reply_lookup(replica, dispatcher, click, slot, code);
}

void World::miss(NodeId joiner, std::uint32_t click) {
  message(NodeId{30}, joiner,
          QueryAnswer{query_id(click), EventId{}, 5, QueryStatus::not_found, QueryTier::logs});
}

void World::join(std::uint32_t click, std::uint64_t slot) {
  const Token token_used = token(kJoiner, click);
  read(kDispatcher, click);
  ask_join(kDispatcher, kJoiner, click, click);
  decide(kJoiner, AdapterDecided{click_id(click), query_id(click), 0});
  ask_insert(kJoiner, click, token_used);
  transaction(slot, {{click, token_used}});
  answer_insert(kReplica1, kJoiner, click, token_used, slot);
  stored(kJoiner, output(click, token_used));
  answer_join(kJoiner, kDispatcher, click, click, JoinOutcome::joined);
  done(kDispatcher, click, DoneReason::joined);
}

void World::learn(std::uint32_t click, std::uint64_t slot) {
  read(kFarDispatcher, click);
  answer_lookup(kReplica1, kFarDispatcher, click, slot, RegistryCode::exists);
  done(kFarDispatcher, click, DoneReason::lookup_exists);
}

std::string World::findings() const {
  std::string text;
  for (const Violation& violation : judge.violations().kept()) {
    text += fmt::format("{} at {} node {}: {}\n", violation.oracle, describe(violation.at),
                        violation.node.value(), violation.message);
  }
  return text;
}

}  // namespace photon::analysis::testing
