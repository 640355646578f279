// Numbers of the fields of Perfetto's protobuf messages that this folder writes. They are part of
// Perfetto's stable interface ("TrackEvent"): protos/perfetto/trace/trace_packet.proto and
// protos/perfetto/trace/track_event/{track_event,track_descriptor,debug_annotation}.proto there.
#pragma once

#include <cstdint>

namespace photonsim::trace_views::perfetto {

enum class Trace : std::uint32_t { packet = 1 };

enum class Packet : std::uint32_t {
  timestamp = 8,
  trusted_packet_sequence_id = 10,
  track_event = 11,
  sequence_flags = 13,
  track_descriptor = 60,
};
inline constexpr std::uint32_t kIncrementalStateCleared = 1;

enum class Descriptor : std::uint32_t {
  uuid = 1,
  name = 2,
  process = 3,
  thread = 4,
  parent_uuid = 5,
};
enum class Process : std::uint32_t { pid = 1, process_name = 6 };
enum class Thread : std::uint32_t { pid = 1, tid = 2, thread_name = 5 };

enum class Event : std::uint32_t {
  debug_annotations = 4,
  type = 9,
  track_uuid = 11,
  categories = 22,
  name = 23,
  flow_ids = 47,              // fixed64
  terminating_flow_ids = 48,  // fixed64
};
enum class Type : std::int32_t { slice_begin = 1, slice_end = 2, instant = 3 };

enum class Annotation : std::uint32_t { uint_value = 3, string_value = 6, name = 10 };

}  // namespace photonsim::trace_views::perfetto
