#include "analysis/theory/quorum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/quadrature/exp_sinh.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "analysis/theory/quantile_search.h"

namespace photon::analysis::theory {
namespace {

bool is_time(double value) { return std::isfinite(value) && value >= 0; }

bool is_quorum_commit(const QuorumCommit& commit) {
  const Jitter& jitter = commit.jitter;
  const bool shaped =
      jitter.kind != JitterKind::lognormal || (std::isfinite(jitter.sigma) && jitter.sigma > 0);
  return std::ranges::all_of(commit.round_trips_ms, is_time) && is_time(jitter.mean_ms) && shaped &&
         commit.acknowledgements <= commit.round_trips_ms.size();
}

bool is_constant(const QuorumCommit& commit) {
  return commit.acknowledgements == 0 || commit.jitter.kind == JitterKind::none ||
         commit.jitter.mean_ms == 0;
}

// P(jitter > x).
double jitter_tail(const Jitter& jitter, double x) {
  if (x <= 0) return 1;
  switch (jitter.kind) {
    case JitterKind::none:
      return 0;
    case JitterKind::exponential:
      return std::exp(-x / jitter.mean_ms);
    case JitterKind::exponential_each_way: {
      const double ways = 2 * x / jitter.mean_ms;
      return std::isfinite(ways) ? std::exp(-ways) * (1 + ways) : 0;
    }
    case JitterKind::lognormal: {
      const double log_median = std::log(jitter.mean_ms) - jitter.sigma * jitter.sigma / 2;
      return std::erfc((std::log(x) - log_median) / (jitter.sigma * std::numbers::sqrt2)) / 2;
    }
  }
  return 0;
}

// A commit whose round trips are sorted.
class CommitTail {
 public:
  explicit CommitTail(const QuorumCommit& commit) : commit_(commit) {
    std::ranges::sort(commit_.round_trips_ms);
  }

  // The least time of a commit.
  double least() const {
    if (commit_.acknowledgements == 0) return 0;
    return commit_.round_trips_ms[commit_.acknowledgements - 1];
  }

  // P(fewer acknowledgements than needed within t).
  double operator()(double t) const {
    std::vector<double> counts(commit_.acknowledgements, 0.0);  // P(n arrived), n below the need
    counts[0] = 1;
    for (const double round_trip : commit_.round_trips_ms) {
      const double late = jitter_tail(commit_.jitter, t - round_trip);
      for (std::size_t n = counts.size(); n-- > 0;) {
        counts[n] = counts[n] * late + (n > 0 ? counts[n - 1] * (1 - late) : 0);
      }
    }
    double tail = 0;
    for (const double count : counts) tail += count;
    return tail;
  }

  // The integral of the tail from the least time on. It bends at every round trip above.
  double integral() const {
    using Interval = boost::math::quadrature::gauss_kronrod<double, 31>;
    const auto tail = [this](double t) { return (*this)(t); };
    constexpr unsigned kDepth = 15;
    constexpr double kTolerance = 1e-10;
    double from = least();
    double sum = 0;
    for (const double round_trip : commit_.round_trips_ms) {
      if (round_trip <= from) continue;
      sum += Interval::integrate(tail, from, round_trip, kDepth, kTolerance);
      from = round_trip;
    }
    const double scale = commit_.jitter.mean_ms;
    boost::math::quadrature::exp_sinh<double> beyond;
    return sum + scale * beyond.integrate([&](double u) { return (*this)(from + scale * u); });
  }

 private:
  QuorumCommit commit_;
};

}  // namespace

std::optional<double> quorum_latency_mean_ms(const QuorumCommit& commit) {
  if (!is_quorum_commit(commit)) return {};
  const CommitTail tail(commit);
  return is_constant(commit) ? tail.least() : tail.least() + tail.integral();
}

std::optional<double> quorum_latency_quantile_ms(const QuorumCommit& commit, double fraction) {
  if (!is_quorum_commit(commit) || !(fraction >= 0 && fraction < 1)) return {};
  const CommitTail tail(commit);
  if (is_constant(commit)) return tail.least();
  return quantile_of(tail, fraction, {.least = tail.least(), .scale = commit.jitter.mean_ms});
}

}  // namespace photon::analysis::theory
