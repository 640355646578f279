#include "core_impl/paxos/replica_driver.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/trace/consensus.h"

namespace photon::paxos {

ReplicaDriver::ReplicaDriver(DriverOptions options, StateMachine& machine)
    : options_(std::move(options)),
      machine_(machine),
      format_(DiskFormat::Options{options_.volume, options_.config.group, options_.config.self,
                                  options_.retry_delay}),
      snapshot_(SnapshotFile::Options{options_.volume, options_.config.group, options_.retry_delay,
                                      options_.snapshot_chunk_bytes}),
      log_(ReplicaLog::Options{options_.volume, options_.config.group, options_.config.self,
                               options_.retry_delay, options_.segment_bytes}),
      fetcher_(options_.config.group, options_.fetch_timeout),
      replica_(options_.config, Recovered{}, MonotonicTime::min()),
      alarm_(options_.timer) {
  PHOTON_CHECK(options_.members.size() == options_.config.replicas, "every member has a node");
  PHOTON_CHECK(options_.retry_delay > Duration::zero(),
               "a refused request waits before it is repeated");
  PHOTON_CHECK(options_.segment_bytes > 0, "a segment holds something");
  PHOTON_CHECK(options_.snapshot_chunk_bytes > 0, "a piece of a snapshot holds something");
}

void ReplicaDriver::on_timer(Context& context, TimerKind kind) {
  if (kind != options_.timer) return;
  alarm_.fired();
  format_.on_timer(context);
  snapshot_.on_timer(context);
  log_.on_timer(context);
  if (health_ == Health::working) {
    run(context, Input{context.now(), Tick{}});
  } else {
    PHOTON_MARK("paxos.driver.timer_in_recovery");
    arm(context);
  }
}

std::optional<ReplicaIndex> ReplicaDriver::index_of(NodeId node) const {
  const auto place = std::ranges::find(options_.members, node);
  if (place == options_.members.end()) return std::nullopt;
  return static_cast<ReplicaIndex>(place - options_.members.begin());
}

void ReplicaDriver::receive(Context& context, NodeId from, Message message) {
  if (health_ != Health::working) {
    PHOTON_MARK("paxos.driver.message_while_not_working");
    return;
  }
  const auto index = index_of(from);
  if (!index) return;
  run(context, Input{context.now(), Received{*index, std::move(message)}});
}

void ReplicaDriver::on(Context& context, NodeId from, const Envelope& message) {
  std::visit([&](const auto& payload) { take(context, from, payload); }, message.payload);
}

void ReplicaDriver::take(Context& context, NodeId from, const MoveMaster& message) {
  if (health_ != Health::working || message.group != options_.config.group) return;
  run(context, Input{context.now(), HandOver{message.to}});
  const Authority authority = has_authority(context) ? Authority::yes : Authority::no;
  context.send(from, Body::make(Envelope{MasterReport{message.group, message.request, authority}}));
}

Slot ReplicaDriver::propose(Context& context, const SharedBytes& command) {
  if (!can_propose(context)) return 0;
  // Only the step itself: the caller may be a callback of the state machine. The outputs are
  // performed after it.
  replica_.step(Input{context.now(), Propose{command}}, pending_);
  const Slot slot = std::exchange(pending_.proposed, 0);
  PHOTON_CHECK(pending_.chosen.empty(), "nothing is chosen before it is durable");
  PHOTON_CHECK(slot > replica_.commit(), "a proposal is open until it is durable");
  drain(context);
  return slot;
}

NodeId ReplicaDriver::master_hint() const {
  const ReplicaIndex index = replica_.master_hint();
  return index == kNoReplica ? kNoNode : options_.members[index];
}

void ReplicaDriver::run(Context& context, const Input& input) {
  replica_.step(input, pending_);
  drain(context);
}

// Performs outputs until there are none: performing one may lead to the next by a callback.
void ReplicaDriver::drain(Context& context) {
  if (draining_ == Draining::yes) return;
  draining_ = Draining::yes;
  while (pending_.has_work()) {
    std::swap(active_, pending_);
    perform(context, active_);
    active_.clear();
  }
  draining_ = Draining::no;
  maintain(context);
  arm(context);
}

void ReplicaDriver::perform(Context& context, Output& output) {
  // Marks of one output end at output.mark and count its records.
  std::uint64_t mark = output.mark - output.records.size();
  for (const LogRecord& record : output.records) log_.add(record, ++mark);
  issued_ = output.mark;
  for (Outgoing& outgoing : output.messages) send(context, outgoing);
  if (output.offer) fetcher_.offered(*output.offer, context.now());
  hand_over(context, output);
}

void ReplicaDriver::hand_over(Context& context, const Output& output) {
  const ShardId group = options_.config.group;
  const Mastership& change = output.mastership;
  if (change.lost) {
    context.decide(trace::MasterEnded{change.lost->value(), group});
    machine_.lost_mastership(context);
  }
  for (const Chosen& chosen : output.chosen) {
    PHOTON_CHECK(chosen.slot ==
                     output.chosen.front().slot + static_cast<Slot>(&chosen - output.chosen.data()),
                 "chosen slots are contiguous");
    const std::uint32_t operations = machine_.apply(context, chosen.slot, command_in(chosen.value));
    context.decide(trace::SlotApplied{chosen.slot, chosen.value.hash(), machine_.state_hash(),
                                      group, operations});
  }
  if (change.gained) {
    context.decide(trace::MasterElected{change.gained->value(), change.gained_applied, group});
  }
  if ((change.gained || change.lease_moved) && replica_.has_authority(context.now())) {
    const Duration remaining = replica_.lease_until() - context.now();
    context.decide(trace::LeaseExtended{replica_.mastership().value(), remaining.count(), group});
  }
  if (change.gained) machine_.became_master(context, *change.gained, change.gained_applied);
}

void ReplicaDriver::send(Context& context, Outgoing& outgoing) {
  const Body body = envelope(std::move(outgoing.message));
  for (ReplicaIndex index = 0; index < options_.config.replicas; ++index) {
    if (outgoing.to.contains(index)) context.send(options_.members[index], body);
  }
}

bool ReplicaDriver::is_idle() const {
  return health_ == Health::working && compaction_ == Compaction::none && log_.is_idle() &&
         !pending_.has_work() && fetcher_.due() == MonotonicTime::max();
}

std::optional<Rounds::Next> ReplicaDriver::next_round() const {
  if (!is_idle()) return std::nullopt;
  const auto idle = replica_.idle_rounds();
  if (!idle) return std::nullopt;
  return Rounds::Next{options_.timer, idle->due, options_.config.heartbeat, idle->limit,
                      options_.members};
}

bool ReplicaDriver::follows(NodeId leader) const {
  return is_idle() && replica_.follows_idly() && leader == master_hint();
}

// One timer for everything; its firing checks all deadlines.
void ReplicaDriver::arm(Context& context) {
  MonotonicTime due = std::min({log_.retry_due(), snapshot_.retry_due(), format_.retry_due()});
  if (health_ == Health::working) {
    due = std::min({due, replica_.next_wakeup(), fetcher_.due()});
  }
  if (due != MonotonicTime::max()) alarm_.no_later_than(context, due);
}

}  // namespace photon::paxos
