// The log file map: an ordered, sparse index from event ids to places in log files.
//
// Keys are event ids, scanned by range inside one stream (server, process). `plan` turns an id into
// the file pieces that must be read to find it, or to be sure that it is not there. It relies on a
// guarantee of the reader (map_emitter.h): within a file, an event without an entry of its own has
// an earlier entry of its stream before it, whose stamp is at most W below and delta above its own,
// and which is less than M bytes away. This holds at every moment for all that lies before the
// file's last entry: the map grows from the file's beginning and never has a hole, because the
// reader has one put in flight at a time (reader.h).
//
// For the target's stamp ts, with entries of the stream in [ts - W - delta, ts + delta] (E-13,
// E-17):
//  1. an entry with the target's own id is the target;
//  2. otherwise, per file that has an entry in the range, the piece begins at the last entry in the
//     file with stamp < ts - delta: it cannot lie after the target;
//  3. a file without one begins at its first entry in the range, because the entry that the reader
//     guarantees is among those;
//  4. it ends M bytes after its last entry in the range, or at an entry with stamp > ts + delta if
//     that comes first: neither can lie before the target.
// Files are tried by the distance of their last entry at or before ts, nearest first.
// No entry in the range: the reader has not come that far, or there is no such event (E-16). The
// proof that the reader has passed the target is a file in which the stream has an entry that was
// written before it (stamp < ts - delta) and one written after it (stamp > ts + delta). Entries of
// two files prove nothing about the end of the first one, which may be written later than the
// second (C-07). A process writes the files of a server one after the other, in their sequence.
//
// Paper: Photon section 3.4.2; SPEC E-10, E-13, E-14, E-16..E-18, J-S19.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/event_id.h"
#include "core_impl/base/flat_map.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/photon/pipeline_messages.h"

namespace photon {

enum class Certainty : std::uint8_t {
  possible,  // the target may be in the piece
  certain,   // the map has an entry for the target itself, so it is in the piece or lost
};

// A piece of a log file to search. Record boundaries: `begin` and `mapped`; not `end`.
struct LogPiece {
  std::uint32_t file = 0;  // logs::LogFile::number
  std::uint64_t begin = 0;
  std::uint64_t mapped = 0;  // the file held a record here; a shorter file has lost it
  std::uint64_t end = 0;     // no record that begins at or after this is the target
  Certainty certainty = Certainty::possible;
  bool has_earlier = false;  // it begins with an event of the stream written before the target
};

class LogFileMap {
 public:
  explicit LogFileMap(const MapSpacing& spacing) : spacing_(spacing) {}

  // Idempotent; an entry for a known id replaces it (E-18).
  void put(const MapEntry& entry);
  bool holds(const MapEntry& entry) const;

  // Replaces `pieces`, in the order in which they should be searched.
  void plan(const EventId& target, PooledVector<LogPiece>& pieces) const;

  // True if the target, if it exists, has been mapped: one file has entries of the stream on both
  // sides of it.
  bool has_passed(const EventId& target) const;
  // False if the stream's entries show that the target was written to another file of its server.
  bool may_hold(std::uint32_t file, const EventId& target) const;
  // Offset in the file before which the target cannot stand: there is an entry of its stream that
  // was written earlier. 0 if there is none. True of a map with holes as well.
  std::uint64_t not_before(std::uint32_t file, const EventId& target) const;
  // Offset of the file's last entry, of any stream; 0 if it has none. The reader has read
  // everything before it.
  std::uint64_t mapped_until(std::uint32_t file) const;
  // A file of that length is shorter than the reader has seen it: it lacks a record with an entry.
  bool has_outrun(std::uint32_t file, std::uint64_t length) const;

  std::size_t size() const { return size_; }
  // Grows with every put: a plan made with an older version may miss newer entries.
  std::uint64_t version() const { return version_; }

 private:
  struct Place {
    Stamp stamp;
    std::uint64_t offset;
    std::uint32_t file;
  };
  // One stream's entries by stamp. They arrive nearly in order, so inserting is appending.
  using Stream = PooledVector<Place>;
  static std::uint64_t key_of(const EventId& id) {
    return (std::uint64_t{id.server} << 32U) | id.process;
  }

  // The stream's last entry that was written before the target, and the first one after it.
  struct Sides {
    const Place* before = nullptr;
    const Place* after = nullptr;
  };
  Sides sides_of(const EventId& target) const;

  // Fills in where the piece begins and ends, from the entries in the range and those above it.
  void bound(LogPiece& piece, Stamp ts, std::span<const Place> range,
             std::span<const Place> above) const;

  // ts - delta and ts + delta.
  Stamp lowest_near(Stamp ts) const { return shifted(ts, -spacing_.disorder); }
  Stamp highest_near(Stamp ts) const { return shifted(ts, spacing_.disorder); }

  MapSpacing spacing_;
  std::size_t size_ = 0;
  std::uint64_t version_ = 0;
  FlatMap<std::uint64_t, Stream> streams_;
  FlatMap<std::uint64_t, std::uint64_t> last_offsets_;  // by file
};

}  // namespace photon
