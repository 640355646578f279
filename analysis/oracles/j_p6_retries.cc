#include "analysis/oracles/j_p6_retries.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void RetriesInTime::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  const std::uint32_t pipeline = evidence_.pipeline_of(header.datacenter);
  if (pipeline == kNoIndex || config().retry_patience.count() == 0) return;
  while (!deadlines_.empty() && deadlines_.top().at < header.at) {
    const Deadline deadline = deadlines_.top();
    deadlines_.pop();
    look_at(fact, deadline);
  }
  switch (header.kind) {
    case trace::Kind::retry_saved:
      if (fact.source() == trace::Source::durable) on_saved(fact, pipeline);
      return;
    case trace::Kind::retry_removed:
      if (fact.source() == trace::Source::durable) forget(fact.event, pipeline);
      return;
    case trace::Kind::registry_ask: {
      const bool lookup =
          fact.as<trace::RegistryAsk>().operation == trace::RegistryOperation::lookup;
      if (lookup && fact.source() == trace::Source::sent) forget(fact.event, pipeline);
      return;
    }
    default:
      if (fact.source() == trace::Source::sent) forget(fact.event, pipeline);
  }
}

// A journal that is rewritten says again what it said: that changes nothing. A new owner of the
// journal has to come to it first.
void RetriesInTime::on_saved(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::RetrySaved>();
  const auto [found, fresh] = waiting_.try_emplace(key_of(fact.event, pipeline));
  Waiting& waiting = found->second;
  const NodeId keeper = fact.header().node;
  if (!fresh && waiting.due == saved.due && waiting.keeper == keeper) return;
  if (in_store_.size() <= pipeline) in_store_.resize(pipeline + 1);
  in_store_[pipeline] += fresh ? 1 : 0;
  const auto due =
      from_nanoseconds<SimTime>(nanoseconds_of(saved.due) - config().calendar_epoch.count()) +
      config().clock_epsilon;
  waiting = {saved.due, std::max(due, fact.header().at), keeper};
  deadlines_.push({waiting.since + bound(pipeline), found->first, waiting.since});
}

void RetriesInTime::forget(std::uint32_t click, std::uint32_t pipeline) {
  if (waiting_.erase(key_of(click, pipeline)) == 1) --in_store_[pipeline];
}

Duration RetriesInTime::bound(std::uint32_t pipeline) const {
  return config().retry_patience +
         static_cast<std::int64_t>(in_store_[pipeline]) * config().retry_turn;
}

void RetriesInTime::look_at(const Fact& fact, const Deadline& deadline) {
  const auto found = waiting_.find(deadline.key);
  if (found == waiting_.end() || found->second.since != deadline.since) return;
  const auto pipeline = static_cast<std::uint32_t>(deadline.key & 0xffU);
  const auto index = static_cast<std::uint32_t>(deadline.key >> 8U);
  // An operator who begins without state forgets retries as well (C-32); whether anybody else may
  // is J-S14's business. And nobody has to come to a click that is finished, although the word of
  // that may still wait for the storage.
  const bool kept = evidence_.at(index, pipeline).in_retry_store;
  if (!kept || evidence_.told(index, pipeline) != 0) return forget(index, pipeline);
  const SimTime calm = evidence_.calm_since();
  if (calm == kNever) {
    deadlines_.push({fact.header().at + bound(pipeline), deadline.key, deadline.since});
    return;
  }
  const SimTime since = std::max(deadline.since, calm);
  const SimTime until = since + bound(pipeline);
  if (fact.header().at <= until) {
    deadlines_.push({until, deadline.key, deadline.since});
    return;
  }
  report_stuck(fact, evidence_.click(index).id,
               fmt::format("the click was to be tried again in {} at {}, and nobody has come to it "
                           "since; with {} clicks in the retry store {} ms are allowed",
                           config().name_of(pipeline), describe(since), in_store_[pipeline],
                           bound(pipeline).count() / 1'000'000));
}

}  // namespace photon::analysis
