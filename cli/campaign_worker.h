// The processes of a campaign. Each takes the number of the next run from a counter that all share,
// carries the run out and says on its pipe what became of it (campaigns/worker_message.h), until
// there is none left. Nothing else is shared: a run that kills its process kills no other.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/worker_message.h"
#include "cli/campaign_plan.h"
#include "cli/child_process.h"

namespace photonsim::cli {

// The numbers of runs, each handed out once, to whichever process asks first.
class RunCounter {
 public:
  RunCounter();
  RunCounter(const RunCounter&) = delete;
  RunCounter& operator=(const RunCounter&) = delete;
  ~RunCounter();

  bool usable() const { return next_ != nullptr; }
  std::uint64_t take() { return next_->fetch_add(1); }
  // Nobody gets another one.
  void close() { next_->store(std::numeric_limits<std::uint64_t>::max() / 2); }

 private:
  std::atomic<std::uint64_t>* next_ = nullptr;  // in memory that forked processes share
};

class CampaignWorker {
 public:
  // False if there is no process or no pipe to be had.
  bool start(const CampaignPlan& plan, RunCounter& counter);

  int pipe() const { return process_.pipe(); }  // -1: nothing more will come
  // Reads what has come and appends the whole messages. False when nothing more will come: then the
  // process must be reaped.
  bool take(std::vector<campaigns::WorkerMessage>& messages);
  // The run it has in hand, if any.
  std::optional<std::uint64_t> in_hand() const { return in_hand_; }

  void signal(int number) const { process_.signal(number); }
  // Waits for its end and says how it was if it was not a good one: "died of signal 9 (Killed)".
  std::string reap();

 private:
  ChildProcess process_;
  std::string said_{};  // read and not yet a whole message
  std::optional<std::uint64_t> in_hand_{};
  bool garbled_ = false;
};

}  // namespace photonsim::cli
