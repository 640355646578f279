// The records of all files of a growing directory, handed out one by one, and how far each file is
// settled.
//
// Discovers files by listing, reads chunks, and keeps what it has read until it is asked for:
// `next` takes one record from each file in turn, so no file waits for another. For each file it
// tracks which of the records handed out are settled. The offset to persist is the end of the
// contiguous settled prefix, never more. The owner decides what settling means.
//
// Damage is skipped and traced with its place (trace::RecordSkipped). A last record that stays
// incomplete for long may have a damaged length and sound records after it: then it is searched
// (LogReader, Tail::stalled).
//
// A file that is shorter than it was listed, or than it was read, is left alone until the next
// scan: a copy that lost its end is filled again with the same bytes, and reading continues
// at the old offset. So no record is handed out twice, and none is skipped.
//
// Memory: less than a kilobyte for each file ever listed, read to its end or not: rotated logs and
// lives of writers make new files, and none is forgotten.
//
// Bounded: at most `max_reads` chunks are being read or hold undelivered records. An owner can
// prefer files that are up to date (lane `front`) to files that lag (lane `backlog`): it assigns
// the lane of each file and chooses the lane to take from. At most half of the chunks then belong
// to lagging files. Records that can wait stay in their file: it is read again later, and holds no
// chunk until then.
//
// Paper: Photon section 3.2; SPEC A-23, C-02, C-04, C-05, C-07, C-08, C-09.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/logs/directory_scan.h"
#include "core_impl/logs/log_reader.h"
#include "core_impl/runtime/context.h"

namespace photon::logs {

class RecordSource {
 public:
  struct Options {
    VolumeId volume{};
    std::uint32_t read_chunk = 64U << 10U;
    std::uint32_t max_reads = 16;
    Duration stalled_after = std::chrono::seconds(60);  // an incomplete last record is suspicious
    ReadForm form = ReadForm::bytes;  // of the records handed out, if the volume has a choice
  };

  // Names one record handed out: the file by its index, the record by its number since the start.
  struct Place {
    std::uint32_t file = 0;
    std::uint64_t ordinal = 0;
  };

  struct Taken {
    Place place{};
    std::uint64_t end = 0;   // of the record in its file
    RecordContent record{};  // valid until the next call of anything here
  };

  // Files are in the front lane until their owner moves them to the lane `backlog`.
  enum class Lane : std::uint8_t { front, backlog };

  RecordSource(const Options& options, DirectoryScan scan) : options_(options), scan_(scan) {}

  // Before the first scan: `file` was settled up to `offset` by an earlier life.
  void restore(const FileName& file, std::uint64_t offset);

  // Asks for the directory, unless an earlier request is still open.
  void scan(Context& context);
  // Starts the reads that are worth it and allowed.
  void pump(Context& context);
  // True if the completion was for this object.
  bool on_io(Context& context, Ticket ticket, IoResult& result);

  // The next sound record, if one is at hand; damaged ones are counted, settled and skipped.
  std::optional<Taken> next();
  std::optional<Taken> next(Lane lane);
  // Assigns the lane of the file whose record was just taken.
  void put(const Place& taken, Lane lane);
  // The record just taken, and those after it in its file, wait until `time`: its place is void,
  // and the first scan from `time` on has the file read from that record again.
  void leave(const Place& taken, MonotonicTime time);
  // The record handed out with `place` is settled. Once per place.
  void settle(const Place& place);
  // The record just taken is invalid: counted as damaged, and settled.
  void refuse(const Place& place);

  // Reads under way; and files with more bytes, which wait for one.
  std::size_t reading() const { return reading_.size(); }
  std::size_t waiting() const { return queued_[0].size() + queued_[1].size(); }
  std::uint32_t max_reads() const { return options_.max_reads; }

  // Everything that the listings so far have shown has been read and handed out by `next`.
  bool caught_up() const;

  struct Progress {
    std::uint64_t settled = 0;  // end of the settled prefix
    std::uint64_t taken = 0;    // end of what was handed out or skipped
  };
  // Nothing for a file that no listing has shown.
  std::optional<Progress> progress_of(const FileName& name) const;
  // Visits (name, begin, end) of the damage skipped by `next` since the last `pump`.
  template <class Visitor>
  void for_each_skipped(Visitor&& visit) const {
    for (const Skipped& each : skipped_) visit(scan_[each.file].name, each.begin, each.end);
  }

  const FileName& name_of(std::uint32_t file) const { return scan_[file].name; }

  // Visits (name, offset) of every file whose settled prefix grew since the last call.
  template <class Visitor>
  void take_advanced(Visitor&& visit) {
    for (const std::uint32_t index : advanced_) {
      files_[index].listed_advanced = false;
      visit(scan_[index].name, files_[index].settled);
    }
    advanced_.clear();
  }
  // Visits (name, offset) of every file with a settled prefix, in order of discovery.
  template <class Visitor>
  void for_each_offset(Visitor&& visit) const {
    for (std::uint32_t index = 0; index < files_.size(); ++index) {
      if (files_[index].settled > 0) visit(scan_[index].name, files_[index].settled);
    }
  }

  std::uint32_t files() const { return scan_.size(); }
  std::uint64_t damaged_records() const { return damaged_records_; }

 private:
  struct Mark {
    std::uint64_t end = 0;
    bool settled = false;
  };
  struct File {
    LogReader reader;
    PooledDeque<Mark> window{};    // records handed out after the settled prefix
    std::uint64_t first = 0;       // ordinal of window.front()
    std::uint64_t settled = 0;     // end of the settled prefix
    Ticket ticket{};               // of the read under way
    bool busy = false;             // being read, or holding undelivered records
    bool queued = false;           // in queued_
    bool listed_advanced = false;  // in advanced_
    Lane lane = Lane::front;
    bool suspected = false;  // its incomplete tail has been searched since it grew last
    MonotonicTime grew{};    // when the listing last showed growth
    MonotonicTime left{};    // nothing of it is read before then
  };
  struct Skipped {
    std::uint32_t file = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  using Lanes = std::array<PooledDeque<std::uint32_t>, 2>;
  static std::size_t at(Lane lane) { return static_cast<std::size_t>(lane); }

  void adopt_new_files();
  void observe(MonotonicTime now, std::span<const FileInfo> listing);
  void collect_grown(MonotonicTime now);
  void collect_stalled(MonotonicTime now);
  void trace_skipped(Context& context);
  void stop_delivering(const Place& taken);
  void want(std::uint32_t index);
  void advance(std::uint32_t index);
  void release(std::uint32_t index);
  std::optional<Lane> lane_to_read() const;
  std::optional<std::uint32_t> file_of(Ticket ticket) const;
  void on_read(std::uint32_t index, IoResult& result);

  Options options_;
  DirectoryScan scan_;
  PooledVector<File> files_;             // by index of scan_
  Lanes queued_;                         // files with bytes to read, in turn
  PooledVector<std::uint32_t> reading_;  // files with a read under way
  Lanes delivering_;                     // files with undelivered records, in turn
  PooledVector<std::uint32_t> advanced_;
  PooledVector<std::uint32_t> grown_;    // scratch
  PooledVector<std::uint64_t> lengths_;  // scratch
  PooledVector<Skipped> skipped_;        // not yet traced
  std::optional<Ticket> listing_;
  bool listed_ = false;  // once at least
  std::uint64_t damaged_records_ = 0;
};

}  // namespace photon::logs
