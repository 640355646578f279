// Generator of event ids: unique without coordination.
//
// A process life has one generator, for all its streams of events; calls must not overlap. Stamps
// follow the host's calendar clock but are strictly increasing: at an equal tick, or after the
// clock was stepped back, the next stamp is one nanosecond after the last. The
// distance by which stamps then run ahead of the clock counts towards the skew bound. A restarted
// process gets another process id, because its incarnation is folded in, so it needs no
// memory of its predecessor's stamps.
//
// A server whose clock may have left its bound issues no ids, so it cannot log events. It
// continues after the next synchronisation.
//
// The generator is a plain value: copy it to generate the same stream of ids again.
//
// Paper: Photon section 3.1; SPEC A-10..A-13, A-31, A-33.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core_impl/base/check.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/logs/clock_bound.h"

namespace photon::logs {

inline constexpr std::uint32_t kProcessBits = 12;      // processes of one server
inline constexpr std::uint32_t kIncarnationBits = 20;  // lives of one process

// The process id field of an event id. Incarnations count from 1, so the field is never 0 and no
// generated id is the null id.
constexpr std::uint32_t process_field(std::uint32_t process, Incarnation incarnation) {
  PHOTON_CHECK(process < (1U << kProcessBits), "a process number fits its bits of the id");
  PHOTON_CHECK(incarnation.value() > 0 && incarnation.value() < (1U << kIncarnationBits),
               "an incarnation fits its bits of the id");
  return (process << kIncarnationBits) | incarnation.value();
}

class EventIdGenerator {
 public:
  EventIdGenerator() = default;
  EventIdGenerator(std::uint32_t server, std::uint32_t process) : last_{server, process, {}} {}

  // The stamp of an event that happens when the host's calendar clock shows `wall`.
  Stamp next(LocalTime wall) {
    last_.stamp = std::max(last_.stamp + Duration(1), stamp_from(wall));
    return last_.stamp;
  }
  EventId next_id(LocalTime wall) {
    next(wall);
    return last_;
  }
  // None while the clock may be outside `bound`; that leaves no trace in the generator.
  std::optional<EventId> next_id(const ClockReading& clock, const ClockBound& bound) {
    if (!bound.holds(clock.since_sync)) return std::nullopt;
    return next_id(clock.wall);
  }

  // The id before the next; with the first stamp of all if there was none.
  const EventId& last() const { return last_; }

  friend bool operator==(const EventIdGenerator&, const EventIdGenerator&) = default;

 private:
  EventId last_;
};

}  // namespace photon::logs
