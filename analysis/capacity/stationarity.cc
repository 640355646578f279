#include "analysis/capacity/stationarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace photon::analysis {
namespace {

constexpr std::size_t kParts = 4;
constexpr double kLeastShare = 0.01;  // of the length of a part
constexpr double kBehindShare = 0.1;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Part {
  double backlog = 0;  // mean
  double arrivals = 0;
};

// `first`: the number of the part's first sample.
Part part_of(std::span<const double> backlog, std::span<const double> arrived, std::size_t first,
             std::size_t size) {
  const double before = first == 0 ? 0 : arrived[first - 1];
  return {mean_of(backlog.subspan(first, size)), arrived[first + size - 1] - before};
}

// Nothing arrives: what is there waits for ever.
double wait_in(const Part& part, double seconds) {
  if (part.arrivals > 0) return part.backlog / part.arrivals * seconds;
  return part.backlog > 0 ? std::numeric_limits<double>::infinity() : 0;
}

}  // namespace

BacklogTrend backlog_trend(std::span<const double> backlog, std::span<const double> arrived,
                           double interval_seconds) {
  if (backlog.size() < kLeastBacklogSamples) return {};
  const std::size_t size = backlog.size() / kParts;
  const std::size_t skipped = backlog.size() - kParts * size;  // at the beginning
  const double seconds = interval_seconds * static_cast<double>(size);
  std::array<Part, kParts> parts{};
  for (std::size_t i = 0; i < kParts; ++i) {
    parts[i] = part_of(backlog, arrived, skipped + i * size, size);
  }
  bool grows = true;
  double shortest = wait_in(parts.front(), seconds);
  for (std::size_t i = 1; i < kParts; ++i) {
    const double longer = wait_in(parts[i], seconds) - wait_in(parts[i - 1], seconds);
    grows =
        grows && parts[i].backlog - parts[i - 1].backlog >= 1 && longer >= kLeastShare * seconds;
    shortest = std::min(shortest, wait_in(parts[i], seconds));
  }
  const bool behind = parts.back().arrivals > 0 &&
                      wait_in(parts.back(), seconds) - shortest >= kBehindShare * seconds;
  const double grown = parts.back().backlog - parts.front().backlog;
  const double between =
      parts[0].arrivals / 2 + parts[1].arrivals + parts[2].arrivals + parts[3].arrivals / 2;
  return {.verdict = grows    ? Stationarity::growing
                     : behind ? Stationarity::behind
                              : Stationarity::stationary,
          .growth_per_second = grown / (seconds * (kParts - 1)),
          .deviations = between > 0 ? grown / std::sqrt(2 * between) : 0,
          .share = between > 0 ? grown / between : 0};
}

}  // namespace photon::analysis
