// A second process for the self-check. What was allocated lies elsewhere in it, and in another
// order, so that a run in which something depends on addresses is not the same there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/child_process.h"
#include "cli/self_check.h"

namespace photonsim::cli {

class ReplayProcess {
 public:
  // Does a run of which both processes know what is meant by its number.
  using Run = std::function<SeenRun(std::uint64_t run, const Watched& watched)>;

  explicit ReplayProcess(Run run) : run_(std::move(run)) {}
  ReplayProcess(const ReplayProcess&) = delete;
  ReplayProcess& operator=(const ReplayProcess&) = delete;
  ~ReplayProcess();

  // The run as it went there; the process is made when it is needed first, and made anew when it
  // died. If it dies of this run, that is what was seen of it (SeenRun::failed_check).
  SeenRun replay(std::uint64_t run, const Watched& watched);

 private:
  bool start();
  std::string end();  // how it was
  int live(int requests, int to) const;

  Run run_;
  ChildProcess process_;
  int requests_ = -1;  // where it reads what is wanted
};

// Moves what this process allocates from now on: to other addresses, and so that of two small
// things the one that was made later often lies in front of the other.
void scatter_allocations();

}  // namespace photonsim::cli
