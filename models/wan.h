// Wide-area delays from a matrix of measured round trips.
//
// One way = half the measured minimum round trip + an exponential jitter. The minimum is the floor
// because it is the cost of propagation alone; jitter adds the cost of queues. Assumption: paths
// are symmetric (the measured asymmetry of these pairs is below 0.2 ms).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ports.h"

namespace photon::models {

// One pair of a published measurement; the pair is unordered, the matrix symmetric.
struct MeasuredRoundTrip {
  std::string_view from;
  std::string_view to;
  Duration round_trip;
};

// Five US regions of a public cloud, one hour of pings, 2020; minimum over the hour.
// Source: fantoch repository, latency_gcp (Apache-2.0 or MIT); see docs/DATA.md.
std::span<const MeasuredRoundTrip> gcp_us_2020();

class WanModel final : public sim::DelayModel {
 public:
  struct Options {
    Duration intra_datacenter{std::chrono::microseconds(500)};  // round trip inside one datacenter
    Duration jitter_mean{std::chrono::microseconds(200)};       // exponential, added one way
  };

  WanModel(std::size_t datacenters, const Options& options);

  // Sets both directions. Requires round_trip > 0 and known datacenters.
  void set_round_trip(DatacenterId from, DatacenterId to, Duration round_trip);

  Duration one_way(DatacenterId from, DatacenterId to, std::uint64_t word) const override;
  Duration least(DatacenterId from, DatacenterId to) const override;
  Duration most(DatacenterId from, DatacenterId to) const override;

 private:
  std::size_t cell(DatacenterId from, DatacenterId to) const;

  std::size_t datacenters_;
  Duration jitter_mean_;
  std::vector<Duration> floor_;  // one way, row = from
};

}  // namespace photon::models
