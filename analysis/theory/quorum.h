// How long a leader waits for a majority: an order statistic of its followers' round trips.
//
// With 2f + 1 replicas a slot is chosen by the leader and f followers, so a commit takes the f-th
// smallest of the 2f round trips (SPEC G-03). With jitter, the round trips are independent and
// differently distributed; the commit is longer than t if fewer than f of them are at most t, which
// is a Poisson-binomial probability (H. A. David and H. N. Nagaraja, Order Statistics, 3rd ed.
// (2003), section 5.2). Means by numeric integration of that tail.
//
// Assumptions: the leader's own vote is not the last; times of disks and threads, which G-03 adds,
// are part of the round trips or added by the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace photon::analysis::theory {

enum class JitterKind : std::uint8_t {
  none,
  exponential,
  exponential_each_way,  // the sum of two, each with half of the mean: what models/wan.h draws
  lognormal,
};

// What a round trip takes beyond its least time; independent for each follower.
struct Jitter {
  JitterKind kind = JitterKind::none;
  double mean_ms = 0;
  double sigma = 0;  // lognormal: standard deviation of the logarithm, > 0
};

struct QuorumCommit {
  std::vector<double> round_trips_ms{};  // least time to each follower that is up; any order
  std::uint32_t acknowledgements = 0;    // needed besides the leader's own vote
  Jitter jitter{};
};

// f of a group of `replicas`: a majority without the leader.
constexpr std::uint32_t acknowledgements_needed(std::uint32_t replicas) { return replicas / 2; }

// Each returns nothing when no quorum answers (fewer followers than acknowledgements), for a time
// or a sigma that is negative or not finite, a lognormal without a sigma, and a fraction outside
// [0, 1). Without needed acknowledgements, 0.
std::optional<double> quorum_latency_mean_ms(const QuorumCommit& commit);
std::optional<double> quorum_latency_quantile_ms(const QuorumCommit& commit, double fraction);

}  // namespace photon::analysis::theory
