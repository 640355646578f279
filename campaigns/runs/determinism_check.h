// The determinism check (SPEC J-S17): whether a rerun is identical, and the first event in
// which it diverges.
//
// The rerun takes place in another process with other allocation addresses (pool/worker.h): an
// order that depends on addresses may be stable within one process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

// The events to record, if any.
using Watched = std::optional<scenarios::WatchedRange>;

// What is compared: events, their fingerprint, and the judge's report.
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
  std::string summary{};    // the whole report, as JSON
  std::string early_end{};  // what ended the run before its end; empty: nothing did
  std::vector<Point> points{};
  std::vector<std::string> watched{};  // a text for each event

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.events, self.fingerprint, self.summary, self.early_end, self.points, self.watched);
  }
};
SeenRun seen_of(const scenarios::RunOutcome& outcome);

// Where a rerun takes place: in a process with the usual addresses, or in one
// with others (pool/worker.h).
enum class Layout : std::uint8_t { usual, scattered };

// Decides which reruns the determinism check needs. Holds the first run and requests one rerun
// at a time.
class DeterminismCheck {
 public:
  struct Rerun {
    Layout layout = Layout::scattered;
    Watched watched{};
  };

  explicit DeterminismCheck(SeenRun first) : first_(std::move(first)) {}

  // The next rerun it needs; nothing: the result is known.
  std::optional<Rerun> next() const;
  // Takes the result of that rerun.
  void take(SeenRun seen);
  // Empty if the runs are identical; otherwise one sentence that names the first event that
  // differs. Requires that no rerun is pending.
  std::string difference() const;

 private:
  bool events_differ() const;
  std::string headline() const;

  SeenRun first_;
  std::optional<SeenRun> second_{};  // scattered
  std::optional<SeenRun> third_{};   // usual, with its events recorded
  std::optional<SeenRun> fourth_{};  // scattered, with its events recorded
};

using Replay = std::function<SeenRun(const Watched& watched)>;

// The whole check with these reruns: one scattered, and if it diverges one more of each.
std::string difference(const SeenRun& first, const Replay& here, const Replay& elsewhere);

// Whether the run with this seed belongs to the share of runs that are rerun.
bool is_checked(std::uint64_t seed, double share);

}  // namespace photonsim::campaigns
