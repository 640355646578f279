#include "analysis/oracles/j_p6_retries.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/evidence/time_limit.h"

namespace photon::analysis {

void RetriesInTime::on_fact(const Fact& fact) {
  const trace::Header& header = fact.header();
  const std::uint32_t pipeline = join_.pipeline_of(header.datacenter);
  if (pipeline == kNoIndex || config().retry_time_limit.count() == 0) return;
  while (!deadlines_.empty() && deadlines_.top().at < header.at) {
    const std::uint64_t key = deadlines_.top().key;
    deadlines_.pop();
    examine(fact, key);
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
      if (lookup && fact.source() == trace::Source::sent) on_asked(fact, pipeline);
      return;
    }
    default:
      if (fact.source() == trace::Source::sent) on_asked(fact, pipeline);
  }
}

void RetriesInTime::on_asked(const Fact& fact, std::uint32_t pipeline) {
  const auto found = waiting_.find(key_of(fact.event, pipeline));
  if (found == waiting_.end()) return;
  Waiting& waiting = found->second;
  if (!waiting.asked) oblige();
  waiting.asked = true;
  waiting.since = fact.header().at;
  if (!std::exchange(waiting.accused, false)) return;
  examine_again(found->first, waiting, limit(found->first, waiting, SimTime::min()));
}

// A rewritten journal repeats its content: that changes nothing. A new owner of the journal has to
// come to it first.
void RetriesInTime::on_saved(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::RetrySaved>();
  const std::uint64_t key = key_of(fact.event, pipeline);
  const auto [found, fresh] = waiting_.try_emplace(key);
  Waiting& waiting = found->second;
  const trace::Header& header = fact.header();
  if (!fresh && waiting.due == saved.due && waiting.keeper == header.node) return;
  if (in_store_.size() <= pipeline) in_store_.resize(pipeline + 1);
  in_store_[pipeline] += fresh ? 1 : 0;
  const auto stated = from_nanoseconds<SimTime>(nanoseconds_of(saved.due));
  const SimTime due = shifted(shifted(stated, -config().calendar_epoch), config().clock_epsilon);
  if (fresh || waiting.keeper != header.node) {
    waiting.since = header.at;
    waiting.accused = false;
  }
  waiting.due = saved.due;
  waiting.due_at = std::max(due, header.at);
  waiting.keeper = header.node;
  waiting.asked = false;
  if (waiting.accused) return;
  const SimTime at = limit(key, waiting, SimTime::min());
  if (at < waiting.next_examined) examine_again(key, waiting, at);
}

void RetriesInTime::examine_again(std::uint64_t key, Waiting& waiting, SimTime at) {
  waiting.next_examined = at;
  deadlines_.push({at, key});
}

void RetriesInTime::forget(std::uint32_t click, std::uint32_t pipeline) {
  if (waiting_.erase(key_of(click, pipeline)) == 1) --in_store_[pipeline];
}

Duration RetriesInTime::bound(std::uint32_t pipeline) const {
  return with_turns(config().retry_time_limit, in_store_[pipeline], config().retry_turn);
}

SimTime RetriesInTime::limit(std::uint64_t key, const Waiting& waiting, SimTime fault_free) const {
  const auto pipeline = static_cast<std::uint32_t>(key & 0xffU);
  const AtPipeline& at = join_.at(static_cast<std::uint32_t>(key >> 8U), pipeline);
  const Duration pause = config().retry_after_tries(at.tries);
  const SimTime by_tries = std::max(waiting.since, fault_free) + pause;
  const SimTime by_due = std::max(waiting.due_at, fault_free);
  return (waiting.asked ? by_tries : std::min(by_tries, by_due)) + bound(pipeline);
}

void RetriesInTime::examine(const Fact& fact, std::uint64_t key) {
  const auto found = waiting_.find(key);
  if (found == waiting_.end() || found->second.next_examined >= fact.header().at) return;
  Waiting& waiting = found->second;
  const auto pipeline = static_cast<std::uint32_t>(key & 0xffU);
  const auto index = static_cast<std::uint32_t>(key >> 8U);
  // An operator that begins without state forgets retries as well (C-32); J-S14 checks all
  // others. A finished click need not be retried, although the removal of its entry may still
  // wait for the storage.
  const bool kept = join_.at(index, pipeline).in_retry_store;
  if (!kept || join_.answers(index, pipeline) != 0) return forget(index, pipeline);
  const SimTime fault_free = join_.fault_free_since();
  if (fault_free == kNever) return examine_again(key, waiting, fact.header().at + bound(pipeline));
  const SimTime until = limit(key, waiting, fault_free);
  if (fact.header().at <= until) return examine_again(key, waiting, until);
  oblige();
  const std::uint32_t tries = join_.at(index, pipeline).tries;
  report(fact, join_.click(index).id,
         fmt::format("the click waits in the retry store of {} since {} and is saved for {}, and "
                     "it was not tried until {} without a fault: after {} tries and with {} "
                     "clicks in the store that is the limit",
                     config().name_of(pipeline), describe(waiting.since), describe(waiting.due_at),
                     describe(until), tries, in_store_[pipeline]));
  waiting.next_examined = kNever;
  waiting.accused = true;
}

}  // namespace photon::analysis
