// Points in time, one type per clock.
//
// Purpose: the difficulty of resharding and garbage collection lies in the difference between
// clocks, so each clock has its own time_point and mixing them does not compile (DESIGN 3).
// All of them count integer nanoseconds.
//
//   MonotonicTime  one process's steady clock; never stepped; rate error within rho. For timers
//                  and leases.
//   LocalTime      one host's calendar clock: skewed, drifting, stepped by synchronisation.
//   TrueTimePoint  one end of a TrueTime interval, which is guaranteed to contain true time.
//   Stamp          the time stamp field of an event id or the boundary it is compared with.
//   SimTime        the reference time line of trace records: the best estimate of true time that
//                  the runtime has. No component of the core can obtain it.
//
// Paper: Photon section 2.2.2 (TrueTime, skew bound S); SPEC A-30..A-34.
#pragma once

#include <chrono>
#include <cstdint>

namespace photon {

using Duration = std::chrono::nanoseconds;

template <class Tag>
struct ClockOf {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ClockOf, duration>;
  static constexpr bool is_steady = false;
};

using MonotonicTime = ClockOf<struct MonotonicTag>::time_point;
using LocalTime = ClockOf<struct LocalTag>::time_point;
using TrueTimePoint = ClockOf<struct TrueTimeTag>::time_point;
using Stamp = ClockOf<struct StampTag>::time_point;
using SimTime = ClockOf<struct SimTag>::time_point;

// Contains true time whenever the clock bound holds. earliest <= latest.
struct TrueTimeInterval {
  TrueTimePoint earliest;
  TrueTimePoint latest;
};

// Raw count of nanoseconds, for codecs, hashes and printing.
template <class TimePoint>
constexpr std::int64_t nanoseconds_of(TimePoint time) {
  return time.time_since_epoch().count();
}

template <class TimePoint>
constexpr TimePoint from_nanoseconds(std::int64_t count) {
  return TimePoint(Duration(count));
}

// As a number, for rates and reports.
constexpr double seconds_of(Duration span) { return static_cast<double>(span.count()) / 1e9; }

// Saturating sums and differences. For stamps of ids, which come from unchecked clocks; all other
// times are far from the limits of the type.
template <class TimePoint>
constexpr TimePoint shifted(TimePoint time, Duration by) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(nanoseconds_of(time), by.count(), &sum)) {
    return from_nanoseconds<TimePoint>(sum);
  }
  return by < Duration::zero() ? TimePoint::min() : TimePoint::max();
}
template <class TimePoint>
constexpr Duration between(TimePoint earlier, TimePoint later) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(nanoseconds_of(later), nanoseconds_of(earlier), &difference)) {
    return Duration(difference);
  }
  return later < earlier ? Duration::min() : Duration::max();
}

// The two conversions that the protocol is allowed to make. An id takes its stamp from the
// generating host's calendar clock; a boundary takes its stamp from TrueTime.
constexpr Stamp stamp_from(LocalTime time) { return from_nanoseconds<Stamp>(nanoseconds_of(time)); }
constexpr Stamp stamp_from(TrueTimePoint time) {
  return from_nanoseconds<Stamp>(nanoseconds_of(time));
}

}  // namespace photon
