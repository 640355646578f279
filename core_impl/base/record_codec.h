// Framing of one record in a log or state file: 32-bit body length, 64-bit checksum, body.
//
// Invariants: a reader never consumes an incomplete record; the next offset always lies on a
// record boundary; a record whose checksum fails is distinguished from one that is not yet
// complete. The checksum is XXH3 of the body seeded with its length.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"

namespace photon {

inline constexpr std::size_t kRecordOverhead = 12;
inline constexpr std::size_t kMaxRecordBody = std::size_t{1} << 24U;

// Appends the framed record to `out`.
void append_record(std::span<const std::byte> body, Bytes& out);

// Fills in length and checksum of the record whose body was written after out[start, +overhead).
void seal_record(Bytes& out, std::size_t start);
// The same for a record that fills `record` exactly.
void seal_record(std::span<std::byte> record);

// Encodes `value` through its each_field and appends it framed.
template <class T>
void append_encoded(const T& value, Bytes& out) {
  const std::size_t start = out.size();
  out.resize(start + kRecordOverhead);
  Encoder encoder(out);
  T::each_field(value, encoder);
  seal_record(out, start);
}

enum class RecordStatus : std::uint8_t {
  complete,
  incomplete,  // more bytes are needed
  corrupt,     // the length is impossible or the checksum fails
};

struct RecordView {
  RecordStatus status = RecordStatus::incomplete;
  std::span<const std::byte> body{};
  std::size_t size = 0;  // bytes of the whole record: complete, or corrupt with a plausible length
};

// Reads the record that starts at bytes[0].
RecordView view_record(std::span<const std::byte> bytes);

// Visits the bodies of the records at the front of `bytes`, in order, until one is not complete or
// `visit(body)` returns false, which refuses it. Returns the number of bytes after those accepted.
template <class Visitor>
std::size_t for_each_record(std::span<const std::byte> bytes, Visitor&& visit) {
  while (!bytes.empty()) {
    const RecordView view = view_record(bytes);
    if (view.status != RecordStatus::complete || !visit(view.body)) break;
    bytes = bytes.subspan(view.size);
  }
  return bytes.size();
}

// Decodes a record body; false if it is malformed or has bytes left over.
template <class T>
bool decode_record(std::span<const std::byte> body, T& value) {
  Decoder decoder(body);
  T::each_field(value, decoder);
  return decoder.ok() && decoder.remaining() == 0;
}

}  // namespace photon
