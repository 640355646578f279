// The EventStore's reader: tails the primary logs, fills the cache, writes the log file map.
//
// A round lists the directory and reads the files that have grown, each in its own order. Records
// go in batches to the cache nodes that own them (best effort: lost fills are misses, E-08), and
// sparse entries to the log store. Invariants:
//  * Every event read has its map entry (its own, or one before it) in a put already
//    acknowledged, in the one in flight, or in the next. Puts are acknowledged when durable and
//    repeated until then.
//  * One put is in flight at a time, so the map never has a hole. Whenever a copy of a put takes
//    effect, however late and even if its reader is dead, all entries of that life on which its
//    events rely are durable; bytes before the place where that life began were covered by an
//    earlier one. The log store concludes "not found" from this (log_file_map.h).
//  * Progress is claimed (trace::ReaderProgress) and offsets are saved only up to the end of
//    acknowledged puts. After a crash reading resumes at the saved offsets and sends entries again
//    that may be known: puts are idempotent (E-18).
//  * Saved offsets of a dead life may arrive late and overwrite a successor's: then work is
//    repeated, and nothing is lost.
//
// Paper: Photon section 3.4.1, 3.4.2; SPEC E-07, E-08, E-10..E-12, E-16, E-18, J-S19.
#pragma once

#include <optional>
#include <span>

#include "core_impl/base/flat_map.h"
#include "core_impl/logs/directory_scan.h"
#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/event_store/hash_ring.h"
#include "core_impl/photon/event_store/map_emitter.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/volume_retry.h"

namespace photon {

// The state that the reader saves: how far each file is findable.
struct ReaderState {
  struct File {
    std::uint32_t file = 0;  // logs::LogFile::number
    std::uint64_t offset = 0;

    template <class Self, class Visitor>
    static void each_field(Self& self, Visitor&& visit) {
      visit(self.file, self.offset);
    }
  };
  PooledVector<File> files;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.files);
  }
};

class EventStoreReader final : public Node {
 public:
  using Inbox = Accepts<MapPutDone>;
  enum Timer : TimerKind { kPollTimer = 0 };
  struct Statistics {
    std::uint64_t records = 0;
    std::uint64_t entries = 0;
    std::uint64_t fills_sent = 0;
    std::uint64_t puts_sent = 0;     // repeated ones included
    std::uint64_t damaged = 0;       // records skipped because their checksum fails
    std::uint64_t malformed = 0;     // sound records that are no primary event
    std::uint64_t failed_reads = 0;  // of a log file or the directory; repeated
    std::uint64_t state_lost = 0;    // 1: the saved offsets were unreadable; began from nothing
  };

  explicit EventStoreReader(const EventStoreReaderOptions& options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const MapPutDone& done);

  const Statistics& statistics() const { return statistics_; }

 private:
  struct File {
    logs::LogReader reader{};
    MapEmitter emitter{};
    MonotonicTime grew{};        // when the listing last showed growth
    std::uint64_t findable = 0;  // acknowledged puts cover everything before
    bool touched = false;        // read since the last put
    bool suspected = false;      // its incomplete tail has been searched for sound records
  };
  struct Reach {
    std::uint32_t index;  // of the file
    std::uint64_t end;
  };
  struct Put {
    std::uint64_t request = 0;
    Body message{};
    MonotonicTime sent{};
    PooledVector<Reach> reaches{};  // what it makes findable
  };
  enum class Phase : std::uint8_t { restoring, idle, listing, reading };

  void restore(Context& context);
  void on_state(Context& context, IoResult& result);
  void add_known_files(MonotonicTime now);
  std::uint32_t number_of(std::uint32_t index) const {
    return logs::log_file_of(scan_[index].name).number();
  }
  void start_round(Context& context);
  void on_listing(Context& context, IoResult& result);
  void read_grown(Context& context);
  void read_more(Context& context);
  void read_file(Context& context, std::uint32_t index);
  void on_log_read(Context& context, std::uint32_t index, IoResult& result);
  void consume_item(Context& context, std::uint32_t index, const logs::LogItem& item);
  void end_round(Context& context);
  void send_fill(Context& context, std::uint32_t cache);
  void send_put(Context& context);
  void transmit_put(Context& context);
  void resend_put(Context& context);
  void claim(Context& context, std::span<const Reach> reaches);
  bool is_held_up() const { return entries_.size() >= options_.max_unsent; }
  void save(Context& context);

  EventStoreReaderOptions options_;
  HashRing ring_;
  logs::DirectoryScan scan_{logs::LogType::primary};
  PooledVector<File> files_;  // by index of scan_
  Phase phase_ = Phase::restoring;
  VolumeRetry restore_;  // with the timer of the rounds
  Ticket listing_{};
  PooledVector<std::uint32_t> grown_;  // files still to be read in this round
  std::size_t next_grown_ = 0;
  FlatMap<std::uint64_t, std::uint32_t> reads_;  // ticket to file index
  PooledVector<logs::PrimaryBatch> fills_;       // per cache node
  PooledVector<MapEntry> entries_;               // of the next put
  PooledVector<std::uint32_t> touched_;          // files of the next put
  std::optional<Put> put_;                       // in flight
  std::uint64_t next_put_ = 1;
  MonotonicTime next_listing_{};
  MonotonicTime saved_at_{};
  bool stumbled_ = false;  // a read of this round failed: wait before trying again
  std::optional<Ticket> saving_;
  bool unsaved_ = false;
  Statistics statistics_;
};

}  // namespace photon
