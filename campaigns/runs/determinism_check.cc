#include "campaigns/runs/determinism_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/reports/summary.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/samplers.h"

namespace photonsim::campaigns {
namespace {

using scenarios::WatchedRange;

bool same(const SeenRun& first, const SeenRun& second) {
  return first.fingerprint == second.fingerprint && first.events == second.events &&
         first.early_end == second.early_end && first.summary == second.summary;
}

// The events after the last common check-point, up to the first difference or to the end.
WatchedRange suspect(const SeenRun& first, const SeenRun& second) {
  WatchedRange range{1, 0};
  const std::size_t points = std::min(first.points.size(), second.points.size());
  for (std::size_t i = 0; i < points; ++i) {
    const auto& one = first.points[i];
    const auto& other = second.points[i];
    if (one.events != other.events || one.fingerprint != other.fingerprint) {
      range.count = std::min(one.events, other.events) - range.first + 1;
      return range;
    }
    range.first = one.events + 1;
  }
  range.count = std::max(first.events, second.events) - range.first + 2;
  return range;
}

// All events, because a rerun may diverge elsewhere; of a long run only those around
// the first divergence.
WatchedRange watchable(const WatchedRange& parted, const SeenRun& first, const SeenRun& second) {
  constexpr std::uint64_t kMostWatched = 1'000'000;  // some hundred megabytes
  const std::uint64_t events = std::max(first.events, second.events);
  return events <= kMostWatched ? WatchedRange{1, 2 * kMostWatched} : parted;
}

}  // namespace

bool is_checked(std::uint64_t seed, double share) {
  return photon::Chance(share).happens(photon::mix(seed));
}

SeenRun seen_of(const scenarios::RunOutcome& outcome) {
  SeenRun seen;
  seen.events = outcome.summary.events;
  seen.fingerprint = outcome.summary.fingerprint;
  seen.summary = photon::analysis::to_json(outcome.summary);
  seen.early_end = early_end_line(outcome);
  for (const auto& point : outcome.checkpoints) {
    seen.points.push_back({point.events, point.fingerprint});
  }
  for (const scenarios::WatchedEvent& each : outcome.watched) seen.watched.push_back(each.text);
  return seen;
}

bool DeterminismCheck::events_differ() const {
  return first_.fingerprint != second_->fingerprint || first_.events != second_->events;
}

std::optional<DeterminismCheck::Rerun> DeterminismCheck::next() const {
  if (!second_) return Rerun{Layout::scattered, std::nullopt};
  if (same(first_, *second_) || first_.early_end != second_->early_end) return std::nullopt;
  if (!events_differ() || fourth_) return std::nullopt;
  const WatchedRange range = watchable(suspect(first_, *second_), first_, *second_);
  return Rerun{third_ ? Layout::scattered : Layout::usual, range};
}

void DeterminismCheck::take(SeenRun seen) {
  std::optional<SeenRun>& place = !second_ ? second_ : !third_ ? third_ : fourth_;
  place = std::move(seen);
}

std::string DeterminismCheck::headline() const {
  return fmt::format(
      "this run diverged in its rerun (fingerprints {} and in another process {}, {} and {} "
      "events)",
      first_.fingerprint, second_->fingerprint.empty() ? "none" : second_->fingerprint,
      first_.events, second_->events);
}

std::string DeterminismCheck::difference() const {
  if (same(first_, *second_)) return {};
  const std::string what = headline();
  if (first_.early_end != second_->early_end) {
    const auto end = [](const SeenRun& run) {
      return run.early_end.empty() ? std::string("it completed") : run.early_end;
    };
    return fmt::format("{}; here: {}; there: {}", what, end(first_), end(*second_));
  }
  if (!events_differ()) return what + "; the events are the same, the judge's report is not";
  const WatchedRange parted = suspect(first_, *second_);
  const WatchedRange range = watchable(parted, first_, *second_);
  const auto [one, other] = std::ranges::mismatch(third_->watched, fourth_->watched);
  const auto text = [](const auto& list, auto place) {
    return place == list.end() ? std::string("nothing") : *place;
  };
  const bool seen = one != third_->watched.end() || other != fourth_->watched.end();
  const WatchedRange again = suspect(*third_, *fourth_);
  if (seen && range.first <= again.first) {
    return fmt::format("{}; in two more replays the first event that differs: {}; or {}", what,
                       text(third_->watched, one), text(fourth_->watched, other));
  }
  const std::string sentence = fmt::format("{}; these two diverge between events {} and {}", what,
                                           parted.first, parted.first + parted.count - 1);
  if (third_->fingerprint != fourth_->fingerprint) {
    return fmt::format("{}, two more replays between {} and {}, which were not recorded", sentence,
                       again.first, again.first + again.count - 1);
  }
  return fmt::format("{}, two more replays are the same as {}: run it under a memory checker",
                     sentence,
                     third_->fingerprint == first_.fingerprint     ? "the first one"
                     : third_->fingerprint == second_->fingerprint ? "the second one"
                                                                   : "neither");
}

std::string difference(const SeenRun& first, const Replay& here, const Replay& elsewhere) {
  DeterminismCheck check(first);
  while (const auto rerun = check.next()) {
    check.take(rerun->layout == Layout::usual ? here(rerun->watched) : elsewhere(rerun->watched));
  }
  return check.difference();
}

}  // namespace photonsim::campaigns
