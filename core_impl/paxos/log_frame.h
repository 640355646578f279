// Framing of the records of a replica's log: 32-bit body length, 32-bit check of the frame, 32-bit
// checksum of the body, body.
//
// The check of the frame covers the length, the checksum and the place: group, segment and offset.
// So a reader can tell two ends of a file apart, whatever bytes are wrong:
//  * A crash tore the append. The file ends inside a frame, or the frame is sound in this place and
//    the file ends inside its body. No acknowledged record ends so: it is whole, and a file never
//    gets shorter.
//  * Wrong bytes lie where a record was. They may even be a sound record, or the beginning of one,
//    that belongs elsewhere.
// Assumption: a torn append leaves a prefix (runtime/volume.h). SPEC A-23, B-18.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/base/strong_id.h"

namespace photon::paxos {

inline constexpr std::size_t kFrameBytes = 12;

struct LogPlace {
  ShardId group{};
  std::uint64_t segment = 0;
  std::uint64_t offset = 0;  // in the segment's file
};

// Fills in length and checksum of the record whose body was written after out[start, +kFrameBytes).
void frame_body(Bytes& out, std::size_t start);

// Encodes `value` through its each_field and appends it framed. The frame lacks its check.
template <class T>
void append_framed(const T& value, Bytes& out) {
  const std::size_t start = out.size();
  out.resize(start + kFrameBytes);
  Encoder encoder(out);
  T::each_field(value, encoder);
  frame_body(out, start);
}

// Fills in the checks of the frames of `bytes`, which are whole and are to lie at `place`.
void seal_frames(std::span<std::byte> bytes, LogPlace place);

// Reads the record at bytes[0]. incomplete: a crash tore it; corrupt: the bytes are wrong.
RecordView view_frame(std::span<const std::byte> bytes, const LogPlace& place);

// As for_each_record (record_codec.h), of bytes that lie at `place`.
template <class Visitor>
std::size_t for_each_frame(std::span<const std::byte> bytes, LogPlace place, Visitor&& visit) {
  while (!bytes.empty()) {
    const RecordView view = view_frame(bytes, place);
    if (view.status != RecordStatus::complete || !visit(view.body)) break;
    bytes = bytes.subspan(view.size);
    place.offset += view.size;
  }
  return bytes.size();
}

}  // namespace photon::paxos
