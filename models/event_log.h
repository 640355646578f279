// One input log file as a pure function: its events, their bytes, and the generation time of each.
//
// Invariants: bytes depend only on (workload, file, offset); they are regenerated on read and never
// stored (DESIGN 4: memory follows state, not history). Events are numbered from 0 in file order;
// generation times do not decrease. Bytes and events agree as a RecordLog says.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/event_id.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/runtime/record_log.h"

namespace photon::models {

struct LoggedRecord {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  SimTime at{};  // when it was generated
  EventId id{};
};

class EventLog : public RecordLog {
 public:
  virtual logs::LogFile file() const = 0;
  // Length in bytes of the records of all events generated strictly before `at`.
  virtual std::uint64_t length_before(SimTime at) = 0;
  // Generation time of the first event generated at or after `at`; none if the log has ended.
  virtual std::optional<SimTime> next_generation(SimTime at) = 0;
  // The record that holds the byte at `offset`. Requires that it will be generated.
  virtual LoggedRecord record_at(std::uint64_t offset) = 0;
};

}  // namespace photon::models
