#include "cli/commands/version.h"

#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <generated/commit.h>
#include <generated/model_version.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core_impl/base/hash.h"
#include "scenarios/extensions/extensions.h"

namespace photonsim::cli {
namespace {

std::uint64_t hash_of(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream content;
  content << stream.rdbuf();
  if (!stream) throw std::runtime_error(std::string(file) + " cannot be read for the version");
  return photon::hash_bytes(std::as_bytes(std::span(content.view())));
}

// The system's libraries are not the model.
bool is_own(const std::string_view file) {
  return !file.empty() && file.find('/') != std::string_view::npos && !file.starts_with("/lib/") &&
         !file.starts_with("/lib64/") && !file.starts_with("/usr/lib/");
}

int add_library(dl_phdr_info* info, std::size_t /*size*/, void* sum) {
  if (!is_own(info->dlpi_name)) return 0;
  auto& hash = *static_cast<std::uint64_t*>(sum);
  hash = photon::combine(hash, hash_of(info->dlpi_name));
  return 0;
}

// Of this program and the libraries that come with it: a changed adapter is another model, and runs
// of the old one must not pass for it.
std::string version_of_executable() {
  // Without /proc, as in a bare chroot, the path by which it was started.
  const char* const link = "/proc/self/exe";
  const bool linked = access(link, R_OK) == 0;
  std::uint64_t hash = hash_of(linked ? link : reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
  dl_iterate_phdr(add_library, &hash);
  return fmt::format("{:016x}", hash);
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
