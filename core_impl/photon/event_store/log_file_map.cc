#include "core_impl/photon/event_store/log_file_map.h"

#include <algorithm>
#include <limits>
#include <span>

namespace photon {
namespace {

constexpr auto kOffsetOfNothing = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void LogFileMap::put(const MapEntry& entry) {
  Stream& stream = streams_[key_of(entry.id)];
  const Place place{entry.id.stamp, entry.offset, entry.file};
  std::uint64_t& last = last_offsets_[entry.file];
  last = std::max(last, entry.offset);
  const auto at = std::ranges::lower_bound(stream, place.stamp, {}, &Place::stamp);
  if (at != stream.end() && at->stamp == place.stamp) {
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

bool LogFileMap::has_passed(const EventId& target) const {
  const auto stream = streams_.find(key_of(target));
  return stream != streams_.end() && !stream->second.empty() &&
         stream->second.back().stamp > target.stamp + spacing_.disorder;
}

std::uint64_t LogFileMap::mapped_until(std::uint32_t file) const {
  const auto found = last_offsets_.find(file);
  return found == last_offsets_.end() ? 0 : found->second;
}

void LogFileMap::plan(const EventId& target, PooledVector<LogPiece>& pieces) const {
  pieces.clear();
  const auto found = streams_.find(key_of(target));
  if (found == streams_.end()) return;
  const Stream& stream = found->second;
  const Stamp ts = target.stamp;
  const Stamp lowest = ts - spacing_.interval - spacing_.disorder;
  const auto first = std::ranges::lower_bound(stream, lowest, {}, &Place::stamp);
  const auto last = std::ranges::upper_bound(stream, ts + spacing_.disorder, {}, &Place::stamp);
  const auto here = std::ranges::lower_bound(stream, ts, {}, &Place::stamp);
  if (here != stream.end() && here->stamp == ts) {
    pieces.push_back(
        {here->file, here->offset, here->offset, here->offset + 1, Certainty::certain});
    return;
  }
  // Backwards from the nearest entry at or before ts, then the ones above: files come out in the
  // order in which they are likely to hold the target.
  const auto visit = [&](const Place& place) {
    auto piece = std::ranges::find(pieces, place.file, &LogPiece::file);
    if (piece == pieces.end()) {
      pieces.push_back({place.file, kOffsetOfNothing, place.offset, 0, Certainty::possible});
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
    if (place.stamp >= ts - spacing_.disorder) continue;
    safe = std::max(safe, place.offset);
    has_safe = true;
  }
  piece.begin = has_safe ? safe : least;
  piece.end = piece.mapped + spacing_.interval_bytes;
  // The map is sorted by stamp: one look at the entry above the range is enough to shorten nearly
  // every piece. Entries of other files say nothing about this one.
  constexpr std::size_t kLookAhead = 4;
  for (const Place& place : above.first(std::min(above.size(), kLookAhead))) {
    if (place.file == piece.file) piece.end = std::min(piece.end, place.offset);
  }
}

}  // namespace photon
