#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/exit_codes.h"

namespace photonsim::cli {

int print_and_exit_with(std::string_view text, int code) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return code;
  complain(std::string("standard output cannot be written: ") + std::strerror(errno) +
           "; free space or choose another target");
  return kEnvironment;
}

void complain(std::string_view text) {
  std::fprintf(stderr, "photonsim: error: %.*s\n", static_cast<int>(text.size()), text.data());
}

void complain_of_inert(const std::vector<std::string>& faults) {
  for (const std::string& each : faults) {
    complain("this fault had no effect: " + each +
             "; move it to where it can bite, or take it out of the scenario");
  }
}

}  // namespace photonsim::cli
