#include "analysis/oracles/j_s14_saved_attempts.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void SavedAttempts::on_fact(const Fact& fact) {
  if (fact.source() != trace::Source::durable) return;
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex) return;
  switch (fact.header().kind) {
    case trace::Kind::retry_saved:
      return on_saved(fact, pipeline);
    case trace::Kind::journal_replaced:
      return on_replaced(fact, pipeline);
    case trace::Kind::journal_restated:
      return on_restated(fact, pipeline);
    default:  // retry_removed
      attempts_.erase(Place{pipeline, fact.as<trace::RetryRemoved>().journal, fact.event});
  }
}

void SavedAttempts::on_saved(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::RetrySaved>();
  const auto [found, fresh] = attempts_.try_emplace(Place{pipeline, saved.journal, fact.event});
  Attempts& known = found->second;
  const auto rewrite = rewrites_.find(journal_key(pipeline, saved.journal));
  if (rewrite != rewrites_.end()) {
    if (!known.is_restated) rewrite->second.push_back(fact.event);
    known.is_restated = true;
    known.restated = saved.attempts;
    return;
  }
  if (!fresh) compare(fact, {pipeline, saved.journal, fact.event}, known.saved, saved.attempts);
  known.saved = saved.attempts;
}

void SavedAttempts::on_replaced(const Fact& fact, std::uint32_t pipeline) {
  const std::uint32_t journal = fact.as<trace::JournalReplaced>().journal;
  const auto& operators = config().state_operators;
  if (std::ranges::find(operators, fact.header().node) != operators.end()) {
    for (const std::uint32_t click : join_.journal(pipeline, journal).saved) {
      attempts_.erase(Place{pipeline, journal, click});
    }
  }
  rewrites_[journal_key(pipeline, journal)].clear();
}

// What the journal held before and does not state again is DispatcherDurability's business.
void SavedAttempts::on_restated(const Fact& fact, std::uint32_t pipeline) {
  const std::uint32_t journal = fact.as<trace::JournalRestated>().journal;
  for (const std::uint32_t click : join_.journal(pipeline, journal).before_rewrite) {
    const auto found = attempts_.find(Place{pipeline, journal, click});
    if (found == attempts_.end()) continue;
    if (found->second.is_restated) {
      compare(fact, found->first, found->second.saved, found->second.restated);
    } else {
      attempts_.erase(found);
    }
  }
  const auto rewrite = rewrites_.find(journal_key(pipeline, journal));
  if (rewrite == rewrites_.end()) return;
  for (const std::uint32_t click : rewrite->second) {
    const auto found = attempts_.find(Place{pipeline, journal, click});
    if (found != attempts_.end()) found->second = {found->second.restated, 0, false};
  }
  rewrites_.erase(rewrite);
}

void SavedAttempts::compare(const Fact& fact, const Place& place, std::uint32_t before,
                            std::uint32_t now) {
  if (join_.at(place.click, place.pipeline).returned) return;
  oblige();
  if (now >= before) return;
  report(fact, join_.click(place.click).id,
         fmt::format("its retry entry states {} attempts, and stated {} before in the same journal",
                     now, before));
}

}  // namespace photon::analysis
