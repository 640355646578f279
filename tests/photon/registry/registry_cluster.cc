#include "tests/photon/registry/registry_cluster.h"

#include <algorithm>

#include "tests/photon/registry/paxos_disk.h"
#include "tests/support/catch.h"

namespace photon::testing {

using namespace std::chrono_literals;

void RegistryUser::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void RegistryUser::on(Context& context, NodeId from, const RegistryReply& reply) {
  client_.on_reply(context, from, reply);
  drain();
}

void RegistryUser::on_timer(Context& context, TimerKind /*kind*/) {
  client_.on_timer(context);
  drain();
}

std::uint64_t RegistryUser::insert(Context& context, const EventId& id, const Token& token) {
  client_.insert(id, token, ++tags_);
  client_.flush(context);
  return tags_;
}

std::uint64_t RegistryUser::lookup(Context& context, const EventId& id, std::uint64_t since) {
  client_.lookup(id, ++tags_, since);
  client_.flush(context);
  return tags_;
}

std::uint64_t RegistryUser::clear(Context& context, const EventId& id, const Token& token) {
  client_.clear(id, token, ++tags_);
  client_.flush(context);
  return tags_;
}

std::uint64_t RegistryUser::remove(Context& context, const EventId& id, const Token& token) {
  client_.remove(id, token, ++tags_);
  client_.flush(context);
  return tags_;
}

std::uint64_t RegistryUser::read_token(Context& context, const EventId& id) {
  client_.read_token(id, ++tags_);
  client_.flush(context);
  return tags_;
}

const RegistryCompletion* RegistryUser::result(std::uint64_t tag) const {
  const auto place = completed_.find(tag);
  return place == completed_.end() ? nullptr : &place->second;
}

void RegistryUser::drain() {
  while (const auto done = client_.next()) {
    const bool once = completed_.emplace(done->tag, *done).second;
    CHECK(once);
  }
}

RegistryCluster::RegistryCluster(ClusterOptions options)
    : options_(std::move(options)), world_(options_.world) {
  options_.server.guard.map = ShardMap(options_.shards);
  auto& consensus = options_.server.consensus;
  consensus.config.replicas = options_.replicas;
  for (std::uint32_t replica = 0; replica < options_.replicas; ++replica) {
    disks_.push_back(world_.add_volume());
    format_disk(world_, disks_[replica], ShardId{}, static_cast<paxos::ReplicaIndex>(replica));
    servers_.push_back(world_.add([this, replica] {
      RegistryServerOptions mine = options_.server;
      mine.consensus.config.self = static_cast<paxos::ReplicaIndex>(replica);
      mine.consensus.volume = disks_[replica];
      return std::make_unique<RegistryServer>(mine);
    }));
    consensus.members.push_back(servers_.back());
  }
  RegistryClientOptions client;
  client.timer = RegistryUser::kTimer;
  client.shards = ShardMap(options_.shards);
  client.replicas.resize(options_.shards, consensus.members);
  client.lookup_mode = options_.lookup_mode;
  for (std::uint32_t user = 0; user < options_.users; ++user) {
    // Every client has another nearest replica.
    PooledVector<NodeId> near = consensus.members;
    std::ranges::rotate(near, near.begin() + user % options_.replicas);
    client.nearest.assign(options_.shards, near);
    users_.push_back(world_.add([client] { return std::make_unique<RegistryUser>(client); }));
  }
  world_.on_send = [this](const Sent& sent) { judge_message(sent); };
  for (const NodeId server : servers_) world_.start(server);
  for (const NodeId user : users_) world_.start(user);
}

std::uint32_t RegistryCluster::wait_for_master() {
  std::uint32_t master = 0;
  const bool found = world_.run_until(
      [&] {
        for (master = 0; master < replicas(); ++master) {
          const NodeId id = servers_[master];
          if (!world_.alive(id) || world_.is_cut(id)) continue;
          if (server(master).driver().can_propose(world_.context(id))) return true;
        }
        return false;
      },
      1min);
  REQUIRE(found);
  return master;
}

void RegistryCluster::restart(std::uint32_t replica) {
  if (world_.alive(servers_[replica])) world_.crash(servers_[replica]);
  world_.start(servers_[replica]);
}

void RegistryCluster::lose_disk(std::uint32_t replica) {
  if (world_.alive(servers_[replica])) world_.crash(servers_[replica]);
  world_.run_for(std::chrono::milliseconds(1));  // writes in flight to the old disk arrive there
  world_.volume(disks_[replica]).wipe();
}

std::uint64_t RegistryCluster::insert(std::uint32_t index, const EventId& id, const Token& token) {
  return user(index).insert(world_.context(users_[index]), id, token);
}

std::uint64_t RegistryCluster::lookup(std::uint32_t index, const EventId& id, std::uint64_t since) {
  return user(index).lookup(world_.context(users_[index]), id, since);
}

std::uint64_t RegistryCluster::clear(std::uint32_t index, const EventId& id, const Token& token) {
  return user(index).clear(world_.context(users_[index]), id, token);
}

std::uint64_t RegistryCluster::remove(std::uint32_t index, const EventId& id, const Token& token) {
  return user(index).remove(world_.context(users_[index]), id, token);
}

std::uint64_t RegistryCluster::read_token(std::uint32_t index, const EventId& id) {
  return user(index).read_token(world_.context(users_[index]), id);
}

RegistryCompletion RegistryCluster::wait(std::uint32_t index, std::uint64_t tag) {
  REQUIRE(world_.run_until([&] { return user(index).result(tag) != nullptr; }, 1min));
  return *user(index).result(tag);
}

std::vector<std::string> RegistryCluster::findings() {
  judge_decisions();
  for (std::uint32_t left = 0; left < replicas(); ++left) {
    for (std::uint32_t right = left + 1; right < replicas(); ++right) {
      if (!world_.alive(servers_[left]) || !world_.alive(servers_[right])) continue;
      const bool equally_far =
          server(left).driver().applied_slot() == server(right).driver().applied_slot();
      if (equally_far && server(left).store().state_hash() != server(right).store().state_hash()) {
        findings_.push_back("J-S6: stores differ at an equal slot");
      }
    }
  }
  return findings_;
}

std::size_t RegistryCluster::fresh_inserts(const EventId& id) const {
  const auto place = changes_.find(id);
  if (place == changes_.end()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      place->second, [](const Change& each) { return each.present && !each.token.is_empty(); }));
}

std::size_t RegistryCluster::removals(const EventId& id) const {
  const auto place = changes_.find(id);
  if (place == changes_.end()) return 0;
  return static_cast<std::size_t>(std::ranges::count(place->second, false, &Change::present));
}

void RegistryCluster::judge_decisions() {
  for (; judged_ < world_.decisions.size(); ++judged_) {
    const trace::Record& record = world_.decisions[judged_];
    if (record.header.kind == trace::Kind::operation_applied) judge_applied(record);
    if (record.header.kind == trace::Kind::slot_applied) {
      applied_through_[{record.header.node.value(), record.header.incarnation.value()}] =
          record.as<trace::SlotApplied>().slot;
    }
    if (record.header.kind == trace::Kind::state_restored) {
      applied_through_[{record.header.node.value(), record.header.incarnation.value()}] =
          record.as<trace::StateRestored>().slot;
    }
    if (record.header.kind != trace::Kind::boundary_moved) continue;
    const std::pair key{record.header.node.value(), record.header.incarnation.value()};
    const Stamp boundary = record.as<trace::BoundaryMoved>().boundary;
    const auto [place, first] = boundaries_.try_emplace(key, boundary);
    if (!first && boundary < place->second) findings_.push_back("J-S8: the boundary moved back");
    place->second = boundary;
    boundary_at_[record.as<trace::BoundaryMoved>().slot] = boundary;
  }
}

void RegistryCluster::judge_applied(const trace::Record& record) {
  const auto& operation = record.as<trace::OperationApplied>();
  if (operation.operation == trace::RegistryOperation::collect) return;  // one record per id
  const auto [place, first] = log_.try_emplace({operation.slot, operation.index}, operation);
  if (!first && std::memcmp(&place->second, &operation, sizeof(operation)) != 0) {
    findings_.push_back("J-S6: replicas differ in slot " + std::to_string(operation.slot));
  }
  if (first && operation.fresh != 0) judge_change(operation);
}

void RegistryCluster::judge_change(const trace::OperationApplied& operation) {
  std::vector<Change>& changes = changes_[operation.id];
  const bool present = !changes.empty() && changes.back().present;
  const bool held = present && changes.back().token == operation.token;
  switch (operation.operation) {
    case RegistryOperation::insert:
      if (present) findings_.push_back("J-S3: an id was inserted twice");
      changes.push_back({operation.slot, true, operation.token});
      return;
    case RegistryOperation::clear:
      if (!held) findings_.push_back("F-12: a token was cleared that was not stored");
      changes.push_back({operation.slot, true, Token{}});
      return;
    default:
      if (!held) findings_.push_back("J-S11: an id was removed from another owner");
      changes.push_back({operation.slot, false, Token{}});
  }
}

void RegistryCluster::judge_message(const Sent& sent) {
  if (sent.body.type() == RegistryRequest::kType) {
    const std::uint64_t request = sent.body.as<RegistryRequest>().request;
    const bool anywhere = sent.body.as<RegistryRequest>().lookups == LookupMode::replica;
    const std::uint64_t oldest =
        anywhere ? sent.body.as<RegistryRequest>().at_least : answered_slot_;
    asked_after_.try_emplace({sent.from.value(), request}, oldest);
  }
  if (sent.body.type() != RegistryReply::kType) return;
  judge_decisions();
  judge_reply(sent, sent.body.as<RegistryReply>());
}

void RegistryCluster::judge_reply(const Sent& sent, const RegistryReply& reply) {
  const std::pair replica{sent.from.value(), world_.life(sent.from)};
  const std::uint64_t asked_after = asked_after_[{sent.to.value(), reply.request}];
  for (const RegistryResult& result : reply.results) {
    if (!trace::is_definitive(result.code)) {
      if (result.slot != 0) find("B-27: an answer that decides nothing names a slot", result);
      continue;
    }
    if (result.slot > applied_through_[replica]) {
      find("J-S13: an answer left before its slot was applied there", result);
    }
    if (result.slot < asked_after) find("J-S4: an answer from the past", result);
    answered_slot_ = std::max(answered_slot_, result.slot);
    trace::is_read(result.operation) ? judge_read(result) : judge_outcome(result);
  }
}

RegistryCluster::Seen RegistryCluster::seen_at(const EventId& id, std::uint64_t slot) const {
  Seen seen;
  const auto saw = [&](const Change& change) {
    seen.may_exist = seen.may_exist || change.present;
    seen.must_exist = seen.must_exist && change.present;
    if (change.present) seen.tokens.insert(change.token);
  };
  const auto place = changes_.find(id);
  Change before;
  if (place != changes_.end()) {
    for (const Change& change : place->second) {
      if (change.slot < slot) before = change;
      if (change.slot == slot) saw(change);
    }
  }
  saw(before);
  return seen;
}

void RegistryCluster::judge_read(const RegistryResult& result) {
  const Seen seen = seen_at(result.id, result.slot);
  const auto before = [&](std::uint64_t slot) {
    const auto moved = boundary_at_.lower_bound(slot);
    return moved == boundary_at_.begin() ? Stamp::min() : std::prev(moved)->second;
  };
  const bool may_be_old = result.id.stamp < before(result.slot + 1);
  const bool must_be_old = result.id.stamp < before(result.slot);
  const bool too_old = result.code == RegistryCode::too_old;
  if (too_old && !may_be_old) find("J-S4: too old too early", result);
  if (!too_old && must_be_old) find("J-S4: not too old", result);
  const bool present = result.code == RegistryCode::exists || result.code == RegistryCode::cleared;
  if (present && !seen.may_exist) find("J-S4: exists, but it is absent", result);
  if (result.code == RegistryCode::not_found && seen.must_exist) find("J-S4: not found", result);
  const bool names_token = present && result.operation == RegistryOperation::read_token;
  if (names_token && !seen.tokens.contains(result.token)) find("J-S4: another token", result);
}

void RegistryCluster::judge_outcome(const RegistryResult& result) {
  bool backed = false;
  for (auto place = log_.lower_bound({result.slot, 0});
       place != log_.end() && place->first.first == result.slot; ++place) {
    const trace::OperationApplied& applied = place->second;
    backed = backed || (applied.id == result.id && applied.token == result.token &&
                        applied.operation == result.operation && applied.code == result.code);
  }
  if (!backed) find("J-S13: an answer that no applied operation gave", result);
}

void RegistryCluster::find(const std::string& what, const RegistryResult& result) {
  findings_.push_back(what + " (id " + std::to_string(result.id.process) + " at " +
                      std::to_string(nanoseconds_of(result.id.stamp)) + ", slot " +
                      std::to_string(result.slot) + ", code " +
                      std::to_string(static_cast<std::uint32_t>(result.code)) + ")");
}

EventId id_number(std::uint32_t number, std::int64_t stamp_seconds) {
  return EventId{7, number, Stamp(std::chrono::seconds(stamp_seconds))};
}

}  // namespace photon::testing
