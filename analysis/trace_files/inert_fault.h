// Faults without effect, in summaries and traces.
#pragma once

#include <string>

namespace photon::analysis {

// A fault that a scenario states and that had no effect.
struct InertFault {
  std::string key{};   // that states it: "faults.crash", "operations.kill_master", "network.loss"
  std::string text{};  // kind, target, time

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.key, self.text);
  }
  bool operator==(const InertFault&) const = default;
};

}  // namespace photon::analysis
