// Keys of [scale].
#pragma once

#include <cstdint>

namespace photonsim::scenarios {

// What a small run stands for (SPEC G-00e): the rates of a shard and of a joiner are those of the
// deployment, their number is smaller. 0 and 1: the run is the deployment.
struct Scale {
  std::uint64_t shards_of{0};
  std::uint64_t joiners_of{0};  // of all pipelines
  std::uint64_t time{1};        // one simulated day stands for N days of the deployment
  bool operator==(const Scale&) const = default;
};

}  // namespace photonsim::scenarios
