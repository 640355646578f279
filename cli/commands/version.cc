#include "cli/commands/version.h"

#include <fstream>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <generated/commit.h>
#include <generated/model_version.h>

#include "core_impl/base/hash.h"
#include "scenarios/extensions/extensions.h"

namespace photonsim::cli {
namespace {

// Of this program with all that it brings: a changed adapter is another model, and runs of the old
// one must not pass for it.
std::string version_of_executable() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return fmt::format("{:016x}", photon::hash_bytes(std::as_bytes(std::span(content))));
}

}  // namespace

// Alone includes the generated headers, which change with every source of the model and every
// commit.
std::string model_version() {
  const scenarios::Extensions& own = scenarios::installed_extensions();
  if (!own.adapter && !own.joiner) return std::string(kModelVersion);
  static const std::string version = version_of_executable();
  return version;
}

std::string version_text() {
  return fmt::format("photonsim {} (commit {}, model {}, compiler {})", PHOTONSIM_VERSION, kCommit,
                     model_version(), PHOTONSIM_COMPILER);
}

}  // namespace photonsim::cli
