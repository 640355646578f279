// How long a server may issue event ids by its calendar clock without a synchronisation.
//
// Right after a synchronisation the clock is off by at most e, and from then on it drifts by at
// most rho. Once e + rho * elapsed may exceed epsilon, a stamp of that clock might break the bound
// that resharding and garbage collection rest on: the server must not issue it. Elapsed is
// what the server's own monotonic clock has counted since; its rate may be off by rho too, so a
// counted m may have been m / (1 - rho) of true time.
//
// Paper: Photon sections 2.2.2 and 3.1; SPEC A-31..A-33.
#pragma once

#include <cstdint>
#include <limits>

#include "core_impl/base/check.h"
#include "core_impl/base/time.h"

namespace photon::logs {

// A server's clock readings when an event happens.
struct ClockReading {
  LocalTime wall{};
  Duration since_sync{0};  // by the monotonic clock
};

class ClockBound {
 public:
  struct Options {
    Duration epsilon{0};
    Duration sync_error{0};      // e
    std::int64_t drift_ppb = 0;  // rho, in billionths
  };

  // Requires a drift in [0, 1/2).
  explicit ClockBound(const Options& options) : longest_(longest_of(options)) {}

  // Is the clock certainly inside its bound this long after its last synchronisation?
  bool holds(Duration since_sync) const { return since_sync <= longest_; }
  // For how long it holds; negative if it never does.
  Duration longest() const { return longest_; }

 private:
  static constexpr std::int64_t kBillion = 1'000'000'000;

  // The largest m with e + rho m / (1 - rho) <= epsilon.
  static Duration longest_of(const Options& options) {
    const std::int64_t ppb = options.drift_ppb;
    PHOTON_CHECK(ppb >= 0 && ppb < kBillion / 2, "a clock's rate error is a fraction");
    const std::int64_t room = (options.epsilon - options.sync_error).count();
    if (room < 0) return Duration(-1);
    const bool for_ever =
        ppb == 0 || room / ppb >= std::numeric_limits<std::int64_t>::max() / kBillion;
    if (for_ever) return Duration::max();
    const std::int64_t rest = kBillion - ppb;
    return Duration(room / ppb * rest + room % ppb * rest / ppb);
  }

  Duration longest_;
};

}  // namespace photon::logs
