// The clicks of one datacenter's growing log files, handed out one by one, and how far each file is
// settled.
//
// Discovers files by listing, reads chunks, keeps what it has read until it is asked for: `next`
// takes one record from each file in turn, so no file waits for another. For each file it tracks
// which of the clicks handed out are settled (finished, or saved for a retry), and offers as the
// offset to persist the end of the contiguous settled prefix, never more (C-04).
//
// Bounded: at most `max_reads` chunks are being read or hold undelivered records.
//
// Paper: Photon section 3.2; SPEC A-23, C-02, C-04, C-05, C-07, C-08, C-09.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/logs/directory_scan.h"
#include "core_impl/logs/event.h"
#include "core_impl/logs/log_reader.h"
#include "core_impl/runtime/context.h"

namespace photon {

// Names one record handed out: the file by its index, the record by its number since the start.
struct ClickPlace {
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
};

struct TakenClick {
  logs::ForeignEvent event;
  ClickPlace place;
};

class ClickSource {
 public:
  struct Options {
    VolumeId logs{};
    std::uint32_t read_chunk = 64U << 10U;
    std::uint32_t max_reads = 16;
  };

  explicit ClickSource(const Options& options) : options_(options), scan_(logs::LogType::foreign) {}

  // Before the first scan: `file` was settled up to `offset` by an earlier life.
  void restore(logs::LogFile file, std::uint64_t offset);

  // Asks for the directory, unless an earlier question is still open.
  void scan(Context& context);
  // Starts the reads that are worth it and allowed.
  void pump(Context& context);
  // True if the completion was for this object.
  bool on_io(Context& context, Ticket ticket, IoResult& result);

  // The next click, if one is at hand; traces ClickRead. A record that is damaged or no click
  // counts in `damaged_records` and is passed over.
  std::optional<TakenClick> next(Context& context);

  // The click handed out with `place` is finished or saved. Once per place.
  void settle(const ClickPlace& place);

  // Visits (file number, offset) of every file whose settled prefix grew since the last call.
  template <class Visitor>
  void take_advanced(Visitor&& visit) {
    for (const std::uint32_t index : advanced_) {
      files_[index].listed_advanced = false;
      visit(scan_[index].file.number(), files_[index].settled);
    }
    advanced_.clear();
  }
  // Visits (file number, offset) of every file with a settled prefix, in order of discovery.
  template <class Visitor>
  void for_each_offset(Visitor&& visit) const {
    for (std::uint32_t index = 0; index < files_.size(); ++index) {
      if (files_[index].settled > 0) visit(scan_[index].file.number(), files_[index].settled);
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
    logs::LogReader reader;
    PooledDeque<Mark> window{};    // records handed out behind the settled prefix
    std::uint64_t first = 0;       // ordinal of window.front()
    std::uint64_t settled = 0;     // offset behind the settled prefix
    Ticket ticket{};               // of the read under way
    bool busy = false;             // being read, or holding undelivered records
    bool wanted = false;           // in wanted_
    bool listed_advanced = false;  // in advanced_
  };

  void adopt_new_files();
  void collect_grown();
  void want(std::uint32_t index);
  void advance(std::uint32_t index);
  void release(std::uint32_t index);
  std::optional<std::uint32_t> file_of(Ticket ticket) const;
  void on_read(std::uint32_t index, IoResult& result);

  Options options_;
  logs::DirectoryScan scan_;
  PooledVector<File> files_;               // by index of scan_
  PooledDeque<std::uint32_t> wanted_;      // files with bytes to read, in turn
  PooledVector<std::uint32_t> reading_;    // files with a read under way
  PooledDeque<std::uint32_t> delivering_;  // files with undelivered records, in turn
  PooledVector<std::uint32_t> advanced_;
  PooledVector<std::uint32_t> grown_;  // scratch
  std::optional<Ticket> listing_;
  std::uint64_t damaged_records_ = 0;
};

}  // namespace photon
