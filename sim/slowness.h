// Datacenters in which everything takes longer for a while: steps of processes, requests to
// volumes, messages that leave. Of several faults the greatest factor counts.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "sim/fault_effects.h"

namespace photon::sim {

// `usual` times permille / 1000, without overflow for any time of a run.
constexpr Duration times_permille(Duration usual, std::uint64_t permille) {
  const auto factor = static_cast<std::int64_t>(permille);
  return usual / 1000 * factor + usual % 1000 * factor / 1000;
}

class Slowness {
 public:
  // `permille`: 10,000 is ten times as long; at least 1,000.
  void add(std::uint32_t fault, DatacenterId where, std::uint64_t permille);
  void remove(std::uint32_t fault);

  bool any() const { return !slow_.empty(); }

  // The duration there of what takes `usual` elsewhere, and the fault that causes it, if there
  // is one.
  struct Stretched {
    Duration takes{};
    std::uint32_t fault = kNoFault;
  };
  Stretched stretch(DatacenterId where, Duration usual) const {
    return slow_.empty() ? Stretched{usual} : stretched(where, usual);
  }

 private:
  struct Slow {
    std::uint32_t fault = 0;
    DatacenterId where{};
    std::uint64_t permille = 1000;
  };
  Stretched stretched(DatacenterId where, Duration usual) const;

  std::vector<Slow> slow_;
};

}  // namespace photon::sim
