#include "analysis/oracles/violation.h"

#include <fmt/format.h>

#include "core_impl/base/time_text.h"

namespace photon::analysis {

void ViolationLog::add(Violation violation) {
  ++total_;
  if (violation.severity == Severity::liveness) ++liveness_;
  auto known = counts_.find(violation.oracle);
  if (known == counts_.end()) known = counts_.emplace(violation.oracle, 0).first;
  if (++known->second <= kKeptPerOracle) kept_.push_back(std::move(violation));
}

std::uint64_t ViolationLog::total(Severity severity) const {
  return severity == Severity::liveness ? liveness_ : total_ - liveness_;
}

std::uint64_t ViolationLog::count(std::string_view oracle) const {
  const auto known = counts_.find(oracle);
  return known == counts_.end() ? 0 : known->second;
}

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
