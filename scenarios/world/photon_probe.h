// What faults ask about Photon's processes and messages.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/fault_scene.h"

namespace photonsim::scenarios {

class PhotonProbe final : public photon::sim::Probe {
 public:
  // True of caches alone: others keep nothing of worth in memory only, or a crash is the fault to
  // take.
  bool keeps_in_memory(const photon::Node& life) const override;
  // Of replies of the configuration group that hold a history (SPEC B-55).
  std::optional<std::uint64_t> version_in(const photon::Body& body) const override;
};

}  // namespace photonsim::scenarios
