// Ids that an oracle stopped judging, by the limit that it met (OnlineLimits): checks not made.
#pragma once

#include <cstdint>

namespace photon::analysis {

struct UndecidedIds {
  std::uint64_t configurations = 0;
  std::uint64_t steps = 0;
  std::uint64_t bytes = 0;

  std::uint64_t total() const { return configurations + steps + bytes; }
  UndecidedIds& operator+=(const UndecidedIds& other) {
    configurations += other.configurations;
    steps += other.steps;
    bytes += other.bytes;
    return *this;
  }
};

}  // namespace photon::analysis
