#include "cli/self_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/reports/summary.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/samplers.h"

namespace photonsim::cli {
namespace {

using scenarios::WatchedRange;

bool same(const SeenRun& first, const SeenRun& second) {
  return first.fingerprint == second.fingerprint && first.events == second.events &&
         first.failed_check == second.failed_check && first.summary == second.summary;
}

// The events behind the last check-point that both have in common, up to the first in which they
// differ, or to the end.
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

// All events, since what is not deterministic need not part at the same place again; of a long run
// those among which it did.
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
  if (outcome.failed_check) seen.failed_check = outcome.failed_check->text;
  for (const auto& point : outcome.checkpoints) {
    seen.points.push_back({point.events, point.fingerprint});
  }
  for (const scenarios::WatchedEvent& each : outcome.watched) seen.watched.push_back(each.text);
  return seen;
}

std::string difference(const SeenRun& first, const Replay& here, const Replay& elsewhere) {
  const SeenRun second = elsewhere(std::nullopt);
  if (same(first, second)) return {};
  const std::string what = fmt::format(
      "this run is not the same twice (fingerprints {} and in another process {}, {} and {} "
      "events)",
      first.fingerprint, second.fingerprint.empty() ? "none" : second.fingerprint, first.events,
      second.events);
  if (first.failed_check != second.failed_check) {
    const auto end = [](const SeenRun& run) {
      return run.failed_check.empty() ? std::string("it came to its end") : run.failed_check;
    };
    return fmt::format("{}; here: {}; there: {}", what, end(first), end(second));
  }
  const bool events_differ =
      first.fingerprint != second.fingerprint || first.events != second.events;
  if (!events_differ) return what + "; the events are the same, what was judged is not";
  const WatchedRange parted = suspect(first, second);
  const WatchedRange range = watchable(parted, first, second);
  const SeenRun third = here(range);
  const SeenRun fourth = elsewhere(range);
  const auto [one, other] = std::ranges::mismatch(third.watched, fourth.watched);
  const auto text = [](const auto& list, auto place) {
    return place == list.end() ? std::string("nothing") : *place;
  };
  const bool seen = one != third.watched.end() || other != fourth.watched.end();
  const WatchedRange again = suspect(third, fourth);
  if (seen && range.first <= again.first) {
    return fmt::format("{}; in two more replays the first event that differs: {}; or {}", what,
                       text(third.watched, one), text(fourth.watched, other));
  }
  std::string sentence = fmt::format("{}; these two part between events {} and {}", what,
                                     parted.first, parted.first + parted.count - 1);
  if (third.fingerprint != fourth.fingerprint) {
    return fmt::format("{}, two more replays between {} and {}, which were not watched", sentence,
                       again.first, again.first + again.count - 1);
  }
  return fmt::format("{}, two more replays are the same as {}: run it under a memory checker",
                     sentence,
                     third.fingerprint == first.fingerprint    ? "the first one"
                     : third.fingerprint == second.fingerprint ? "the second one"
                                                               : "neither");
}

}  // namespace photonsim::cli
