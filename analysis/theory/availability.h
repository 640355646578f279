// How often, and for how long, a group of replicas has no majority (SPEC G-01, G-20).
//
// A birth-death Markov chain over the number of failed replicas: each of the others fails with rate
// 1 / MTTF, and min(failed, repairers) are being repaired, each with rate 1 / MTTR. Source: K. S.
// Trivedi, Probability and Statistics with Reliability, Queuing, and Computer Science Applications,
// 2nd ed. (2002), sections 8.2 and 8.5. All sums are of positive terms, so a probability of 1e-30
// has all its digits.
//
// Assumptions: failures are independent (a lost region, which takes two replicas of 2-2-1 at once,
// is not), and continue while there is no quorum. The time of an election is not counted.
#pragma once

#include <cstdint>
#include <optional>

namespace photon::analysis::theory {

struct ReplicaGroup {
  std::uint32_t replicas = 0;  // 2f + 1; an even number tolerates as many failures as one less
  double mean_time_to_failure_seconds = 0;  // of one replica
  double mean_time_to_repair_seconds = 0;   // of one replica, once a repairer is at it
  std::uint32_t repairers = 0;              // `replicas` or more: no repair waits
};

inline constexpr double kSecondsPerYear = 365.25 * 24 * 3600;

struct QuorumAvailability {
  double available_fraction = 0;    // of the time, a majority is up
  double unavailable_fraction = 0;  // the rest, computed for itself
  double outages_per_year = 0;      // how often the majority is lost
  double outage_mean_seconds = 0;
  double seconds_to_first_outage = 0;  // mean, from a start with all replicas up
};

// Every group with positive times has a steady state. Nothing without replicas or repairers, and
// for a time that is not finite and positive.
std::optional<QuorumAvailability> quorum_availability(const ReplicaGroup& group);

}  // namespace photon::analysis::theory
