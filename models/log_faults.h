// Planned faults of input logs: damage, stalls, truncations (SPEC ).
//
// Damage: of the records that a kind of log generates in a time, a share cannot be read, in one
// place's copy or, the same records, in all. Which ones is a function of (seed, fault, file, place
// in the file), so that copies are still made on read and never stored. A stall: of a kind of log,
// of one server or of all, nothing arrives in one place or in all for a while.
//
// A truncation: the copy of a place loses its end, as in storage that forgets the latest appends,
// and the source sends the same bytes again. Readers may have seen the lost bytes; the rest is a
// prefix of the copy.
//
// A fault carries its number in the run, under which its effect is reported: a process read damaged
// bytes, read the length of a log while a stall held its next bytes, or was shown less of a
// truncated log than before.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "models/event_log.h"

namespace photon::models {

enum class RecordDamage : std::uint8_t {
  none,
  flipped,  // one bit is wrong
  lost,     // zeros in place of the record
};

struct PlannedDamage {
  std::uint32_t fault = 0;
  logs::LogType type = logs::LogType::primary;
  std::optional<std::uint32_t> place{};  // none: all copies
  SimTime from{};
  SimTime until{};
  double share = 0;
  RecordDamage how = RecordDamage::flipped;
};

struct PlannedStall {
  std::uint32_t fault = 0;
  logs::LogType type = logs::LogType::primary;
  std::optional<std::uint16_t> server{};  // none: all
  std::optional<std::uint32_t> place{};   // none: all
  SimTime from{};
  SimTime until{};
  Duration tail_mean{0};  // exponential, after `until`, for each piece that was held
};

struct PlannedTruncation {
  std::uint32_t fault = 0;
  logs::LogType type = logs::LogType::primary;
  std::optional<std::uint16_t> server{};  // none: all
  std::uint32_t place = 0;
  SimTime at{};
  SimTime until{};          // then the copy is whole again
  std::uint64_t bytes = 1;  // off the end of the newest file, or all of its bytes
};

class LogDamage {
 public:
  struct Affected {
    RecordDamage how = RecordDamage::none;
    std::uint32_t fault = 0;
    std::uint64_t word = 0;  // which bit
  };

  LogDamage() = default;
  LogDamage(std::uint64_t seed, std::vector<PlannedDamage> plan)
      : seed_(seed), plan_(std::move(plan)) {}

  // Can records of such logs be damaged at all?
  bool concerns(logs::LogType type, std::uint32_t place) const;
  // The damage of that record in the copy of that place.
  Affected on(logs::LogFile file, const LoggedRecord& record, std::uint32_t place) const;
  // Is a record damaged that has bytes in [begin, end) of the copy of that place?
  bool touches(EventLog& log, std::uint32_t place, std::uint64_t begin, std::uint64_t end) const;
  // Damages the bytes of a copy: `bytes` were read at `offset` of the log. The faults that changed
  // any of them.
  std::set<std::uint32_t> apply(EventLog& log, std::uint32_t place, std::uint64_t offset,
                                std::span<std::byte> bytes) const;

 private:
  std::uint64_t seed_ = 0;
  std::vector<PlannedDamage> plan_;
};

}  // namespace photon::models
