// Which marks are hit in which second of a run.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core_impl/base/mark.h"
#include "scenarios/world/runner.h"

namespace photonsim::scenarios {

class Moments {
 public:
  // After each part of a second: what has been hit since the start.
  void note(std::int64_t second, const photon::MarkCounts& counts);
  std::vector<Moment> take() { return std::move(all_); }

 private:
  photon::MarkHits last_{};
  std::vector<Moment> all_{};
};

}  // namespace photonsim::scenarios
