#include "analysis/accounting/figure_ledger.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;
using trace::RegistryOperation;
using trace::Source;

FigureLedger::FigureLedger(const Evidence& evidence)
    : evidence_(evidence),
      shards_(evidence.config().shards),
      pipelines_(evidence.config().pipelines.size()) {}

void FigureLedger::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::slot_applied:
      return on_slot(fact);
    case Kind::operation_applied:
      return on_operation(fact);
    case Kind::registry_ask: {
      const bool lookup = fact.as<trace::RegistryAsk>().operation == RegistryOperation::lookup;
      PipelineTally* pipeline = pipeline_of(fact);
      if (lookup && fact.source() == Source::sent && pipeline != nullptr) ++pipeline->lookups;
      return;
    }
    case Kind::registry_answer:
      return on_answer(fact);
    case Kind::query_answer:
      return on_query_answer(fact);
    case Kind::output_record:
      return on_output(fact);
    // The greatest number stands before it falls, and at the end of the trace.
    case Kind::join_answer:
      if (fact.source() == Source::sent) note_in_flight(fact.header().node);
      return;
    case Kind::process_crashed:
      return note_in_flight(fact.header().node);
    case Kind::join_ask:
      if (fact.source() == Source::delivered) joiners_.try_emplace(fact.header().node);
      return;
    default:
      return;
  }
}

void FigureLedger::finish() {
  for (const auto& [node, joiner] : joiners_) note_in_flight(node);
}

bool FigureLedger::is_first(ShardId group, std::uint64_t slot) const {
  const Slot* known = evidence_.registry().consensus().slot(group, slot);
  return known == nullptr || !known->applied;
}

// Null in a datacenter without one.
PipelineTally* FigureLedger::pipeline_of(const Fact& fact) {
  const std::uint32_t pipeline = evidence_.join().pipeline_of(fact.header().datacenter);
  return pipeline == kNoIndex ? nullptr : &pipelines_[pipeline];
}

void FigureLedger::on_slot(const Fact& fact) {
  const auto& applied = fact.as<trace::SlotApplied>();
  const std::uint32_t group = applied.group.value();
  if (group == evidence_.config().sharding_group || group >= shards_.size()) return;
  if (applied.operations == 0 || !is_first(applied.group, applied.slot)) return;
  ++shards_[group].transactions;
  shards_[group].operations += applied.operations;
  ++batches_[applied.operations];
}

void FigureLedger::on_operation(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (applied.fresh == 0 && applied.operation != RegistryOperation::collect) return;
  if (applied.shard.value() >= shards_.size() || !is_first(applied.shard, applied.slot)) return;
  ShardTally& shard = shards_[applied.shard.value()];
  const std::uint64_t before = shard.bytes();
  const bool had_token = !evidence_.registry().registration(fact.event).is_cleared();
  const auto forget_token = [&] {
    shard.with_token -= std::min<std::uint64_t>(shard.with_token, 1);
  };
  switch (applied.operation) {
    case RegistryOperation::insert:
      ++shard.ids;
      ++shard.with_token;
      break;
    case RegistryOperation::clear:
      forget_token();
      break;
    case RegistryOperation::remove:
    case RegistryOperation::collect:
      if (had_token) forget_token();
      shard.ids -= std::min<std::uint64_t>(shard.ids, 1);
      break;
    default:
      return;
  }
  shard.ids_most = std::max(shard.ids_most, shard.ids);
  shard.bytes_most = std::max(shard.bytes_most, shard.bytes());
  bytes_held_ += shard.bytes() - before;  // modulo 2^64, as it may shrink
  bytes_held_most_ = std::max(bytes_held_most_, bytes_held_);
}

void FigureLedger::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  const bool delivered = fact.source() == Source::delivered && trace::is_definitive(answer.code);
  if (!delivered || answer.operation != RegistryOperation::insert) return;
  PipelineTally* pipeline = pipeline_of(fact);
  if (pipeline == nullptr) return;
  const Attempt* attempt = evidence_.join().find_attempt(fact.event, answer.token);
  const bool first = attempt != nullptr && attempt->node == fact.header().node &&
                     attempt->life == fact.header().incarnation && attempt->answered_at == kNever;
  if (!first) return;
  if (answer.code == trace::RegistryCode::already_exists) ++pipeline->wasted;
  if (answer.code != trace::RegistryCode::inserted) return;
  ++pipeline->registrations;
  ++joiners_[fact.header().node].registrations;
}

void FigureLedger::on_query_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::QueryAnswer>();
  if (fact.source() != Source::delivered || answer.status != trace::QueryStatus::found) return;
  PipelineTally* pipeline = pipeline_of(fact);
  if (pipeline == nullptr) return;
  ++(answer.tier == trace::QueryTier::cache ? pipeline->from_caches : pipeline->from_logs);
}

void FigureLedger::on_output(const Fact& fact) {
  if (fact.source() != Source::durable) return;
  const Click& click = evidence_.join().click(fact.event);
  PipelineTally* pipeline = pipeline_of(fact);
  if (!click.generated || click.is_joined() || pipeline == nullptr) return;
  ++joiners_[fact.header().node].joins;
}

void FigureLedger::note_in_flight(NodeId node) {
  const auto joiner = joiners_.find(node);
  if (joiner == joiners_.end()) return;
  std::uint64_t& most = joiner->second.in_flight_most;
  most = std::max<std::uint64_t>(most, evidence_.join().node(node).in_flight);
}

}  // namespace photon::analysis
