#include "analysis/oracles/j_s14_saved_attempts.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void SavedAttempts::on_fact(const Fact& fact) {
  if (fact.source() != trace::Source::durable) return;
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  if (pipeline == kNoIndex) return;
  switch (fact.header().kind) {
    case trace::Kind::journal_owned:
      return on_owned(fact, pipeline);
    case trace::Kind::offset_saved:
      return on_offset(fact, pipeline);
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

// Every rewrite begins with its owner.
void SavedAttempts::on_owned(const Fact& fact, std::uint32_t pipeline) {
  const auto& owned = fact.as<trace::JournalOwned>();
  Journal& journal = journal_at(pipeline, owned.journal);
  if (journal.rewriting && owned.epoch != journal.epoch) journal.new_owner = true;
  journal.epoch = owned.epoch;
}

void SavedAttempts::on_offset(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::OffsetSaved>();
  Journal& journal = journal_at(pipeline, saved.journal);
  Offset& known = journal.offsets[saved.file];
  if (!journal.rewriting) {
    known = {++journal.records, saved.offset};
    return;
  }
  if (saved.offset == known.offset) journal.newest = std::max(journal.newest, known.ordinal);
  known = {0, saved.offset};
}

void SavedAttempts::on_saved(const Fact& fact, std::uint32_t pipeline) {
  const auto& saved = fact.as<trace::RetrySaved>();
  Journal& journal = journal_at(pipeline, saved.journal);
  const Place place{pipeline, saved.journal, fact.event};
  Attempts& known = attempts_[place];
  const Counts counts{saved.attempts, saved.tries};
  if (journal.rewriting) {
    if (!known.is_restated) journal.clicks.push_back(fact.event);
    known.is_restated = true;
    known.restated = counts;
    return;
  }
  ++journal.records;
  if (!known.stated.empty()) {
    const Counts before = known.stated.back().counts;
    compare(fact, place, before, counts);
    if (counts == before) return;
    if (counts.lacks_some_of(before)) known.stated.clear();
  }
  known.stated.push_back({journal.records, counts});
}

void SavedAttempts::on_replaced(const Fact& fact, std::uint32_t pipeline) {
  const std::uint32_t number = fact.as<trace::JournalReplaced>().journal;
  if (is_state_operator(fact.header().node)) {
    for (const std::uint32_t click : join_.journal(pipeline, number).saved) {
      attempts_.erase(Place{pipeline, number, click});
    }
  }
  Journal& journal = journal_at(pipeline, number);
  journal.rewriting = true;
  journal.new_owner = false;
  journal.newest = 0;
  journal.clicks.clear();
}

// DispatcherDurability judges entries that the journal held before and does not state again.
void SavedAttempts::on_restated(const Fact& fact, std::uint32_t pipeline) {
  const std::uint32_t number = fact.as<trace::JournalRestated>().journal;
  Journal& journal = journal_at(pipeline, number);
  const auto& before = join_.journal(pipeline, number).before_rewrite;
  for (const std::uint32_t click : before) {
    const Place place{pipeline, number, click};
    const auto found = attempts_.find(place);
    if (found == attempts_.end() || !found->second.is_restated || is_exempt(place)) continue;
    for (const Statement& each : found->second.stated) {
      if (found->second.restated.lacks_some_of(each.counts)) break;
      journal.newest = std::max(journal.newest, each.ordinal);
    }
  }
  for (const std::uint32_t click : before) {
    const auto found = attempts_.find(Place{pipeline, number, click});
    if (found == attempts_.end()) continue;
    if (found->second.is_restated) {
      check_restated(fact, journal, found->first, found->second);
    } else {
      attempts_.erase(found);
    }
  }
  for (const std::uint32_t click : journal.clicks) {
    Attempts& known = attempts_[Place{pipeline, number, click}];
    known = {{Statement{0, known.restated}}, {}, false};
  }
  for (auto& [file, offset] : journal.offsets) offset.ordinal = 0;  // order-free: all alike
  journal.records = 0;
  journal.rewriting = false;
  journal.clicks.clear();
}

void SavedAttempts::check_restated(const Fact& fact, const Journal& journal, const Place& place,
                                   const Attempts& attempts) {
  const auto& stated = attempts.stated;
  if (stated.empty()) return;
  const auto lacks = [&](const Statement& each) {
    return attempts.restated.lacks_some_of(each.counts);
  };
  const auto lost = std::ranges::find_if(stated, lacks);
  const bool is_older_state = journal.new_owner && lost != stated.end() && lost != stated.begin() &&
                              lost->ordinal > journal.newest;
  compare(fact, place, is_older_state ? attempts.restated : stated.back().counts,
          attempts.restated);
}

bool SavedAttempts::is_exempt(const Place& place) const {
  return join_.at(place.click, place.pipeline).returned;
}

void SavedAttempts::compare(const Fact& fact, const Place& place, const Counts& before,
                            const Counts& now) {
  if (is_exempt(place)) return;
  oblige();
  if (!now.lacks_some_of(before)) return;
  const bool attempts = now.attempts < before.attempts;
  report(fact, join_.click(place.click).id,
         fmt::format("its retry entry states {} {}, and stated {} before in the same journal",
                     attempts ? now.attempts : now.tries, attempts ? "attempts" : "failed tries",
                     attempts ? before.attempts : before.tries));
}

}  // namespace photon::analysis
