#include "cli/huge_pages.h"

#include <array>
#include <climits>
#include <cstdlib>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace photonsim::cli {
namespace {

constexpr const char* kVariable = "GLIBC_TUNABLES";
constexpr std::string_view kOfMemory = "glibc.malloc.";
constexpr std::string_view kTunables =
    "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:"
    "glibc.malloc.trim_threshold=4294967296";

// Under a loader that was called by name, the process's file is the loader.
bool is_this_program(const char* file) {
  const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  struct stat of_file {};
  struct stat of_started {};
  return started != nullptr && ::stat(file, &of_file) == 0 && ::stat(started, &of_started) == 0 &&
         of_file.st_dev == of_started.st_dev && of_file.st_ino == of_started.st_ino;
}

}  // namespace

std::optional<std::string> huge_page_tunables(std::string_view present) {
  if (present.find(kOfMemory) != std::string_view::npos) return std::nullopt;
  std::string tunables(present);
  if (!tunables.empty()) tunables += ':';
  return tunables.append(kTunables);
}

void restart_with_huge_pages(char** argv) {
  const char* const present = std::getenv(kVariable);
  const auto tunables = huge_page_tunables(present == nullptr ? "" : present);
  if (!tunables) return;
  std::array<char, PATH_MAX> program{};
  if (::readlink("/proc/self/exe", program.data(), program.size() - 1) <= 0) return;
  if (!is_this_program(program.data())) return;
  if (::setenv(kVariable, tunables->c_str(), 1) != 0) return;
  ::execv(program.data(), argv);
  // It could not be started again: this one goes on as it is.
}

}  // namespace photonsim::cli
