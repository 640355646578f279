#include "cli/commands/version.h"

#include <fmt/format.h>
#include <generated/commit.h>
#include <generated/model_version.h>

namespace photonsim::cli {

// Alone includes the generated headers, which change with every source of the model and every
// commit.
std::string model_version() { return std::string(kModelVersion); }

std::string version_text() {
  return fmt::format("photonsim {} (commit {}, model {}, compiler {})", PHOTONSIM_VERSION, kCommit,
                     kModelVersion, PHOTONSIM_COMPILER);
}

}  // namespace photonsim::cli
