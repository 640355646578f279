#include "analysis/theory/group_commit.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/bulk_service.h"
#include "analysis/theory/commit_delay.h"
#include "analysis/theory/left_over.h"
#include "analysis/theory/quantile_search.h"

namespace photon::analysis::theory {
namespace {

bool is_commit_load(const CommitLoad& load) {
  return std::isfinite(load.arrivals_per_second) && load.arrivals_per_second >= 0 &&
         std::isfinite(load.commit_seconds) && load.commit_seconds > 0 &&
         std::isfinite(load.arrivals_per_commit());
}

// From a transaction's end to the next one's, `none_waits` being the fraction of ends at which the
// thread falls idle: every batch holds the arrivals of such a cycle.
CommitMeans means_of_cycle(const CommitLoad& load, const BulkService& ends) {
  const double batch = load.arrivals_per_commit() + ends.none_waits;
  const double busy = load.arrivals_per_commit() / batch;
  const double waiting_while_busy = ends.left_over_mean + load.arrivals_per_commit() / 2;
  const double wait =
      load.arrivals_per_second > 0 ? busy * waiting_while_busy / load.arrivals_per_second : 0;
  return {.transactions_per_second = load.arrivals_per_second / batch,
          .batch_mean = batch,
          .busy_fraction = busy,
          .delay_seconds = load.commit_seconds + wait};
}

}  // namespace

std::optional<CommitMeans> group_commit_means(const CommitLoad& load) {
  if (!is_commit_load(load)) return {};
  return means_of_cycle(load,
                        {.none_waits = std::exp(-load.arrivals_per_commit()), .left_over_mean = 0});
}

std::optional<CommitMeans> group_commit_means(const CommitLoad& load, std::uint32_t batch_max) {
  if (!is_commit_load(load)) return {};
  const auto ends = bulk_service(load.arrivals_per_commit(), batch_max);
  if (!ends) return {};
  return means_of_cycle(load, *ends);
}

std::optional<double> group_commit_delay_quantile_seconds(const CommitLoad& load, double fraction) {
  const auto means = group_commit_means(load);
  if (!means || !(fraction >= 0 && fraction < 1)) return {};
  const double idle = 1 - means->busy_fraction;
  if (fraction <= idle) return load.commit_seconds;
  const double rest = std::min((fraction - idle) / means->busy_fraction, 1.0);
  return load.commit_seconds * (1 + rest);
}

std::optional<double> group_commit_delay_quantile_seconds(const CommitLoad& load,
                                                          std::uint32_t batch_max,
                                                          double fraction) {
  const auto means = group_commit_means(load, batch_max);
  if (!means) return {};
  const auto left_over = left_over_distribution(load.arrivals_per_commit(), batch_max);
  if (!left_over) return {};
  const CommitDelay delay(load.arrivals_per_commit(), batch_max, *left_over);
  const Tail tail = [&](double commits) { return means->busy_fraction * delay.wait_tail(commits); };
  const auto wait = quantile_of(tail, fraction, {.least = 0, .scale = 1});
  if (!wait) return {};
  return load.commit_seconds * (1 + *wait);
}

std::optional<double> group_commit_saturation_per_second(double commit_seconds,
                                                         std::uint32_t batch_max) {
  if (!std::isfinite(commit_seconds) || commit_seconds <= 0 || batch_max == 0) return {};
  return batch_max / commit_seconds;
}

}  // namespace photon::analysis::theory
