// Names of the files that the EventStore keeps in its datacenter's cell.
//
//   event_store/N/map/I           log file map written by log store N in its life I
//   event_store/N/offsets         how far reader N has made each file findable
//
// N is the process slot, I the life; ten decimal digits each, with leading zeros.
#pragma once

#include "core_impl/base/strong_id.h"
#include "core_impl/runtime/volume.h"

namespace photon {

FileName event_store_map_directory(NodeId node);
FileName event_store_map_file(NodeId node, Incarnation life);
FileName event_store_offsets_file(NodeId node);

}  // namespace photon
