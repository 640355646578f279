// Incremental reading of one growing log file.
//
// The owner reads bytes from a volume and supplies them; the reader hands out complete records one
// by one. Invariants:
//  * `offset()` is always a record boundary: after the last record handed out (A-23, C-08).
//  * An incomplete trailing record is left where it is, to be read again once the file has grown.
//  * A damaged record is handed out as an item of its own with its place and extent, never as a
//    record. Reading continues at the next position at which a checksum fits, whatever length the
//    damaged record claims (so what is logged must not contain framed records). If there is none,
//    the reader waits for more bytes (`is_in_doubt`): a wrong length would lead into the middle of
//    a sound record that is not complete yet. In a file that has stopped growing the reader
//    believes a length that ends where the file ends.
//
//   reader.supply(offset_of_bytes, std::move(result.data));
//   while (const std::optional<LogItem> item = reader.next()) { ... }
//   // exhausted: read reader.read_size() bytes from reader.offset() next.
//
// Paper: Photon section 3.2; SPEC, C-08, E-10.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/record_codec.h"

namespace photon::logs {

enum class LogItemKind : std::uint8_t { record, damaged };

struct LogItem {
  LogItemKind kind = LogItemKind::record;
  std::uint64_t offset = 0;           // of the first byte
  std::uint64_t end = 0;              // of the byte after the last one
  std::span<const std::byte> body{};  // record: what was framed; valid until the next call of next
                                      // or supply
  // record: with its frame, as stored, for consumers that forward records.
  std::span<const std::byte> framed() const {
    return {body.data() - kRecordOverhead, kRecordOverhead + body.size()};
  }
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
  std::uint32_t read_size(std::uint32_t usual) const { return usual > least_ ? usual : least_; }
  // The end of the examined bytes: a file no longer than this holds nothing new.
  std::uint64_t examined() const { return examined_ > offset_ ? examined_ : offset_; }

  // Bytes of the file from `at`. Requires at <= offset(): a gap would lose records. Bytes before
  // offset() are ignored.
  void supply(std::uint64_t at, Bytes bytes, Tail tail = Tail::growing);
  // The next item, or nothing when the supplied bytes hold no further complete one.
  std::optional<LogItem> next();

  // It stands before bytes that are no sound record and cannot become one by growing.
  bool is_in_doubt() const { return in_doubt_; }

  std::uint64_t damaged_items() const { return damaged_items_; }
  std::uint64_t damaged_bytes() const { return damaged_bytes_; }

 private:
  std::span<const std::byte> rest() const {
    return std::span<const std::byte>(bytes_).subspan(used_);
  }
  LogItem take(LogItemKind kind, std::size_t size, std::span<const std::byte> body);
  std::size_t damage_extent(const RecordView& view) const;
  void exhaust();

  std::uint64_t offset_;
  std::uint64_t examined_ = 0;
  std::uint64_t damaged_items_ = 0;
  std::uint64_t damaged_bytes_ = 0;
  Bytes bytes_;  // what was supplied; its byte `used_` is at offset_
  std::size_t used_ = 0;
  std::uint32_t least_ = 0;
  Tail tail_ = Tail::growing;
  bool in_doubt_ = false;
};

}  // namespace photon::logs
