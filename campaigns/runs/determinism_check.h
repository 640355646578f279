// The determinism check (SPEC J-S17): whether a rerun is the same, and the first event in which it
// diverges.
//
// The rerun takes place in another process, in which things lie at other addresses
// (pool/worker.h): an order that comes from addresses may be the same in every run of one process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

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

// Where a run is done again: in a process in which all lies as in the first one, or in one in which
// it lies elsewhere (pool/worker.h).
enum class Layout : std::uint8_t { usual, scattered };

// Which reruns it takes to say whether a run is deterministic. Holds the first run and asks for one
// rerun at a time.
class DeterminismCheck {
 public:
  struct Rerun {
    Layout layout = Layout::scattered;
    Watched watched{};
  };

  explicit DeterminismCheck(SeenRun first) : first_(std::move(first)) {}

  // The next rerun that it needs; nothing: it is known by now.
  std::optional<Rerun> next() const;
  // What was seen of it.
  void take(SeenRun seen);
  // Empty if both runs are the same; otherwise one sentence that names the first event that
  // differs. Requires that no rerun is needed any more.
  std::string difference() const;

 private:
  bool events_differ() const;
  std::string headline() const;

  SeenRun first_;
  std::optional<SeenRun> second_{};  // scattered
  std::optional<SeenRun> third_{};   // usual, with the events noted down
  std::optional<SeenRun> fourth_{};  // scattered, with the events noted down
};

using Replay = std::function<SeenRun(const Watched& watched)>;

// The whole check with reruns done by these: one elsewhere, and if it differs one more of each.
std::string difference(const SeenRun& first, const Replay& here, const Replay& elsewhere);

// Whether the run with this seed belongs to the share of runs that are rerun.
bool is_checked(std::uint64_t seed, double share);

}  // namespace photonsim::campaigns
