#include "scenarios/world/state_watch.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"

namespace photonsim::scenarios {
namespace {

namespace trace = photon::trace;

// Whether it was not there yet.
template <class T>
bool put_in(std::vector<T>& all, const T& one) {
  if (std::ranges::find(all, one) != all.end()) return false;
  all.push_back(one);
  return true;
}

// Whether it was there.
template <class T>
bool take_out(std::vector<T>& all, const T& one) {
  const auto found = std::ranges::find(all, one);
  if (found == all.end()) return false;
  *found = all.back();
  all.pop_back();
  return true;
}

}  // namespace

StateWatch::Group& StateWatch::group_of(std::uint32_t number) {
  if (number >= groups_.size()) groups_.resize(number + 1);
  return groups_[number];
}

StateWatch::Busy& StateWatch::busy_of(photon::NodeId node) {
  if (node.value() >= busy_.size()) busy_.resize(node.value() + 1);
  return busy_[node.value()];
}

void StateWatch::record(const trace::Record& record) {
  switch (record.header.kind) {
    case trace::Kind::process_started:
    case trace::Kind::process_crashed:
    case trace::Kind::fault_effect:
      return on_process(record);
    case trace::Kind::master_elected:
    case trace::Kind::master_ended:
    case trace::Kind::batch_proposed:
    case trace::Kind::slot_applied:
    case trace::Kind::paxos_snapshot:
    case trace::Kind::paxos_log_restated:
      return on_consensus(record);
    case trace::Kind::sharding_ask:
    case trace::Kind::sharding_answer:
    case trace::Kind::sharding_applied:
      return on_sharding(record);
    case trace::Kind::registry_ask:
    case trace::Kind::registry_answer:
      return on_registry(record);
    case trace::Kind::output_record:
      return on_output(record);
    default:
      return;
  }
}

void StateWatch::on_process(const trace::Record& record) {
  const photon::NodeId node = record.header.node;
  if (record.header.kind == trace::Kind::fault_effect) {
    return took_effect(record.as<trace::FaultEffect>().fault);
  }
  if (record.header.kind == trace::Kind::process_crashed) return on_crash(record);
  Busy& busy = busy_of(node);
  if (busy.down) --down_;
  busy.down = false;
}

// The effect of its fault is reported after it.
void StateWatch::on_crash(const trace::Record& record) {
  const std::uint32_t fault = record.as<trace::ProcessCrashed>().fault;
  if (std::exchange(crashing_, fault) != fault) before_crash_ = states();
  clear(record.header.node);
}

void StateWatch::clear(photon::NodeId node) {
  Busy& busy = busy_of(node);
  down_ += busy.down ? 0 : 1;
  snapshots_ -= busy.writes_snapshot ? 1 : 0;
  registrations_ -= busy.registrations.size();
  records_ -= busy.records.size();
  removals_ -= busy.removals.size();
  busy = Busy{.down = true};
  for (Group& group : groups_) {
    if (group.master == node) group.master = photon::kNoNode;
  }
}

void StateWatch::on_consensus(const trace::Record& record) {
  const photon::NodeId node = record.header.node;
  switch (record.header.kind) {
    case trace::Kind::master_elected: {
      Group& group = group_of(record.as<trace::MasterElected>().group.value());
      group.master = node;
      group.proposed = 0;
      return;
    }
    case trace::Kind::master_ended: {
      Group& group = group_of(record.as<trace::MasterEnded>().group.value());
      if (group.master == node) group.master = photon::kNoNode;
      return;
    }
    case trace::Kind::batch_proposed: {
      const auto& batch = record.as<trace::BatchProposed>();
      Group& group = group_of(batch.shard.value());
      group.proposed = std::max(group.proposed, batch.slot);
      return;
    }
    case trace::Kind::slot_applied: {
      const auto& applied = record.as<trace::SlotApplied>();
      Group& group = group_of(applied.group.value());
      group.applied = std::max(group.applied, applied.slot);
      return;
    }
    case trace::Kind::paxos_snapshot:
    case trace::Kind::paxos_log_restated: {
      // The log after it ends it: until then the old one counts.
      const bool begins = record.header.kind == trace::Kind::paxos_snapshot;
      Busy& busy = busy_of(node);
      if (busy.writes_snapshot == begins) return;
      busy.writes_snapshot = begins;
      begins ? ++snapshots_ : --snapshots_;
      return;
    }
    default:
      return;
  }
}

// Asked for, then announced, then decided; or refused at once.
void StateWatch::on_sharding(const trace::Record& record) {
  switch (record.header.kind) {
    case trace::Kind::sharding_ask:
      change_asked_ = record.as<trace::ShardingAsk>().request;
      return;
    case trace::Kind::sharding_answer: {
      const auto& answer = record.as<trace::ShardingAnswer>();
      const bool over = answer.code != trace::ShardingCode::not_master;
      if (over && answer.request == change_asked_) change_asked_ = 0;
      return;
    }
    default:
      break;
  }
  const trace::ShardingAction action = record.as<trace::ShardingApplied>().action;
  if (action == trace::ShardingAction::announce) change_announced_ = true;
  if (action == trace::ShardingAction::confirm || action == trace::ShardingAction::cancel) {
    change_announced_ = false;
  }
}

void StateWatch::on_registry(const trace::Record& record) {
  Busy& busy = busy_of(record.header.node);
  if (record.header.kind == trace::Kind::registry_ask) {
    if (record.header.source != trace::Source::sent) return;
    const auto& ask = record.as<trace::RegistryAsk>();  // perhaps again
    if (ask.operation == trace::RegistryOperation::insert) {
      registrations_ += put_in(busy.registrations, ask.token.sequence) ? 1 : 0;
    } else if (ask.operation == trace::RegistryOperation::remove) {
      removals_ += put_in(busy.removals, ask.id) ? 1 : 0;
    }
    return;
  }
  const auto& answer = record.as<trace::RegistryAnswer>();
  if (record.header.source != trace::Source::delivered || !trace::is_definitive(answer.code))
    return;
  if (answer.operation == trace::RegistryOperation::insert) {
    registrations_ -= take_out(busy.registrations, answer.token.sequence) ? 1 : 0;
  } else if (answer.operation == trace::RegistryOperation::remove) {
    removals_ -= take_out(busy.removals, answer.id) ? 1 : 0;
  }
}

void StateWatch::on_output(const trace::Record& record) {
  // Records that storage returns by itself belong to no process.
  if (record.header.node == photon::kNoNode) return;
  Busy& busy = busy_of(record.header.node);
  const std::uint64_t token = record.as<trace::OutputRecord>().token.sequence;
  if (record.header.source == trace::Source::durable) {
    records_ -= take_out(busy.records, token) ? 1 : 0;
  } else {
    records_ += put_in(busy.records, token) ? 1 : 0;
  }
}

bool StateWatch::holds(ProtocolState state) const {
  const auto any = [&](auto&& of_group) { return std::ranges::any_of(groups_, of_group); };
  switch (state) {
    case ProtocolState::electing:
      return any([](const Group& each) { return each.master == photon::kNoNode; });
    case ProtocolState::committing:
      return any([](const Group& each) { return each.proposed > each.applied; });
    case ProtocolState::snapshot:
      return snapshots_ > 0;
    case ProtocolState::resharding:
      return change_asked_ != 0 || change_announced_;
    case ProtocolState::registering:
      return registrations_ > 0;
    case ProtocolState::writing:
      return records_ > 0;
    case ProtocolState::recovering:
      return removals_ > 0;
    case ProtocolState::restarting:
      return down_ > 0;
    case ProtocolState::quiet:
      break;
  }
  const States all = states();
  return all.back();
}

StateWatch::States StateWatch::states() const {
  States all{};
  for (std::size_t i = 0; i + 1 < kProtocolStates; ++i) {
    all[i] = holds(static_cast<ProtocolState>(i));
  }
  all.back() = std::ranges::none_of(all, std::identity{});
  return all;
}

void StateWatch::took_effect(std::uint32_t fault) {
  const States held = fault == crashing_ ? before_crash_ : states();
  auto& row = affected_[kind_of_(fault)];
  for (std::size_t i = 0; i < kProtocolStates; ++i) row[i] += held[i] ? 1 : 0;
}

std::vector<photon::analysis::FaultEffects> StateWatch::effects() const {
  std::vector<photon::analysis::FaultEffects> effects;
  for (const auto& [kind, row] : affected_) {
    for (std::size_t i = 0; i < kProtocolStates; ++i) {
      if (row[i] == 0) continue;
      effects.push_back({std::string(kind), static_cast<ProtocolState>(i), row[i]});
    }
  }
  std::ranges::sort(effects, {}, [](const auto& each) {
    return std::pair(std::string_view(each.kind), name_of(each.state));
  });
  return effects;
}

}  // namespace photonsim::scenarios
