// The ranks of a cluster, as rank 0 sees them. Rank 0 gives each of them one run at a time, whose
// scenario it sends whole, and takes the results; it alone knows the campaign and writes the
// results file. A rank executes its run in child processes of its own, as one machine does
// (rank_service.h), so limits, crashes and determinism checks are the same.
//
// A rank that dies, or whose machine does, ends its connection: its run goes to another rank. So
// does that of a rank that hangs: while it has a run it sends signs of life.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "campaigns/pool/run_slot.h"

namespace photonsim::campaigns {

class Cluster {
 public:
  // A connected socket, which the cluster closes.
  struct Connection {
    int channel = -1;
    int rank = 0;
    std::string host{};
  };

  explicit Cluster(std::vector<Connection> connections);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();  // the ranks end

  std::size_t ranks() const;  // that are left, without rank 0
  // One for each rank that is left. `limits` and the cluster must outlive them. A run that
  // is cut off ends its rank.
  std::vector<std::unique_ptr<RunSlot>> slots(const PoolLimits& limits);

 private:
  class RemoteSlot;
  class Rank;

  std::vector<std::unique_ptr<Rank>> ranks_{};
};

}  // namespace photonsim::campaigns
