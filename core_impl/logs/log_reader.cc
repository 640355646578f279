#include "core_impl/logs/log_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon::logs {
namespace {

constexpr std::size_t kLeastRead = 4096;
// With this many bytes after an impossible length, a sound record among them would be complete.
constexpr std::size_t kMostWaiting = 2 * LogReader::kPlausibleRecord;

// The size claimed by the record at the front. Requires a whole header.
std::size_t claimed_size(std::span<const std::byte> bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  return kRecordOverhead + length;
}

// Distance to the first position but 0 at which a complete record begins; 0 if there is none.
std::size_t next_sound(std::span<const std::byte> bytes) {
  for (std::size_t at = 1; at + kRecordOverhead < bytes.size(); ++at) {
    if (view_record(bytes.subspan(at)).status == RecordStatus::complete) return at;
  }
  return 0;
}

}  // namespace

void LogReader::begin_supply(std::uint64_t at, std::uint64_t end, Tail tail) {
  PHOTON_CHECK(at <= offset_, "bytes are supplied without a gap");
  PHOTON_CHECK(rest().empty() && range_.log == nullptr,
               "what was supplied before has been used up");
  examined_ = std::max(examined_, end);
  least_ = 0;
  tail_ = tail;
  in_doubt_ = false;
}

void LogReader::supply(std::uint64_t at, Bytes bytes, Tail tail) {
  begin_supply(at, at + bytes.size(), tail);
  bytes_ = std::move(bytes);
  used_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset_ - at, bytes_.size()));
}

void LogReader::supply(std::uint64_t at, IoResult& read, Tail tail) {
  if (read.range.log == nullptr) return supply(at, std::move(read.data), tail);
  PHOTON_CHECK(read.range.begin == at, "a range begins where the read began");
  begin_supply(at, read.range.end, tail);
  range_ = read.range;
}

const LogItem* LogReader::take(LogItemKind kind, std::size_t size,
                               std::span<const std::byte> body) {
  PHOTON_CHECK(size > 0, "an item has bytes");
  item_ = LogItem{kind, offset_, offset_ + size, {body}};
  offset_ += size;
  used_ += size;
  PHOTON_CHECK(used_ <= bytes_.size(), "no more is taken than was supplied");
  if (kind == LogItemKind::damaged) {
    PHOTON_MARK("logs.read.damaged");
    ++damaged_items_;
    damaged_bytes_ += size;
  }
  return &item_;
}

void LogReader::exhaust() {
  bytes_ = Bytes();
  used_ = 0;
}

// How many bytes to skip at a record that is broken, or looks unfinished and claims a suspicious
// size; 0: wait for more.
std::size_t LogReader::damage_extent(const RecordView& view) const {
  const auto bytes = rest();
  const bool believable = view.status == RecordStatus::corrupt && view.size > kRecordOverhead;
  // A length that leads to a sound record may still be wrong and hide others: a flipped bit does
  // this where all records have one size.
  const std::size_t sound = next_sound(bytes);
  if (believable && sound == view.size) PHOTON_MARK("logs.read.one_record_damaged");
  if (sound > 0) {
    PHOTON_MARK("logs.read.resynchronised");
    return sound;
  }
  if (believable && tail_ == Tail::stalled && view.size == bytes.size()) {
    PHOTON_MARK("logs.read.damaged_end");
    return view.size;
  }
  if (bytes.size() <= kMostWaiting) return 0;
  PHOTON_MARK("logs.read.gives_up_waiting");
  return bytes.size() - kPlausibleRecord - kRecordOverhead;
}

// Takes the record at offset_, if the range holds a whole one there. If not, what is left of the
// range becomes bytes.
bool LogReader::take_of_range() {
  if (offset_ < range_.end) {
    range_.log->event_at(offset_, event_);
    PHOTON_CHECK(event_.begin <= offset_ && offset_ < event_.end, "the event of that byte");
    if (event_.begin == offset_ && event_.end <= range_.end) {
      offset_ = event_.end;
      item_ = LogItem{LogItemKind::record, event_.begin, event_.end, {{}, &event_}};
      return true;
    }
    PHOTON_CHECK(bytes_.empty(), "a reader holds a range or bytes");
    range_.log->read(offset_, range_.end - offset_, bytes_);
    used_ = 0;
  }
  range_ = {};
  return false;
}

const LogItem* LogReader::next() {
  if (range_.log != nullptr && take_of_range()) return &item_;
  const auto bytes = rest();
  const RecordView view = view_record(bytes);
  if (view.status == RecordStatus::complete) return take(LogItemKind::record, view.size, view.body);
  std::size_t needed = kLeastRead;
  if (bytes.size() >= kRecordOverhead) {
    const std::size_t claimed = claimed_size(bytes);
    const bool impossible = claimed > kPlausibleRecord + kRecordOverhead;
    if (impossible) PHOTON_MARK("logs.read.impossible_length");
    const bool suspicious = view.status == RecordStatus::corrupt || impossible ||
                            tail_ == Tail::stalled || bytes.size() >= kSuspiciousTail;
    const std::size_t extent = suspicious ? damage_extent(view) : 0;
    if (extent > 0) return take(LogItemKind::damaged, extent, {});
    if (view.status == RecordStatus::corrupt) PHOTON_MARK("logs.read.in_doubt");
    in_doubt_ = view.status == RecordStatus::corrupt;
    needed = impossible || in_doubt_ ? std::min(2 * bytes.size(), kMostWaiting + 1) : claimed;
  }
  if (!bytes.empty()) least_ = narrow<std::uint32_t>(std::max(needed, kLeastRead));
  exhaust();
  return nullptr;
}

}  // namespace photon::logs
