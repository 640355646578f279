#include "analysis/corner_cases/corner_sharding.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;
using trace::RegistryCode;
using trace::RegistryOperation;
using trace::ShardingAction;
using trace::Source;

CornerSharding::CornerSharding(const Evidence& evidence, CornerCounts& counts)
    : evidence_(evidence), counts_(counts) {
  present_.shards = evidence.config().first_shards;
}

void CornerSharding::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::sharding_applied:
      return on_history(fact);
    case Kind::sharding_ask:
      if (fact.source() == Source::sent) on_change_asked(fact);
      return;
    case Kind::sharding_answer:
      return on_change_answered(fact);
    case Kind::registry_ask:
      if (fact.source() == Source::sent) on_ask(fact);
      return;
    case Kind::registry_answer:
      if (fact.source() == Source::sent) on_answer(fact);
      return;
    case Kind::operation_applied:
      if (fact.event != kNoIndex) on_applied(fact);
      return;
    case Kind::process_crashed:
      clients_[fact.header().node] = {};
      return;
    default:
      return;
  }
}

SimTime CornerSharding::true_time_of(Stamp stamp) const {
  return from_nanoseconds<SimTime>(nanoseconds_of(stamp) -
                                   evidence_.config().calendar_epoch.count());
}

void CornerSharding::on_history(const Fact& fact) {
  const auto& applied = fact.as<trace::ShardingApplied>();
  if (applied.slot <= decided_slot_) return;  // by another replica
  decided_slot_ = applied.slot;
  switch (applied.action) {
    case ShardingAction::announce: {
      announced_ = {applied.start, applied.shards};
      const bool soon = ahead_at_ != SimTime::min() &&
                        fact.header().at - ahead_at_ <= 2 * evidence_.config().clock_epsilon;
      if (soon && announced_.shards > present_.shards) counts_.hit(Corner::bc16);
      return;
    }
    case ShardingAction::confirm:
      if (announced_.shards > present_.shards) went_up_ = true;
      if (announced_.shards < present_.shards && went_up_ && asked_together_) {
        counts_.hit(Corner::bc20);
      }
      present_ = announced_;
      return;
    case ShardingAction::cancel:
      return counts_.hit(Corner::bc19);
    case ShardingAction::forget:
      forgotten_ = std::max(forgotten_, applied.start);
      return;
    case ShardingAction::extend_horizon:
      return;
  }
}

void CornerSharding::on_change_asked(const Fact& fact) {
  const trace::Header& header = fact.header();
  const bool another = last_operator_.node != kNoNode && last_operator_.node != header.node;
  const Duration skew = 2 * evidence_.config().clock_epsilon;
  if (another && header.at - last_operator_.at <= skew) asked_together_ = true;
  last_operator_ = {header.node, header.at};
}

void CornerSharding::on_change_answered(const Fact& fact) {
  const auto& answer = fact.as<trace::ShardingAnswer>();
  if (fact.source() == Source::sent) {
    if (answer.code == trace::ShardingCode::too_early) counts_.hit(Corner::bc17);
    return;
  }
  Client& client = clients_[fact.header().node];
  client.knows = std::max(client.knows, answer.newest);
}

void CornerSharding::on_ask(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  const trace::Header& header = fact.header();
  Client& client = clients_[header.node];
  if (client.asked_at != header.at) client.crossed = false;
  if (client.asked_at == header.at && client.shard != ask.shard && !client.crossed) {
    client.crossed = true;
    counts_.hit(Corner::bc27);
  }
  client.asked_at = header.at;
  client.shard = ask.shard;
  client.reads = true;
  // A client acts on the change by now; is there another one that does not know it?
  if (present_.start == Stamp::min() || ask.id.stamp < present_.start) return;
  if (seen_late_ == present_.start || client.knows < present_.start) return;
  bool late = false;
  clients_.for_each(
      [&](const Client& other) { late = late || (other.reads && other.knows < present_.start); });
  if (!late) return;
  seen_late_ = present_.start;
  counts_.hit(Corner::bc18);
}

void CornerSharding::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (!trace::is_definitive(answer.code)) return;
  const bool in_force =
      present_.start != Stamp::min() && fact.header().at >= true_time_of(present_.start);
  if (in_force && answer.shard.value() >= present_.shards && answer.id.stamp < present_.start) {
    counts_.hit(Corner::bc21);
  }
  const bool forgotten = answer.id.stamp < forgotten_;
  const bool lookup = answer.operation == RegistryOperation::lookup;
  if (forgotten && lookup && answer.code == RegistryCode::too_old) counts_.hit(Corner::bc22);
}

void CornerSharding::on_applied(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  const bool ahead = true_time_of(applied.id.stamp) > fact.header().at;
  if (ahead && applied.fresh != 0) ahead_at_ = fact.header().at;
}

}  // namespace photon::analysis
