#include "core_impl/photon/event_store/log_file_map.h"

#include <algorithm>
#include <limits>
#include <span>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/logs/log_file.h"

namespace photon {
namespace {

constexpr auto kOffsetOfNothing = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void LogFileMap::put(const MapEntry& entry) {
  ++version_;
  Stream& stream = streams_[key_of(entry.id)];
  const Place place{entry.id.stamp, entry.offset, entry.file};
  std::uint64_t& last = last_offsets_[entry.file];
  last = std::max(last, entry.offset);
  const auto at = std::ranges::lower_bound(stream, place.stamp, {}, &Place::stamp);
  if (at != stream.end() && at->stamp == place.stamp) {
    PHOTON_MARK("event_store.map.put_again");
    *at = place;
    return;
  }
  stream.insert(at, place);
  ++size_;
}

bool LogFileMap::holds(const MapEntry& entry) const {
  const auto stream = streams_.find(key_of(entry.id));
  if (stream == streams_.end()) return false;
  const auto at = std::ranges::lower_bound(stream->second, entry.id.stamp, {}, &Place::stamp);
  return at != stream->second.end() && at->stamp == entry.id.stamp && at->file == entry.file &&
         at->offset == entry.offset;
}

LogFileMap::Sides LogFileMap::sides_of(const EventId& target) const {
  Sides sides;
  const auto found = streams_.find(key_of(target));
  if (found == streams_.end()) return sides;
  const Stream& stream = found->second;
  const auto low = std::ranges::lower_bound(stream, lowest_near(target.stamp), {}, &Place::stamp);
  const auto high = std::ranges::upper_bound(stream, highest_near(target.stamp), {}, &Place::stamp);
  if (low != stream.begin()) sides.before = &*(low - 1);
  if (high != stream.end()) sides.after = &*high;
  return sides;
}

bool LogFileMap::has_passed(const EventId& target) const {
  const Sides sides = sides_of(target);
  return sides.before != nullptr && sides.after != nullptr &&
         sides.before->file == sides.after->file;
}

bool LogFileMap::may_hold(std::uint32_t file, const EventId& target) const {
  const Sides sides = sides_of(target);
  const auto sequence = [](std::uint32_t number) {
    return logs::LogFile::from_number(number).sequence;
  };
  return (sides.before == nullptr || sequence(sides.before->file) <= sequence(file)) &&
         (sides.after == nullptr || sequence(file) <= sequence(sides.after->file));
}

std::uint64_t LogFileMap::not_before(std::uint32_t file, const EventId& target) const {
  const Place* before = sides_of(target).before;
  return before != nullptr && before->file == file ? before->offset : 0;
}

std::uint64_t LogFileMap::mapped_until(std::uint32_t file) const {
  const auto found = last_offsets_.find(file);
  return found == last_offsets_.end() ? 0 : found->second;
}

bool LogFileMap::has_outrun(std::uint32_t file, std::uint64_t length) const {
  const auto found = last_offsets_.find(file);
  return found != last_offsets_.end() && length <= found->second;
}

void LogFileMap::plan(const EventId& target, PooledVector<LogPiece>& pieces) const {
  pieces.clear();
  const auto found = streams_.find(key_of(target));
  if (found == streams_.end()) return;
  const Stream& stream = found->second;
  const Stamp ts = target.stamp;
  const Stamp lowest = shifted(lowest_near(ts), -spacing_.interval);
  const auto first = std::ranges::lower_bound(stream, lowest, {}, &Place::stamp);
  const auto last = std::ranges::upper_bound(stream, highest_near(ts), {}, &Place::stamp);
  const auto here = std::ranges::lower_bound(stream, ts, {}, &Place::stamp);
  if (here != stream.end() && here->stamp == ts) {
    pieces.push_back(
        {here->file, here->offset, here->offset, here->offset + 1, Certainty::certain, true});
    return;
  }
  // Backwards from the nearest entry at or before ts, then the ones above: files come out in the
  // order in which they are likely to hold the target.
  const auto visit = [&](const Place& place) {
    auto piece = std::ranges::find(pieces, place.file, &LogPiece::file);
    if (piece == pieces.end()) {
      pieces.push_back({place.file, kOffsetOfNothing, place.offset, 0, Certainty::possible, false});
      piece = pieces.end() - 1;
    }
    piece->mapped = std::max(piece->mapped, place.offset);
  };
  for (auto at = here; at != first;) visit(*--at);
  for (auto at = here; at != last; ++at) visit(*at);
  for (LogPiece& piece : pieces) bound(piece, ts, {first, last}, {last, stream.end()});
}

void LogFileMap::bound(LogPiece& piece, Stamp ts, std::span<const Place> range,
                       std::span<const Place> above) const {
  std::uint64_t safe = 0;
  bool has_safe = false;
  std::uint64_t least = kOffsetOfNothing;
  for (const Place& place : range) {
    if (place.file != piece.file) continue;
    least = std::min(least, place.offset);
    if (place.stamp >= lowest_near(ts)) continue;
    safe = std::max(safe, place.offset);
    has_safe = true;
  }
  piece.begin = has_safe ? safe : least;
  piece.has_earlier = has_safe;
  piece.end = piece.mapped + spacing_.interval_bytes;
  // The map is sorted by stamp: the entry above the range shortens nearly every piece. Entries of
  // other files do not bound this one.
  constexpr std::size_t kLookAhead = 4;
  for (const Place& place : above.first(std::min(above.size(), kLookAhead))) {
    if (place.file == piece.file) piece.end = std::min(piece.end, place.offset);
  }
  PHOTON_CHECK(piece.begin <= piece.mapped, "a piece begins at or before its last entry");
}

}  // namespace photon
