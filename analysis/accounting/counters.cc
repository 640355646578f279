#include "analysis/accounting/counters.h"

#include <algorithm>
#include <utility>

namespace photon::analysis {

namespace {

using trace::Kind;
using trace::Source;

void count_registry_ask(Counters& counters, const Evidence& evidence, const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (fact.source() != Source::sent) return;
  if (ask.operation == trace::RegistryOperation::lookup) ++counters.lookups;
  if (ask.operation != trace::RegistryOperation::insert) return;
  ++counters.insert_requests;
  if (evidence.join().find_attempt(fact.event, ask.token) == nullptr) ++counters.insert_attempts;
}

void count_registry_answer(Counters& counters, const Evidence& evidence, const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const bool refused = answer.code == trace::RegistryCode::overloaded;
  if (fact.source() == Source::sent && refused) ++counters.overloaded;
  const bool delivered = fact.source() == Source::delivered && trace::is_definitive(answer.code);
  if (!delivered || answer.operation != trace::RegistryOperation::insert) return;
  const Attempt* attempt = evidence.join().find_attempt(fact.event, answer.token);
  const bool first = attempt != nullptr && attempt->node == fact.header().node &&
                     attempt->life == fact.header().incarnation && attempt->answered_at == kNever;
  if (!first) return;
  counters.insert_latency.add(fact.header().at - attempt->asked_at);
  if (answer.code == trace::RegistryCode::already_exists) ++counters.wasted_joins;
}

// Batches of a master that lost its mastership never end here: the first one of the next master
// replaces them.
void count_proposal(Counters& counters, const Fact& fact, const trace::BatchProposed& batch) {
  auto& open = counters.open_batches[batch.shard.value()];
  const NodeId master = fact.header().node;
  if (!open.empty() && (open.back().master != master || open.back().slot >= batch.slot)) {
    open.clear();
  }
  open.push_back({master, batch.slot, fact.header().at});
}

void count_commit(Counters& counters, const Fact& fact, const trace::SlotApplied& applied) {
  const auto group = counters.open_batches.find(applied.group.value());
  if (group == counters.open_batches.end()) return;
  auto& open = group->second;
  if (open.empty() || open.front().master != fact.header().node) return;
  while (!open.empty() && open.front().slot < applied.slot) open.pop_front();
  if (open.empty() || open.front().slot != applied.slot) return;
  counters.commit_latency.add(fact.header().at - open.front().proposed_at);
  open.pop_front();
}

// The first application of a slot counts for all replicas.
bool is_first(const Evidence& evidence, ShardId group, std::uint64_t number) {
  const Slot* slot = evidence.registry().consensus().slot(group, number);
  return slot == nullptr || !slot->applied;
}

// One record for each collected id.
void count_collected(Counters& counters, const Evidence& evidence, const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (applied.operation != trace::RegistryOperation::collect) return;
  if (!is_first(evidence, applied.shard, applied.slot)) return;
  ++counters.ids_collected;
  std::uint64_t& last = counters.last_collection[applied.shard.value()];
  if (std::exchange(last, applied.slot) != applied.slot) ++counters.collections;
}

// From a move of the boundary until now, when it moves again or the run ends.
void count_lag(Counters& counters, const JudgeConfig& config, const BoundaryHistory::Move& moved,
               SimTime now) {
  if (moved.slot == 0) return;
  const Duration due = config.calendar_epoch - config.gc_age;  // of SimTime zero
  const Duration lag = now.time_since_epoch() + due - moved.highest.time_since_epoch();
  counters.boundary_lag_max = std::max(counters.boundary_lag_max, lag);
  const auto length = static_cast<double>((now - moved.at).count());
  counters.boundary_time += length;
  counters.boundary_area += length * (static_cast<double>(lag.count()) - length / 2);
}

void count_boundary(Counters& counters, const Evidence& evidence, const Fact& fact) {
  const auto& moved = fact.as<trace::BoundaryMoved>();
  const BoundaryHistory::Move last = evidence.registry().boundaries().last(moved.shard);
  if (moved.slot <= last.slot) return;  // another replica's
  count_lag(counters, evidence.config(), last, fact.header().at);
}

void count_end(Counters& counters, const Evidence& evidence, const Fact& fact) {
  if (fact.as<trace::RunPhase>().phase != trace::Phase::finished) return;
  for (std::uint32_t shard = 0; shard < evidence.config().shards; ++shard) {
    count_lag(counters, evidence.config(), evidence.registry().boundaries().last(ShardId(shard)),
              fact.header().at);
  }
}

void count_pipeline(Counters& counters, const Evidence& evidence, const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::click_read:
      ++counters.clicks_read;
      return;
    case Kind::join_ask:
      if (fact.source() == Source::sent) ++counters.joins_asked;
      return;
    case Kind::query_ask:
      if (fact.source() != Source::sent) return;
      ++counters.query_lookups;
      if (fact.as<trace::QueryAsk>().tier == trace::QueryTier::logs) ++counters.query_log_lookups;
      return;
    default: {  // output_record
      if (fact.source() != Source::durable) return;
      const Click& click = evidence.join().click(fact.event);
      const bool copy =
          click.is_copy(fact.as<trace::OutputRecord>().token, fact.header().datacenter);
      if (click.is_joined() && !copy) ++counters.duplicates;
      if (copy) ++counters.output_copies;
    }
  }
}

void count_crash(Counters& counters, const Evidence& evidence, const Fact& fact) {
  if (fact.as<trace::ProcessCrashed>().in_order != 0) {
    ++counters.processes_stopped;
    return;
  }
  ++counters.process_crashes;
  if (evidence.join().node(fact.header().node).is_joiner) ++counters.joiner_crashes;
}

void count_damage(Counters& counters, const Fact& fact) {
  if (fact.header().kind == Kind::input_damaged) {
    ++counters.input_damaged;
  } else if (fact.header().kind == Kind::output_lost) {
    ++counters.outputs_lost;
  } else {
    const auto& skipped = fact.as<trace::RecordSkipped>();
    ++counters.records_skipped;
    counters.bytes_skipped += skipped.end - skipped.begin;
  }
}

void count_sharding(Counters& counters, const trace::ShardingApplied& applied) {
  const bool confirmed = applied.action == trace::ShardingAction::confirm;
  if (!confirmed && applied.action != trace::ShardingAction::cancel) return;
  // The first decision of a change counts, at the first replica to apply it.
  if (!counters.changes_decided.insert(applied.version).second) return;
  ++(confirmed ? counters.reshards : counters.reshards_cancelled);
}

}  // namespace

void count(Counters& counters, const Evidence& evidence, const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::registry_ask:
      return count_registry_ask(counters, evidence, fact);
    case Kind::registry_answer:
      return count_registry_answer(counters, evidence, fact);
    case Kind::click_read:
    case Kind::join_ask:
    case Kind::query_ask:
    case Kind::output_record:
      return count_pipeline(counters, evidence, fact);
    case Kind::slot_applied: {
      const auto& applied = fact.as<trace::SlotApplied>();
      if (applied.group.value() == evidence.config().sharding_group) return;
      count_commit(counters, fact, applied);
      const bool first = is_first(evidence, applied.group, applied.slot);
      if (!first || applied.operations == 0) return;
      ++counters.transactions;
      counters.operations += applied.operations;
      return;
    }
    case Kind::operation_applied:
      return count_collected(counters, evidence, fact);
    case Kind::boundary_moved:
      return count_boundary(counters, evidence, fact);
    case Kind::run_phase:
      return count_end(counters, evidence, fact);
    case Kind::batch_proposed:
      return count_proposal(counters, fact, fact.as<trace::BatchProposed>());
    case Kind::sharding_applied:
      return count_sharding(counters, fact.as<trace::ShardingApplied>());
    case Kind::future_insert:
      ++counters.future_inserts;
      return;
    case Kind::master_elected: {
      ++counters.elections;
      const auto group = fact.as<trace::MasterElected>().group.value();
      if (!counters.groups_with_master.insert(group).second) ++counters.failovers;
      return;
    }
    case Kind::paxos_snapshot:
      if (fact.source() == Source::durable) ++counters.snapshots;
      return;
    case Kind::state_restored:
      ++counters.restorations;
      return;
    case Kind::paxos_formatted:
      if (fact.source() == Source::durable) ++counters.disks_replaced;
      return;
    case Kind::process_crashed:
      return count_crash(counters, evidence, fact);
    case Kind::input_damaged:
    case Kind::record_skipped:
    case Kind::output_lost:
      return count_damage(counters, fact);
    case Kind::fault_effect:
      counters.faults_effective.insert(fact.as<trace::FaultEffect>().fault);
      return;
    default:
      return;
  }
}

std::span<const Interest> CounterLedger::kinds() const {
  static constexpr Interest kKinds[] = {
      sent(Kind::registry_ask), Kind::registry_answer,          Kind::click_read,
      sent(Kind::join_ask),     sent(Kind::query_ask),          durable(Kind::output_record),
      Kind::slot_applied,       Kind::operation_applied,        Kind::boundary_moved,
      Kind::run_phase,          Kind::batch_proposed,           Kind::sharding_applied,
      Kind::future_insert,      Kind::master_elected,           durable(Kind::paxos_snapshot),
      Kind::state_restored,     durable(Kind::paxos_formatted), Kind::process_crashed,
      Kind::input_damaged,      Kind::record_skipped,           Kind::output_lost,
      Kind::fault_effect};
  return kKinds;
}

void finish(Counters& counters, const Evidence& evidence) {
  counters.disks_admitted = evidence.registry().consensus().admissions();
  counters.lost_replies_after_effect = 0;
  for (std::uint32_t i = 0; i < evidence.join().attempts(); ++i) {
    if (i % Evidence::kTickRows == 0) evidence.tick();
    const Attempt& attempt = evidence.join().attempt(i);
    const bool never_came = attempt.ok_sent_at != kNever && !attempt.ok_delivered;
    if (attempt.reply_lost || never_came) ++counters.lost_replies_after_effect;
  }
}

}  // namespace photon::analysis
