// How much of each limit a deployment will use, by queueing theory: before any run.
//
// First-order: mean rates and latencies without faults, and no repetitions. A limit that stands
// above 1 cannot keep up with its load; one below 1 may still be exceeded in bursts.
//
// Look-ups of a pipeline share batches with inserts or not: in a burst of a scan they come alone,
// and a batch without an insert needs no commit; under overload they mix, and wait for the commit
// of their batch. Measured runs lie between.
//
// Pipelines that ask before they join share the clicks; where clicks wait in a queue, all ask
// before one has registered, and all join. Measured runs lie between here too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// Whose load has a range, and why: the registry's by look-ups that share batches, a pipeline's by
// pipelines that join the same clicks.
enum class UsedBy : std::uint8_t { registry, pipeline };

struct PredictedUse {
  UsedBy by = UsedBy::registry;
  std::string name{};      // of the limit, as the scenario key; or "processor"
  std::string where{};     // "each shard", "each dispatcher in us-west1", ...
  std::string key{};       // that states the limit, or the cost of a processor's work
  std::string remedy{};    // "raise registry.max_queue"
  double utilisation = 0;  // share of the limit, at least
  // And at most: where look-ups share batches, or all pipelines join all clicks.
  double utilisation_most = 0;
  // Clicks (or operations) a second of the whole deployment with which `utilisation` is 1; nothing
  // if it is 0 at any load.
  std::optional<double> capacity_per_second{};
  double peak = 1;  // the greatest load over the mean one; both shares are at the peak

  bool cannot_keep_up() const { return utilisation >= peak; }
  bool cannot_at_its_peak() const { return utilisation >= 1 && !cannot_keep_up(); }
  bool may_not_keep_up() const { return utilisation_most >= 1 && utilisation < 1; }
};

// The load in clicks, or operations of a registry-only load, a second, those of contested ids and
// repetitions included; 0: not known before the run (a replayed log).
double offered_per_second(const Config& config);

// Limits that cannot keep up first, then the most used by `utilisation_most`. Empty if the load is
// not known.
std::vector<PredictedUse> predicted_use(const Config& config);

}  // namespace photonsim::scenarios
