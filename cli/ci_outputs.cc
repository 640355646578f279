#include "cli/ci_outputs.h"

#include "analysis/draft_file.h"
#include "cli/output.h"

namespace photonsim::cli {

void CiOutputs::annotate(const photon::analysis::CiReport& report) const {
  if (github) say(photon::analysis::github_annotations(report));
}

bool CiOutputs::write_file(const photon::analysis::CiReport& report) const {
  if (junit.empty()) return true;
  const auto written = photon::analysis::write_file(junit, photon::analysis::junit(report));
  if (!written) complain(written.assume_error().message());
  return written.has_value();
}

}  // namespace photonsim::cli
