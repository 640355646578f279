// Which faults hold a process down, and which of them had an effect on it.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/time.h"

namespace photon::sim {

// The faults that hold one process down, and which of them keeps it down.
//
// One fault at a time is the keeper: first the one that killed the process. When the keeper lets
// go, the next keeper is the one that lasts longest of those that then hold the process. So every
// keeper but the first lengthened the downtime; any other fault could be removed without
// shortening it.
class Downtime {
 public:
  enum class Arrival : std::uint8_t { killed, found_down };

  void hold(std::uint32_t fault, Arrival arrival);
  // Requires that `fault` holds. True if it kept the process down for some time after an earlier
  // keeper had let go.
  bool let_go(std::uint32_t fault, SimTime now);
  bool over() const { return holds_.empty(); }

 private:
  // The successor is known once all other candidates have let go.
  enum class Role : std::uint8_t { keeper, candidate, other };
  struct Hold {
    std::uint32_t fault = 0;
    Role role = Role::other;
  };

  std::vector<Hold> holds_;
  SimTime kept_until_{};  // when the last keeper let go
};

}  // namespace photon::sim
