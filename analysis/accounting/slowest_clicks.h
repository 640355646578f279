// Where the slowest clicks spent their time: for each bucket of the total latency (the histogram's,
// less than 1.6 % wide) how many clicks, and the sums of their stages. Memory grows with the
// buckets in use, not with the clicks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "core_impl/base/time.h"

namespace photon::analysis {

class SlowestClicks {
 public:
  static constexpr std::size_t kStages = 7;  // those of latency_collector.h without the total

  void add(Duration total, const std::array<Duration, kStages>& stages);

  struct Sums {
    std::uint64_t clicks = 0;
    Duration least{};                           // total latency from which on they count
    std::array<double, kStages> nanoseconds{};  // of each stage, over these clicks
  };
  // Of the clicks in the bucket of `latency` and above.
  Sums from(Duration latency) const;

 private:
  std::map<Duration, Sums> buckets_{};  // by the least latency of the bucket
};

}  // namespace photon::analysis
