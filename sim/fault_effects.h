// The interface by which network and volumes report that a configured fault took effect (DESIGN 6).
#pragma once

#include <cstdint>

namespace photon::sim {

inline constexpr std::uint32_t kNoFault = 0xffffffffU;

class FaultEffects {
 public:
  FaultEffects() = default;
  FaultEffects(const FaultEffects&) = delete;
  FaultEffects& operator=(const FaultEffects&) = delete;
  virtual ~FaultEffects() = default;
  virtual void took_effect(std::uint32_t fault) = 0;
  // If so, the fault need not be tracked any more.
  virtual bool had_effect(std::uint32_t fault) const = 0;
};

}  // namespace photon::sim
