#include "analysis/oracles/violation.h"

#include <utility>

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

}  // namespace photon::analysis
