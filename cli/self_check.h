// Whether a run is the same twice (SPEC J-S17), and where it parts from itself if it is not.
//
// It is done again in another process, in which things lie at other addresses (replay_process.h):
// an order that comes from addresses may be the same as often as one process does the run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::cli {

// The events to be noted down, if any.
using Watched = std::optional<scenarios::WatchedRange>;

// What is compared of a run: events, their fingerprint, and what the judge made of them.
struct SeenRun {
  struct Point {  // as analysis::Checkpoint
    std::uint64_t events = 0;
    std::string fingerprint{};

    template <class Self, class Visitor>
    static void each_field(Self& self, Visitor&& visit) {
      visit(self.events, self.fingerprint);
    }
  };

  std::uint64_t events = 0;
  std::string fingerprint{};
  std::string summary{};  // the whole report, as JSON
  std::string failed_check{};
  std::vector<Point> points{};
  std::vector<std::string> watched{};  // a text for each event

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.events, self.fingerprint, self.summary, self.failed_check, self.points,
          self.watched);
  }
};
SeenRun seen_of(const scenarios::RunOutcome& outcome);

using Replay = std::function<SeenRun(const Watched& watched)>;

// Empty if the run is the same elsewhere as the first time, here. Otherwise one sentence that names
// the first event that differs, after one replay here and at most two elsewhere.
std::string difference(const SeenRun& first, const Replay& here, const Replay& elsewhere);

// Whether the run with this seed belongs to the share of runs that are done twice.
bool is_checked(std::uint64_t seed, double share);

}  // namespace photonsim::cli
