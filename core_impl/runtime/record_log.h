// A log whose storage knows its events: a read can be answered with a range of records, and their
// bytes need not exist.
//
// A volume gives a range only to a request that allows it (VolumeRequest::form), and only where the
// bytes are those that the log's writer wrote: damaged bytes come as bytes. A runtime whose storage
// holds bytes never gives one.
//
// A range says the same as its bytes: they are `read` of the same extent, and each record is framed
// by base/record_codec.h around the fields of a logged event (logs/event.h). Like a read, a range
// may begin and end in the middle of a record.
#pragma once

#include <cstdint>

#include "core_impl/base/bytes.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/payload.h"

namespace photon {

enum class EventKind : std::uint8_t { primary, foreign };

struct StoredEvent {
  std::uint64_t begin = 0;  // of its record, with the frame, in the file
  std::uint64_t end = 0;
  EventId id;
  EventId primary;  // of a foreign event
  EventKind kind = EventKind::primary;
  PayloadView payload{};  // valid until the next call of the log, or while its source is
};

class RecordLog {
 public:
  RecordLog() = default;
  RecordLog(const RecordLog&) = delete;
  RecordLog& operator=(const RecordLog&) = delete;
  virtual ~RecordLog() = default;

  // Sets all fields of `event` to those of the event whose record holds the byte at `offset`.
  // Requires that it has been written.
  virtual void event_at(std::uint64_t offset, StoredEvent& event) = 0;
  // Appends the bytes [offset, offset + length) of the file to `out`. Requires that they have been
  // written.
  virtual void read(std::uint64_t offset, std::uint64_t length, Bytes& out) = 0;
};

}  // namespace photon
