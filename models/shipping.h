// Log shipping: when the copy of a log file in a datacenter can be read, and how far.
//
// A file is shipped in pieces of `piece` of generation time. Its delay to a datacenter is
//   common part + (far ? near/far gap : 0) + noise + (late ? extra : 0)
// drawn anew every `redraw` interval of generation time: the common part per (file, interval), the
// same in all datacenters; noise per (file, interval, datacenter). Each file is near one of the
// datacenters (round robin over files). A file becomes readable strictly in order, so a late piece
// delays the following ones: this is a stalled log. Copies in different datacenters are prefixes of
// one another. Pieces that a stall holds arrive when the stall is over. A file that follows
// another one of its server is copied independently of it (C-07).
//
// A truncation hides bytes that could be read (truncations.h): only then a file gets shorter.
// Copying continues after it. When it is over, the copy is as it would be without it.
//
// Copying does not know records: a piece also brings a part, of any number of bytes, of the events
// generated next. So readers see incomplete last records, and a record becomes readable
// whole with its own piece, no earlier.
// Paper: SPEC, G-16b (the shape: common + near/far gap + small noise).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "models/event_log.h"
#include "models/log_faults.h"
#include "models/truncations.h"

namespace photon::models {

class Shipping {
 public:
  struct Options {
    std::uint64_t seed = 0;
    Duration piece{std::chrono::seconds(1)};
    Duration redraw{std::chrono::seconds(10)};
    Duration common_mean{std::chrono::milliseconds(2500)};  // exponential
    Duration near_far_gap{std::chrono::seconds(1)};
    Duration noise_mean{std::chrono::milliseconds(200)};  // exponential
    double primary_late_fraction = 0;                     // of the redraw intervals of queries
    Duration primary_late_extra_mean{std::chrono::seconds(30)};  // exponential
    std::vector<PlannedStall> stalls{};
    std::vector<PlannedTruncation> truncations{};
  };
  static constexpr std::uint32_t kNoStall = 0xffffffffU;
  struct Arrival {
    SimTime at{};
    std::uint32_t held_by = kNoStall;  // a fault's number
  };

  // `places`: how many datacenters hold a copy.
  // Requires places > 0 and piece, redraw > 0.
  Shipping(const Options& options, std::uint32_t places);

  // Delay of the events of `file` in redraw interval `interval`, to place number `place`.
  Duration delay(logs::LogFile file, std::uint64_t interval, std::uint32_t place) const;
  // When a piece of the file arrives that would have come at `ready`.
  Arrival arrival(logs::LogFile file, std::uint32_t place, SimTime ready) const;
  const Options& options() const { return options_; }
  // Delays of the intervals after those that have been asked for are drawn from another seed.
  void renew(std::uint64_t seed);

 private:
  struct Renewal {
    std::uint64_t first;  // interval
    std::uint64_t seed;
  };
  std::uint64_t seed_of(std::uint64_t interval) const;

  Options options_;
  std::uint32_t places_;
  std::vector<Renewal> renewals_{};          // in the order of their intervals
  mutable std::uint64_t next_interval_ = 0;  // after the latest that was asked for
};

// The copies of all files in one place: a merged schedule of "file f is readable up to length n".
class ShippedCopies {
 public:
  struct Visible {
    SimTime at{};
    std::uint32_t log = 0;     // index in the workload's logs
    std::uint64_t length = 0;  // bytes readable from `at` on
    std::uint64_t before = 0;  // bytes readable until then
    std::uint64_t most = 0;    // the most that were readable at any time until then
  };

  // `logs` and `shipping` must outlive this object. The files of a server stand one after the
  // other, in their sequence.
  ShippedCopies(std::vector<EventLog*> logs, const Shipping& shipping, std::uint32_t place);

  // The time of the next change, if there is one.
  std::optional<SimTime> next() const;
  // Takes that change. Requires next().has_value(). Where a truncation hides the new bytes, the
  // length may be unchanged.
  Visible advance();
  // The stall that holds bytes of that log that were due by `now`; kNoStall if none does.
  std::uint32_t stalled_by(std::uint32_t log, SimTime now) const;
  // The truncation because of which that log shows less than has arrived; Truncations::kNone if it
  // shows all. shows all.
  std::uint32_t cut_by(std::uint32_t log) const {
    return truncations_.cut_by(log, files_[log].length);
  }
  bool is_ever_cut() const { return truncations_.any(); }
  // Bytes of log number `log` that are readable after the changes taken so far.
  std::uint64_t length(std::uint32_t log) const {
    return truncations_.shown(log, files_[log].length);
  }
  // The most that were readable so far: a file that has lost all of it is still there.
  std::uint64_t most(std::uint32_t log) const { return files_[log].most; }

 private:
  struct File {
    SimTime pending_end{};  // end of the piece that is under way
    SimTime last_ready{};   // when the piece before it became readable
    SimTime due{};          // of the piece under way
    std::uint32_t held_by = Shipping::kNoStall;
    std::uint64_t length = 0;  // bytes that have arrived
    std::uint64_t most = 0;    // most bytes that were shown
  };
  Visible advance_shipping();
  Visible advance_truncations();
  // Completes the change with the bytes readable now.
  Visible shown(Visible change);
  void schedule(std::uint32_t log);
  // Has no byte of the files after it arrived?
  bool is_newest(std::uint32_t log) const;
  // Does the next one in the list continue this file?
  bool is_followed(std::uint32_t log) const;
  // Bytes after the piece under way, which end at `boundary`, and arrive with it at `at`.
  std::uint64_t spill(std::uint32_t log, std::uint64_t boundary, SimTime at) const;

  std::vector<EventLog*> logs_;
  const Shipping& shipping_;
  std::uint32_t place_;
  std::vector<File> files_;
  std::vector<Visible> heap_;  // earliest on top
  Truncations truncations_;
};

}  // namespace photon::models
