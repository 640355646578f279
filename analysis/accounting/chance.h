// Could a pipeline have joined a click (SPEC J.2)?
#pragma once

#include <cstdint>

#include "analysis/evidence/evidence.h"

namespace photon::analysis {

enum class Chance : std::uint8_t {
  good,
  borderline,  // readable within the slack before or after the last moment
  too_old,     // readable only when the click was older than N
  unjoinable,  // readable only when the click could have been given up
  never,       // not readable
  lost,        // damaged in the pipeline's copy
};
Chance chance_at(const Evidence& evidence, std::uint32_t index, std::uint32_t pipeline);

}  // namespace photon::analysis
