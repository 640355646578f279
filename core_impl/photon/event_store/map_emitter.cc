#include "core_impl/photon/event_store/map_emitter.h"

namespace photon {

bool MapEmitter::needs_entry(const EventId& id, std::uint64_t offset, const MapSpacing& spacing) {
  for (Stream& stream : streams_) {
    if (stream.last.server != id.server || stream.last.process != id.process) continue;
    const bool due = between(stream.last.stamp, id.stamp) >= spacing.interval ||
                     offset - stream.offset >= spacing.interval_bytes;
    if (due) stream = Stream{id, offset};
    return due;
  }
  streams_.push_back(Stream{id, offset});
  return true;
}

}  // namespace photon
