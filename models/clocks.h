// Clocks of hosts: calendar clocks that drift, are synchronised and stepped inside a bound;
// monotonic clocks with a constant rate error; TrueTime intervals.
//
// Every reading is a pure function of (seed, host, virtual time); the basis of a host's last
// readings is cached, so an object belongs to one run and one thread. Synchronisation k of a host
// happens at phase + k * sync_period; the error right after it is drawn for (host, k), the drift
// until the next one likewise. With a step interval, some synchronisations leave a larger error,
// which shows as a step when it appears and when it is corrected. Bound (SPEC ): |wall -
// true| <= epsilon at all times as long as drift * sync_period < epsilon: errors after a
// synchronisation are clamped to what the drift until the next one leaves of it, unless
// Bound::violated is set, which is a positive control. While a host cannot reach TrueTime,
// its synchronisations do not happen and its clock drifts on as it did, out of the bound if that
// takes long enough: a server that generates ids must ask `bound` before it uses the clock.
// Meanwhile its TrueTime interval, which starts from the last answer that it had, widens by what
// its oscillator may have drifted since, and still contains true time. Clock faults
// (clock_faults.h) change readings from outside; with Bound::respected none of them carries a
// calendar clock out of its bound. Paper: Photon section 2.2.2; published TrueTime uncertainty is a
// saw-tooth of 1 to 7 ms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "core_impl/logs/clock_bound.h"
#include "models/clock_faults.h"
#include "sim/ports.h"

namespace photon::models {

// Some hosts reach no TrueTime server for a while.
struct TrueTimeOutage {
  std::uint32_t fault = 0;  // its number in the run
  sim::HostId first{};      // the hosts
  std::uint32_t hosts = 1;  // from there on
  SimTime from{};
  SimTime until{};

  bool concerns(std::uint32_t host) const {
    return host >= first.value() && host - first.value() < hosts;
  }
};

class HostClocks final : public sim::ClockModel {
 public:
  struct Options {
    Duration epoch{0};  // what a perfect calendar clock shows at virtual time zero
    Duration epsilon{std::chrono::milliseconds(100)};
    double drift = 200e-6;  // largest rate error of both kinds of clock
    Duration sync_period{std::chrono::seconds(30)};
    Duration sync_error{std::chrono::milliseconds(10)};
    Duration step_interval{0};  // mean time between steps; 0: none
    Duration step_max{0};
    Duration truetime_uncertainty{std::chrono::milliseconds(4)};
    Duration tick{1};  // what is drawn is a multiple of it
    enum class Bound : std::uint8_t { respected, violated } bound = Bound::respected;
    std::vector<TrueTimeOutage> outages{};
    std::vector<ClockFault> faults{};
  };

  // Requires sync_period > 0 and, with Bound::respected, drift * sync_period < epsilon.
  HostClocks(std::uint64_t seed, const Options& options);

  LocalTime wall(sim::HostId host, SimTime at) const override;
  MonotonicTime monotonic(sim::HostId host, SimTime at) const override;
  SimTime when(sim::HostId host, MonotonicTime due, SimTime not_before) const override;
  TrueTimeInterval true_time(sim::HostId host, SimTime at) const override;
  void wall_used(sim::HostId host, SimTime at) const override;
  bool is_steady() const override { return faults_.empty(); }

  // The guarantee that a server has about its calendar clock, by the time since the last
  // synchronisation, as its monotonic clock counts.
  logs::ClockBound bound() const;
  Duration since_sync(sim::HostId host, SimTime at) const;

  const std::vector<TrueTimeOutage>& outages() const { return options_.outages; }
  const ClockFaults& faults() const { return faults_; }
  // A calendar clock may be off by this much without a fault.
  Duration least_felt() const { return std::max(options_.sync_error, ClockFaults::kLeastFelt); }

  // A synchronisation that sets the calendar clock anew, not a mere correction.
  struct Step {
    SimTime at{};
    Duration by{};  // forwards if positive
  };
  bool has_steps() const { return options_.step_interval > Duration::zero(); }
  // The first step of the host's clock in (after, until].
  std::optional<Step> next_step(sim::HostId host, SimTime after, SimTime until) const;
  Duration sync_period() const { return options_.sync_period; }

  // Host numbers are small and dense: memory follows the largest one used.
  static constexpr std::uint32_t kMostHosts = 1U << 20U;

  // The reading of a perfect calendar clock.
  LocalTime calendar(SimTime at) const {
    return from_nanoseconds<LocalTime>(nanoseconds_of(at) + options_.epoch.count());
  }

 private:
  struct Host {
    RandomStream stream;
    std::uint32_t number = 0;
    std::int64_t phase = -1;          // of synchronisation, ns; -1: host not made yet
    std::int64_t rate_ppb = 0;        // of the monotonic clock
    std::int64_t monotonic_base = 0;  // its reading at virtual time zero, ns
    // The calendar clock in [sync_begin, sync_end), virtual ns.
    std::int64_t sync_begin = 0;
    std::int64_t sync_end = 0;       // 0: nothing is cached
    std::int64_t sync_happened = 0;  // the one in force: before sync_begin in an outage
    std::int64_t sync_error = 0;
    std::int64_t sync_rate_ppb = 0;
    // The centre of TrueTime's interval, relative to true time, until poll_end.
    std::int64_t poll_begin = 0;
    std::int64_t poll_end = 0;
    std::int64_t poll_offset = 0;
  };
  // Towards zero.
  std::int64_t on_tick(std::int64_t drawn) const { return drawn - drawn % options_.tick.count(); }
  std::int64_t wander() const;  // how far drift can carry a clock between two synchronisations, ns
  std::int64_t room() const;    // the rest of the bound, ns
  LocalTime usual(sim::HostId host, SimTime at) const;  // without clock faults
  // With all of them but one, if that is not null.
  LocalTime shown(sim::HostId host, SimTime at, const ClockFault* without) const;
  void feel_outage(const Host& host, std::int64_t at) const;
  // The part of that fault alone in the reading.
  Duration added_by(const ClockFault& fault, sim::HostId host, SimTime at) const;
  std::int64_t monotonic_at(const Host& host, std::int64_t now) const;
  // When the host last got an answer of a TrueTime server, considering outages.
  std::int64_t last_answer(const Host& host, std::int64_t now) const;
  Host& host_of(sim::HostId host) const;
  Host make_host(std::uint32_t host) const;
  void synchronise(Host& host, std::int64_t now) const;
  Host& synchronised(sim::HostId host, std::int64_t now) const;  // with the state in force at `now`
  // Number of the last synchronisation that was due at `now`; 0 was before the run.
  std::uint64_t sync_at(const Host& host, std::int64_t now) const;
  std::int64_t time_of(const Host& host, std::uint64_t sync) const;
  const TrueTimeOutage* outage_at(const Host& host, std::int64_t now) const;
  // The last one up to there that happened.
  std::uint64_t happened(const Host& host, std::uint64_t sync) const;
  bool steps_at(const Host& host, std::uint64_t sync) const;
  std::int64_t error_after_sync(const Host& host, std::uint64_t sync) const;
  std::int64_t rate_after_sync(const Host& host, std::uint64_t sync) const;

  Options options_;
  std::uint64_t seed_;
  std::int64_t drift_ppb_;
  Chance step_chance_;
  ClockFaults faults_;
  mutable std::vector<Host> hosts_;  // by number
};

}  // namespace photon::models
