#include "analysis/evidence/describe.h"

#include <fmt/format.h>

#include "core_impl/base/time_text.h"

namespace photon::analysis {

std::string describe(SimTime at) { return in_seconds(at - SimTime{}); }

std::string describe(const EventId& id) {
  return fmt::format("{}:{}@{}", id.server, id.process,
                     describe(from_nanoseconds<SimTime>(nanoseconds_of(id.stamp))));
}

std::string describe(const Token& token) {
  if (token.is_empty()) return "(empty)";
  return fmt::format("{}.{}.{}", token.address, token.incarnation, token.sequence);
}

}  // namespace photon::analysis
