#include "cli/commands/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/exit_codes.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::cli {

namespace {

// Length of the harmless character at `at`: a line end, a tab, or printable UTF-8. 0 for what a
// terminal may interpret: controls below 0x20, DEL, the C1 controls, what turns the direction of
// text, and bytes that are not UTF-8.
std::size_t harmless(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == '\n' || byte == '\t') return 1;
  const bool control = byte < 0x20 || byte == 0x7F;
  return control || scenarios::turns_direction(text, at) ? 0 : scenarios::utf8_length(text, at);
}

}  // namespace

std::string terminal_safe(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = harmless(text, at);
    if (length > 0) {
      result += text.substr(at, length);
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    }
    at += std::max<std::size_t>(1, length);
  }
  return result;
}

int print_and_exit_with(std::string_view text, int code) {
  const std::string clean = terminal_safe(text);
  const bool written = std::fwrite(clean.data(), 1, clean.size(), stdout) == clean.size();
  if (written && std::fflush(stdout) == 0) return code;
  if (errno == EPIPE) return kClosedPipe;  // the reader has closed it: not an error
  complain(std::string("standard output cannot be written: ") + std::strerror(errno) +
           "; free space or choose another target");
  return kEnvironment;
}

void say(std::string_view text) {
  const std::string clean = terminal_safe(text);
  std::fwrite(clean.data(), 1, clean.size(), stderr);
  std::fflush(stderr);
}

void complain(std::string_view text) { say("photonsim: error: " + std::string(text) + "\n"); }

void warn(const std::vector<std::string>& texts) {
  for (const std::string& each : texts)
    say("photonsim: warning: " + scenarios::printable(each) + "\n");
}

void complain_of(const photon::models::InputFaults& faults) {
  for (const std::string& each : faults.texts()) complain(scenarios::printable(each));
}

void keep_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    // The lowest free number is `stream`: all lower ones are open by now.
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace photonsim::cli
