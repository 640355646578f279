// Progress of a verb on stderr: redrawn on a terminal; a line every ten seconds otherwise, and on
// terminals without escape sequences (TERM=dumb, NO_COLOR).
//
// Also handles Ctrl-C: the first one asks the run to stop at its next report.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core_impl/trace/record.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {

// One line: the activity, the progress, and the time left.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();  // clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether the next line is due; then it must be shown.
  bool due();
  // `share` of the work is done, 1 at the end; then `finish` replaces the time left.
  void show(double share, const std::string& text, const std::string& finish);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  Clock::time_point began_;
  Clock::time_point last_;
  bool terminal_;  // the line is redrawn in its place
  bool drawn_ = false;
};

class ProgressReport : public scenarios::RunObserver {
 public:
  explicit ProgressReport(std::string what) : line_(std::move(what)) {}
  scenarios::StopRequest on_progress(const Progress& progress) override;

 private:
  ProgressLine line_;
};

// Forwards every record and reports how much of the trace has been read.
class ReplayProgress final : public photon::trace::Sink {
 public:
  ReplayProgress(std::string what, photon::trace::Sink& sink, std::uint64_t records)
      : line_(std::move(what)), sink_(sink), records_(records) {}
  void record(const photon::trace::Record& record) override;

 private:
  ProgressLine line_;
  photon::trace::Sink& sink_;
  std::uint64_t records_;
  std::uint64_t read_ = 0;
};

// Installs the handler of SIGINT, SIGTERM and, unless it is ignored, SIGHUP. interrupted() is true
// after the first of these signals.
void watch_interrupts();
bool interrupted();
// 128 plus the number of the first of these signals; kInterrupted if there was none.
int interrupt_exit_code();

// True if stderr is a terminal on which escape sequences may be written.
bool may_draw_on_stderr();

}  // namespace photonsim::cli
