#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "cli/exit_codes.h"

namespace photonsim::cli {

int print_and_exit_with(std::string_view text, int code) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return code;
  complain(std::string("standard output cannot be written: ") + std::strerror(errno) +
           "; free space or choose another target");
  return kEnvironment;
}

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void complain(std::string_view text) { say("photonsim: error: " + std::string(text) + "\n"); }

void keep_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    // The lowest free number is `stream`: those before it are open by now.
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace photonsim::cli
