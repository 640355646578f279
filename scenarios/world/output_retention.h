// How long joined records stay in the cells (cell.keep_output).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "scenarios/config/config.h"
#include "sim/environment.h"
#include "sim/volumes.h"

namespace photonsim::scenarios {

// Removes joined records from the cells between `keep` and twice `keep` after they were written, as
// if their readers had taken them (cell.keep_output).
class OutputRetention final : public photon::sim::EnvironmentActor {
 public:
  OutputRetention(photon::sim::Volumes& volumes, std::vector<photon::VolumeId> cells, Duration keep)
      : volumes_(volumes), cells_(std::move(cells)), keep_(keep) {}

  void on_start(photon::sim::Environment& environment) override;
  void on_wake(photon::sim::Environment& environment, std::uint64_t argument) override;

 private:
  photon::sim::Volumes& volumes_;
  std::vector<photon::VolumeId> cells_;
  Duration keep_;
  // The length of each file at the last check.
  std::map<std::pair<photon::VolumeId, photon::FileName>, std::uint64_t> before_;
};

}  // namespace photonsim::scenarios
