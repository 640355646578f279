#include "cli/progress.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace photonsim::cli {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void note_interrupt(int /*signal*/) { interrupt_seen = 1; }

constexpr auto kRedraw = std::chrono::milliseconds(200);
constexpr auto kLine = std::chrono::seconds(10);

}  // namespace

void watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_seen != 0; }

ProgressReport::ProgressReport(std::string what)
    : what_(std::move(what)),
      began_(Clock::now()),
      last_(began_),
      terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressReport::~ProgressReport() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

scenarios::Wish ProgressReport::on_progress(const Progress& progress) {
  const auto now = Clock::now();
  const Clock::duration pause = terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLine);
  if (now - last_ >= pause) {
    last_ = now;
    print(progress, now);
  }
  return interrupted() ? scenarios::Wish::stop : scenarios::Wish::go_on;
}

void ProgressReport::print(const Progress& progress, Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const double share = std::min(1.0, progress.sim_seconds / progress.sim_seconds_planned);
  std::string line = fmt::format("{}: {:.0f} of {:.0f} s simulated, {} clicks, {:.1f} M events",
                                 what_, progress.sim_seconds, progress.sim_seconds_planned,
                                 progress.clicks, static_cast<double>(progress.events) / 1e6);
  if (share >= 1.0) {
    line += ", coming to rest";
  } else if (share > 0.02) {
    line += fmt::format(", about {:.0f} s left", elapsed / share - elapsed);
  }
  if (terminal_) {
    std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
}

}  // namespace photonsim::cli
