#include "cli/self_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/summary.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/samplers.h"

namespace photonsim::cli {
namespace {

using scenarios::RunOutcome;
using scenarios::WatchedEvent;
using scenarios::WatchedRange;

// What is compared: events, their fingerprint, and what the judge made of them.
bool same(const RunOutcome& first, const RunOutcome& second) {
  const auto check_of = [](const RunOutcome& outcome) {
    return outcome.failed_check ? outcome.failed_check->text : std::string();
  };
  return first.summary.fingerprint == second.summary.fingerprint &&
         first.summary.events == second.summary.events && check_of(first) == check_of(second) &&
         photon::analysis::to_json(first.summary) == photon::analysis::to_json(second.summary);
}

// The events behind the last check-point that both have in common, up to the first in which they
// differ, or to the end.
WatchedRange suspect(const RunOutcome& first, const RunOutcome& second) {
  WatchedRange range{1, 0};
  const std::size_t points = std::min(first.checkpoints.size(), second.checkpoints.size());
  for (std::size_t i = 0; i < points; ++i) {
    const auto& one = first.checkpoints[i];
    const auto& other = second.checkpoints[i];
    if (one.events != other.events || one.fingerprint != other.fingerprint) {
      range.count = std::min(one.events, other.events) - range.first + 1;
      return range;
    }
    range.first = one.events + 1;
  }
  range.count = std::max(first.summary.events, second.summary.events) - range.first + 2;
  return range;
}

// All events, since what is not deterministic need not part at the same place again; of a long run
// those among which it did.
WatchedRange watchable(const WatchedRange& parted, const RunOutcome& first,
                       const RunOutcome& second) {
  constexpr std::uint64_t kMostWatched = 1'000'000;  // some hundred megabytes
  const std::uint64_t events = std::max(first.summary.events, second.summary.events);
  return events <= kMostWatched ? WatchedRange{1, 2 * kMostWatched} : parted;
}

}  // namespace

bool is_checked(std::uint64_t seed, double share) {
  return photon::Chance(share).happens(photon::mix(seed));
}

std::string difference(const RunOutcome& first, const Replay& replay) {
  const RunOutcome second = replay(std::nullopt);
  if (same(first, second)) return {};
  const std::string what =
      fmt::format("this run is not the same twice (fingerprints {} and {}, {} and {} events)",
                  first.summary.fingerprint, second.summary.fingerprint, first.summary.events,
                  second.summary.events);
  const bool events_differ = first.summary.fingerprint != second.summary.fingerprint ||
                             first.summary.events != second.summary.events;
  if (!events_differ) return what + "; the events are the same, what was judged is not";
  const WatchedRange parted = suspect(first, second);
  const WatchedRange range = watchable(parted, first, second);
  const RunOutcome third = replay(range);
  const RunOutcome fourth = replay(range);
  const auto [one, other] = std::ranges::mismatch(third.watched, fourth.watched, {},
                                                  &WatchedEvent::text, &WatchedEvent::text);
  const auto text = [](const auto& list, auto place) {
    return place == list.end() ? std::string("nothing") : place->text;
  };
  const bool seen = one != third.watched.end() || other != fourth.watched.end();
  const WatchedRange again = suspect(third, fourth);
  if (seen && range.first <= again.first) {
    return fmt::format("{}; in two more replays the first event that differs: {}; or {}", what,
                       text(third.watched, one), text(fourth.watched, other));
  }
  std::string sentence = fmt::format("{}; these two part between events {} and {}", what,
                                     parted.first, parted.first + parted.count - 1);
  if (third.summary.fingerprint != fourth.summary.fingerprint) {
    return fmt::format("{}, two more replays between {} and {}, which were not watched", sentence,
                       again.first, again.first + again.count - 1);
  }
  return fmt::format("{}, two more replays are the same as {}: run it under a memory checker",
                     sentence,
                     third.summary.fingerprint == first.summary.fingerprint    ? "the first one"
                     : third.summary.fingerprint == second.summary.fingerprint ? "the second one"
                                                                               : "neither");
}

}  // namespace photonsim::cli
