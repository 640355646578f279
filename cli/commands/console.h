// The output of a campaign on stderr; Ctrl-C is its stop request.
#pragma once

#include <optional>
#include <string>

#include "campaigns/runs/listener.h"
#include "cli/commands/progress.h"

namespace photonsim::cli {

class Console final : public campaigns::Listener {
 public:
  explicit Console(std::string what) : what_(std::move(what)) {}

  bool stop_requested() override { return interrupted(); }
  int stop_exit_code() override { return interrupt_exit_code(); }
  void on_progress(double share, const std::string& text) override;
  void on_note(const std::string& text) override;
  void on_problem(const std::string& text) override;
  void clear() { line_.reset(); }  // removes the progress line

 private:
  std::string what_;
  std::optional<ProgressLine> line_{};  // since the first report of progress
};

}  // namespace photonsim::cli
