#include "scenarios/world/judged_pauses.h"

#include <algorithm>
#include <cstddef>

#include "scenarios/config/permille.h"

namespace photonsim::scenarios {
namespace {

constexpr std::size_t kMostKept = 100;  // a factor may be next to one: then the pauses go on slowly

// Nanoseconds without jitter, and what rounding down to whole ones with each failure may lose.
struct Pause {
  double exact = 0;
  double lost = 0;
};

double fraction(double share) { return permille(share) / 1000.0; }

// The pauses below the cap, first to last; then the next one, which is the cap if they reach it.
std::vector<Pause> pauses_of(const Dispatcher& dispatcher) {
  const auto cap = static_cast<double>(dispatcher.backoff_cap.count());
  const double factor = fraction(dispatcher.backoff_factor);
  std::vector<Pause> pauses;
  Pause next{static_cast<double>(dispatcher.backoff_initial.count()), 0};
  while (pauses.size() < kMostKept && next.exact < cap) {
    pauses.push_back(next);
    if (factor == 1) return pauses;
    next = {next.exact * factor, next.lost * factor + 1};
  }
  // Rounded down each time, they may come to the cap one failure later.
  pauses.push_back({std::min(next.exact, cap), next.lost});
  return pauses;
}

Duration rounded_up(double nanoseconds) {
  return Duration(static_cast<std::int64_t>(nanoseconds) + 1);
}

}  // namespace

std::vector<Duration> longest_pauses(const Dispatcher& dispatcher) {
  std::vector<Duration> longest;
  for (const Pause& pause : pauses_of(dispatcher)) {
    longest.push_back(rounded_up(pause.exact * (1 + fraction(dispatcher.backoff_jitter))));
  }
  if (fraction(dispatcher.backoff_factor) == 1) return longest;
  const auto cap = static_cast<double>(dispatcher.backoff_cap.count());
  longest.back() = rounded_up(cap * (1 + fraction(dispatcher.backoff_jitter)));
  return longest;
}

std::vector<Duration> shortest_pauses(const Dispatcher& dispatcher) {
  std::vector<Duration> shortest;
  for (const Pause& pause : pauses_of(dispatcher)) {
    const double least = (pause.exact - pause.lost) * (1 - fraction(dispatcher.backoff_jitter));
    shortest.push_back(Duration(std::max<std::int64_t>(0, static_cast<std::int64_t>(least) - 1)));
  }
  return shortest;
}

Duration longest_scan_pause(const Dispatcher& dispatcher) {
  return rounded_up(static_cast<double>(dispatcher.scan_period.count()) *
                    (1 + fraction(dispatcher.scan_jitter)));
}

}  // namespace photonsim::scenarios
