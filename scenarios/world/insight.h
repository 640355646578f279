// What the simulator's faults must ask about Photon's processes and messages.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/fault_scene.h"

namespace photonsim::scenarios {

class PhotonInsight final : public photon::sim::Insight {
 public:
  // Of caches alone: nothing else of worth is in memory only, or a crash is the fault to take.
  bool keeps_anything(const photon::Node& life) const override;
  // Replies of the configuration group that have a history to tell (SPEC B-55).
  std::optional<std::uint64_t> configuration_told(const photon::Body& body) const override;
};

}  // namespace photonsim::scenarios
