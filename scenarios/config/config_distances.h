// Round trips between the datacenters of a scenario, without jitter.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// The scenario must outlive it.
class RoundTrips {
 public:
  explicit RoundTrips(const Config& config);

  // Zero for a pair without a measured or stated round trip, such as a datacenter and itself.
  [[nodiscard]] Duration between(std::string_view from, std::string_view to) const;

  // How long a master in that datacenter waits for its quorum: the f-th smallest round trip to
  // another replica (SPEC G-03). Disks are not counted.
  [[nodiscard]] Duration quorum_delay(std::string_view master) const;

  // The index of the replica with the smallest quorum_delay, the first of equals. Masters are there
  // with registry.master_placement = "nearest". Requires a replica.
  [[nodiscard]] std::size_t nearest_replica() const;

 private:
  void set(std::string_view from, std::string_view to, Duration round_trip);

  const Config& config_;
  std::map<std::string_view, std::size_t> numbers_{};  // of the datacenters
  std::vector<Duration> matrix_{};                     // by two of these
};

}  // namespace photonsim::scenarios
