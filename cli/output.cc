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

void complain_of_inert(const photon::analysis::Summary& summary) {
  for (const std::string& each : summary.inert_faults) {
    complain("this fault had no effect: " + each +
             "; move it to where it can strike, or take it out (--set faults.outage=[] takes all "
             "outages out; crash, partition and random likewise)");
  }
  for (const std::string& each : summary.idle_operations) {
    complain("this operation did not end as it should: " + each +
             "; ask for what can be done, or state the end it is to have (expect = \"refused\", "
             "\"any\", ...)");
  }
  if (summary.undecided_ids > 0) complain(photon::analysis::checks_not_made(summary));
}

void keep_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    // The lowest free number is `stream`: those before it are open by now.
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace photonsim::cli
