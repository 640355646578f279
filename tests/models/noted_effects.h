// The faults that models report, in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/fault_effects.h"

namespace photon::models::testing {

class NotedEffects final : public sim::FaultEffects {
 public:
  void took_effect(std::uint32_t fault) override { faults.push_back(fault); }
  bool had_effect(std::uint32_t fault) const override {
    return std::ranges::find(faults, fault) != faults.end();
  }
  std::vector<std::uint32_t> faults{};
};

}  // namespace photon::models::testing
