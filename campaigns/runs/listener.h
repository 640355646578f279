// Progress, notes and stop requests between a campaign and its caller.
#pragma once

#include <string>

#include "campaigns/runs/exit_codes.h"

namespace photonsim::campaigns {

class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  // A stop request: polled several times a second; work under way ends soon after it.
  virtual bool stop_requested() = 0;
  // The exit code of a campaign that the request stopped.
  virtual int stop_exit_code() { return kInterrupted; }
  // `share` of the work is done (0 to 1), or of its time is over. Called several times a second.
  virtual void on_progress(double share, const std::string& text) = 0;
  // One line of text, without newline.
  virtual void on_note(const std::string& text) = 0;
  virtual void on_problem(const std::string& text) = 0;
};

}  // namespace photonsim::campaigns
