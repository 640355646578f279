// What a message says about shared state: about which, and as of which version. The system under
// test defines topics and keys; a Probe reads them (fault_scene.h).
#pragma once

#include <cstdint>
#include <optional>

namespace photon::sim {

struct Statement {
  std::uint32_t topic = 0;                 // the kind of state
  std::uint32_t key = 0;                   // which of that kind
  std::optional<std::uint64_t> version{};  // grows with each change; none: as it is now
  bool answers = false;                    // it answers a request
};

}  // namespace photon::sim
