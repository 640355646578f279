// What faults may query about Photon's processes and messages.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/fault_scene.h"

namespace photonsim::scenarios {

class PhotonProbe final : public photon::sim::Probe {
 public:
  // True for caches only. For other processes use a crash: it loses their memory too.
  bool keeps_in_memory(const photon::Node& life) const override;
  // Of replies of the configuration group that hold a history (SPEC B-55).
  std::optional<std::uint64_t> version_in(const photon::Body& body) const override;
  // Topics: AnswersAbout. Versions: ballots, histories, incarnations.
  std::optional<photon::sim::Statement> statement_in(const photon::Body& body) const override;
};

}  // namespace photonsim::scenarios
