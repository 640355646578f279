// The latency of one joined click.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/time.h"

namespace photon::analysis {

struct JoinedLatency {
  SimTime at{};                // its first output record became durable
  Duration total{};            // since it was generated
  Duration own{};              // since click and query could be read where it was joined
  std::uint32_t pipeline = 0;  // that joined it; kNoIndex: a datacenter without one
  std::uint32_t zero = 0;      // no hidden padding: rows of a PackedTable

  SimTime generated_at() const { return at - total; }
};

// In the order of their outputs.
using JoinedLatencies = std::vector<JoinedLatency>;

}  // namespace photon::analysis
