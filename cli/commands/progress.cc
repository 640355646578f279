#include "cli/commands/progress.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"

namespace photonsim::cli {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void note_interrupt(int signal) {
  if (interrupt_seen == 0) interrupt_seen = signal;
}

constexpr auto kRedraw = std::chrono::milliseconds(200);
constexpr auto kLine = std::chrono::seconds(10);

// An estimate: whole seconds, minutes or hours.
std::string time_left(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

void watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // Keeps SIGHUP ignored if it is (nohup).
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() { return interrupt_seen != 0; }

int interrupt_exit_code() {
  constexpr int kBySignal = 128;  // as shells count
  return interrupted() ? kBySignal + interrupt_seen : kInterrupted;
}

bool may_draw_on_stderr() {
  const char* const no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  const std::string_view kind = terminal == nullptr ? std::string_view() : terminal;
  const bool dumb = kind.empty() || kind == "dumb";
  return !dumb && isatty(STDERR_FILENO) != 0;
}

ProgressLine::ProgressLine(std::string what)
    : what_(terminal_safe(what)),
      began_(Clock::now()),
      last_(began_),
      terminal_(may_draw_on_stderr()) {}

ProgressLine::~ProgressLine() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

bool ProgressLine::due() {
  const auto now = Clock::now();
  const Clock::duration pause = terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLine);
  if (now - last_ < pause) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(double share, const std::string& text, const std::string& finish) {
  const double elapsed = std::chrono::duration<double>(last_ - began_).count();
  std::string line = what_ + ": " + text;
  if (share >= 1.0) {
    line += ", " + finish;
  } else if (share > 0.02) {
    line += ", about " + time_left(elapsed / share - elapsed) + " left";
  }
  if (terminal_) {
    std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  std::fflush(stderr);
}

scenarios::StopRequest ProgressReport::on_progress(const Progress& progress) {
  if (line_.due()) {
    line_.show(progress.share,
               fmt::format("{:.0f} of {:.0f} s simulated, {} clicks, {:.1f} M events",
                           progress.sim_seconds, progress.sim_seconds_planned, progress.clicks,
                           static_cast<double>(progress.events) / 1e6),
               "draining");
  }
  return interrupted() ? scenarios::StopRequest::stop : scenarios::StopRequest::go_on;
}

void ReplayProgress::record(const photon::trace::Record& record) {
  sink_.record(record);
  // Reading the clock costs as much as a record.
  constexpr std::uint64_t kBetweenLooks = 4096;
  if (++read_ % kBetweenLooks != 0 || !line_.due()) return;
  constexpr double kMegabyte = 1e6;
  constexpr auto kSize = static_cast<double>(sizeof(photon::trace::Record));
  line_.show(static_cast<double>(read_) / static_cast<double>(records_),
             fmt::format("{:.0f} of {:.0f} MB read, {:.1f} M records",
                         static_cast<double>(read_) * kSize / kMegabyte,
                         static_cast<double>(records_) * kSize / kMegabyte,
                         static_cast<double>(read_) / 1e6),
             "judging the end");
}

}  // namespace photonsim::cli
