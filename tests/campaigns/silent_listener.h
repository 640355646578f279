// A listener that keeps what it receives; its stop request is set by the test.
#pragma once

#include <string>
#include <vector>

#include "campaigns/runs/listener.h"

namespace photonsim::campaigns::testing {

class SilentListener final : public Listener {
 public:
  bool stop_requested() override { return stop; }
  void on_progress(double share, const std::string&) override { last_share = share; }
  void on_note(const std::string& text) override { notes.push_back(text); }
  void on_problem(const std::string& text) override { problems.push_back(text); }

  bool stop = false;
  double last_share = 0;
  std::vector<std::string> notes{};
  std::vector<std::string> problems{};
};

}  // namespace photonsim::campaigns::testing
