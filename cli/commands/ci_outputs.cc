#include "cli/commands/ci_outputs.h"

#include <filesystem>
#include <system_error>

#include "analysis/trace_files/draft_file.h"
#include "cli/commands/output.h"

namespace photonsim::cli {

void CiOutputs::annotate(const campaigns::CiReport& report) const {
  if (github) say(campaigns::github_annotations(report));
}

bool CiOutputs::can_write_file() const {
  // Does not try a pipe: opening it would start the reader.
  std::error_code ignored;
  if (junit.empty() || std::filesystem::is_fifo(junit, ignored)) return true;
  const auto draft = photon::analysis::DraftFile::create(junit);
  if (!draft) complain(draft.assume_error().message());
  return draft.has_value();
}

bool CiOutputs::write_file(const campaigns::CiReport& report) const {
  if (junit.empty()) return true;
  const auto written = photon::analysis::write_file(junit, campaigns::junit(report));
  if (!written) complain(written.assume_error().message());
  return written.has_value();
}

}  // namespace photonsim::cli
