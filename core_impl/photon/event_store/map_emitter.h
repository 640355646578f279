// Decides which events of one log file get an entry in the log file map.
//
// Per stream (server, process) of the file: its first event, and each event that is W of event time
// or M bytes after the stream's last entry, whichever comes first (E-10..E-12). Event time, not the
// reader's: a reader that catches up writes the same entries as one that keeps up. The state is
// volatile: a restarted reader begins with an entry for the next event of each stream; an extra
// entry does no harm.
//
// Paper: Photon section 3.4.2; SPEC E-10..E-12.
#pragma once

#include <cstdint>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/event_store/options.h"

namespace photon {

class MapEmitter {
 public:
  // True if the event whose record begins at `offset` must have an entry. Events are presented in
  // file order.
  bool needs_entry(const EventId& id, std::uint64_t offset, const MapSpacing& spacing);

 private:
  struct Stream {
    EventId last;  // id of its last entry
    std::uint64_t offset;
  };
  PooledVector<Stream> streams_;  // few: the processes that wrote this file
};

}  // namespace photon
