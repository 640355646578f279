// Progress of a run on stderr: redrawn on a terminal, a line every ten seconds otherwise.
//
// Also where Ctrl-C is noticed: the first one asks the run to stop at its next report.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "scenarios/world/runner.h"

namespace photonsim::cli {

class ProgressReport final : public scenarios::RunObserver {
 public:
  explicit ProgressReport(std::string what);
  ~ProgressReport() override;  // clears the line

  scenarios::Wish on_progress(const Progress& progress) override;

 private:
  using Clock = std::chrono::steady_clock;
  void print(const Progress& progress, Clock::time_point now);

  std::string what_;
  Clock::time_point began_;
  Clock::time_point last_;
  bool terminal_;
  bool drawn_ = false;
};

// Installs the handler of SIGINT and SIGTERM; true once one of them has come.
void watch_interrupts();
bool interrupted();

}  // namespace photonsim::cli
