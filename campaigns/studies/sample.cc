#include "campaigns/studies/sample.h"

#include "analysis/sensitivity/designs.h"
#include "analysis/sensitivity/morris.h"
#include "analysis/sensitivity/saltelli.h"

namespace photonsim::campaigns {

std::string_view name_of(DesignKind kind) {
  switch (kind) {
    case DesignKind::latin_hypercube:
      return "lhs";
    case DesignKind::sobol:
      return "sobol";
    case DesignKind::morris:
      return "morris";
    case DesignKind::saltelli:
      return "saltelli";
  }
  return {};
}

std::uint64_t Sample::rows() const {
  switch (kind) {
    case DesignKind::morris:
      return size * (factors.size() + 1);
    case DesignKind::saltelli:
      return size * (factors.size() + 2);
    default:
      return size;
  }
}

std::vector<std::vector<double>> rows_of(const Sample& sample) {
  namespace analysis = photon::analysis;
  const std::size_t factors = sample.factors.size();
  switch (sample.kind) {
    case DesignKind::latin_hypercube:
      return analysis::latin_hypercube(sample.size, factors, sample.seed);
    case DesignKind::sobol:
      return analysis::sobol_points(sample.size, factors, sample.seed);
    case DesignKind::morris:
      return analysis::morris_rows(sample.size, factors, sample.levels, sample.seed);
    case DesignKind::saltelli:
      return analysis::saltelli_rows(analysis::independent_sobol_points(
          kSaltelliDesigns, sample.size / kSaltelliDesigns, 2 * factors, sample.seed));
  }
  return {};
}

}  // namespace photonsim::campaigns
