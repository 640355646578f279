// The ids that the processes of one server give to their events.
//
// Each process has a generator (core_impl/logs). An event belongs to the first process, but where
// the clock shows no more than the stamp of the event before, to the next process: so ids of one
// server are equal but for the process. When all processes have used a stamp, the first one
// continues a nanosecond later, as its generator does.
//
// Paper: Photon section 3.1; SPEC.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/check.h"
#include "core_impl/base/event_id.h"
#include "core_impl/logs/clock_bound.h"
#include "core_impl/logs/event_id_generator.h"

namespace photon::models {

// What a server takes a stamp from if it reads its calendar clock in multiples of `resolution`;
// zero: the clock as it is.
constexpr LocalTime coarse(LocalTime wall, Duration resolution) {
  if (resolution == Duration::zero()) return wall;
  return wall - wall.time_since_epoch() % resolution;
}

class ServerIds {
 public:
  // Requires 0 < processes.
  ServerIds(std::uint32_t server, std::uint32_t first_process, std::uint16_t processes)
      : generator_(server, logs::process_field(first_process, Incarnation(1))),
        processes_(processes) {
    PHOTON_CHECK(processes > 0, "some process of a server issues ids");
  }

  // None while the clock may be outside `bound`, if there is one.
  std::optional<EventId> next(const logs::ClockReading& clock,
                              const std::optional<logs::ClockBound>& bound) {
    if (bound && !bound->holds(clock.since_sync)) return std::nullopt;
    if (used_ == 0 || used_ == processes_ || stamp_from(clock.wall) > generator_.last().stamp) {
      used_ = 1;
      return generator_.next_id(clock.wall);
    }
    EventId id = generator_.last();
    id.process += std::uint32_t{used_++} << logs::kIncarnationBits;
    return id;
  }

 private:
  logs::EventIdGenerator generator_;  // of the first process
  std::uint16_t used_ = 0;  // processes that have issued an id with the last stamp; 0: no id yet
  std::uint16_t processes_;
};

}  // namespace photon::models
