// Incremental reading of one growing log file.
//
// The owner reads from a volume and supplies what came, bytes or a range of records; the reader
// hands out complete records one by one, the same ones for both forms. Invariants:
//  * `offset()` is always a record boundary: after the last record handed out (A-23, C-08).
//  * An incomplete trailing record is left where it is, to be read again once the file has grown.
//  * A damaged record is handed out as an item of its own with its place and extent, never as a
//    record. Reading continues at the next position at which a checksum fits, whatever length the
//    damaged record claims (so what is logged must not contain framed records). If there is none,
//    the reader waits for more bytes (`is_in_doubt`): a wrong length would lead into the middle of
//    a sound record that is not complete yet. In a file that has stopped growing the reader
//    believes a length that ends where the file ends.
//
//  * A record of a range has its fields instead of bytes, and no checksum is computed. Where no
//    whole record begins at offset(), the rest of the range is read as bytes.
//
//   reader.supply(offset_of_the_read, result);
//   while (const LogItem* item = reader.next()) { ... }
//   // exhausted: read reader.read_size() bytes from reader.offset() next.
//
// Paper: Photon section 3.2; SPEC, C-08, E-10.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/record_content.h"
#include "core_impl/runtime/volume.h"

namespace photon::logs {

enum class LogItemKind : std::uint8_t { record, damaged };

struct LogItem {
  LogItemKind kind = LogItemKind::record;
  std::uint64_t offset = 0;  // of the first byte
  std::uint64_t end = 0;     // of the byte after the last one
  RecordContent record{};    // record: its content; damaged: empty
};

// What the owner knows about the end of the file.
enum class Tail : std::uint8_t {
  growing,  // more bytes may come at any moment: an incomplete record is still being written
  stalled,  // the file has not grown for long: an incomplete record may be a damaged length
};

class LogReader {
 public:
  // A longer record is taken for a damaged length. The records of every role are far below.
  static constexpr std::size_t kPlausibleRecord = std::size_t{1} << 20U;
  // An unfinished record followed by this many bytes is searched for sound records.
  static constexpr std::size_t kSuspiciousTail = std::size_t{64} << 10U;

  explicit LogReader(std::uint64_t offset = 0) : offset_(offset) {}

  std::uint64_t offset() const { return offset_; }
  // Bytes to read next so that progress is certain if the file has them: `usual`, or more if a
  // record did not fit into what was supplied.
  std::uint32_t read_size(std::uint32_t usual) const { return std::max(usual, least_); }
  // The end of the examined bytes: a file no longer than this holds nothing new.
  std::uint64_t examined() const { return std::max(examined_, offset_); }

  // Bytes of the file from `at`. Requires at <= offset(): a gap would lose records. Bytes before
  // offset() are ignored.
  void supply(std::uint64_t at, Bytes bytes, Tail tail = Tail::growing);
  // The same of a read that began at `at`, in either form; takes its bytes.
  void supply(std::uint64_t at, IoResult& read, Tail tail = Tail::growing);
  // The next item, valid until the next call of next or supply; null when what was supplied holds
  // no further complete one.
  const LogItem* next();

  // It stands before bytes that are no sound record and cannot become one by growing.
  bool is_in_doubt() const { return in_doubt_; }

  std::uint64_t damaged_items() const { return damaged_items_; }
  std::uint64_t damaged_bytes() const { return damaged_bytes_; }

 private:
  std::span<const std::byte> rest() const {
    return std::span<const std::byte>(bytes_).subspan(used_);
  }
  void begin_supply(std::uint64_t at, std::uint64_t end, Tail tail);
  bool take_of_range();
  const LogItem* take(LogItemKind kind, std::size_t size, std::span<const std::byte> body);
  std::size_t damage_extent(const RecordView& view) const;
  void exhaust();

  std::uint64_t offset_;
  std::uint64_t examined_ = 0;
  std::uint64_t damaged_items_ = 0;
  std::uint64_t damaged_bytes_ = 0;
  Bytes bytes_;  // what was supplied; its byte `used_` is at offset_
  std::size_t used_ = 0;
  RecordRange range_{};  // what was supplied, from offset_ on
  LogItem item_{};       // handed out last
  StoredEvent event_{};  // of that item, if it came from the range
  std::uint32_t least_ = 0;
  Tail tail_ = Tail::growing;
  bool in_doubt_ = false;
};

}  // namespace photon::logs
