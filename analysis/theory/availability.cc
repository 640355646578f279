#include "analysis/theory/availability.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/theory/duration_domain.h"

namespace photon::analysis::theory {
namespace {

// Rates out of the state with `failed` failed replicas.
class FailureChain {
 public:
  explicit FailureChain(const ReplicaGroup& group) : group_(group) {}

  double failures_per_second(std::uint32_t failed) const {
    return (group_.replicas - failed) / group_.mean_time_to_failure_seconds;
  }
  double repairs_per_second(std::uint32_t failed) const {
    return std::min(failed, group_.repairers) / group_.mean_time_to_repair_seconds;
  }
  std::uint32_t failed_max() const { return group_.replicas; }
  std::uint32_t tolerated() const { return (group_.replicas - 1) / 2; }

 private:
  const ReplicaGroup& group_;
};

// Detailed balance; by logarithms, so that no ratio of the two times overflows.
std::vector<double> steady_state(const FailureChain& chain) {
  std::vector<double> states(chain.failed_max() + std::size_t{1}, 0.0);
  for (std::uint32_t failed = 1; failed <= chain.failed_max(); ++failed) {
    states[failed] = states[failed - 1] + std::log(chain.failures_per_second(failed - 1)) -
                     std::log(chain.repairs_per_second(failed));
  }
  const double highest = *std::ranges::max_element(states);
  double sum = 0;
  for (double& state : states) sum += state = std::exp(state - highest);
  for (double& state : states) state /= sum;
  return states;
}

// First passage, one state at a time: from k failed to k + 1 the mean is 1 / l(k) and, as often as
// a repair comes first, the way up again.
double seconds_to_first_outage(const FailureChain& chain) {
  double one_up = 0;
  double sum = 0;
  for (std::uint32_t failed = 0; failed <= chain.tolerated(); ++failed) {
    const double failures = chain.failures_per_second(failed);
    one_up = (1 + chain.repairs_per_second(failed) * one_up) / failures;
    sum += one_up;
  }
  return sum;
}

// The same downwards, from one failure more than tolerated.
double outage_seconds(const FailureChain& chain) {
  double one_down = 0;
  for (std::uint32_t failed = chain.failed_max(); failed > chain.tolerated(); --failed) {
    const double repairs = chain.repairs_per_second(failed);
    one_down = (1 + chain.failures_per_second(failed) * one_down) / repairs;
  }
  return one_down;
}

}  // namespace

std::optional<QuorumAvailability> quorum_availability(const ReplicaGroup& group) {
  if (group.replicas == 0 || group.repairers == 0) return {};
  if (!is_positive_duration(group.mean_time_to_failure_seconds)) return {};
  if (!is_positive_duration(group.mean_time_to_repair_seconds)) return {};
  const FailureChain chain(group);
  const std::vector<double> states = steady_state(chain);
  QuorumAvailability result;
  for (std::uint32_t failed = 0; failed <= group.replicas; ++failed) {
    (failed <= chain.tolerated() ? result.available_fraction : result.unavailable_fraction) +=
        states[failed];
  }
  result.outages_per_year =
      states[chain.tolerated()] * chain.failures_per_second(chain.tolerated()) * kSecondsPerYear;
  result.outage_mean_seconds = outage_seconds(chain);
  result.seconds_to_first_outage = seconds_to_first_outage(chain);
  return result;
}

}  // namespace photon::analysis::theory
