// The LogsEventStore: finds a query in the log files themselves, through the log file map.
//
// Invariants:
//  * A put is acknowledged only when its entries are durable in the cell; it may be repeated.
//  * `not_found` means that the query is not among the bytes that can be read here: every place
//    where it could be was read. In addition, either the map or the pieces searched show a later
//    event of its stream, or the unmapped bytes were searched to the end of the file. The search
//    uses the map as it was when it was planned; if the map has grown since, it begins anew.
//    A reader that lags or is down therefore costs time, never a wrong answer: clicks are given up
//    on `not_found`. A file that is shorter than the map knows it to be has lost its end. The lost
//    bytes may soon be back, so nothing is reported missing meanwhile. Everything else that is not
//    `found` is `error`: a missing, shrunken or unreadable file, damage in the piece searched, too
//    much unmapped (tail_bytes), a map that is not rebuilt yet, too many requests (E-18). Nothing
//    is remembered from one look-up to the next (E-03).
//  * A map that may have holes, because a journal is damaged or torn, costs reads. The entries
//    left still show where a query cannot be; all other bytes of its files are searched. Such a map
//    may not know how long a file was, and then takes one that has lost its end for complete.
//  * At most max_concurrent searches read at a time; the rest wait in order. While one reads, its
//    client gets progress reports and waits.
//
// The map is kept in one file per life (cell_log/cell_files.h); a restart reads those of all
// earlier lives and begins its own, so that nothing is ever written after a torn tail.
//
// Paper: Photon section 3.4.2; SPEC E-02, E-03, E-10, E-13, E-14, E-16..E-18, E-20.
#pragma once

#include "core_impl/base/flat_map.h"
#include "core_impl/base/slab.h"
#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/cell_log/group_log.h"
#include "core_impl/photon/event_store/log_file_map.h"
#include "core_impl/photon/event_store/map_recovery.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/runtime/accepts.h"

namespace photon {

class LogStore final : public Node {
 public:
  using Inbox = Accepts<QueryRequest, MapPut>;
  enum Timer : TimerKind { kJournalTimer = 0, kRecoveryTimer = 1 };
  struct Statistics {
    std::uint64_t found = 0;
    std::uint64_t not_found = 0;
    std::uint64_t errors = 0;
    std::uint64_t refused = 0;  // errors: map not rebuilt yet, too many requests, waited too long
    std::uint64_t reads = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t most_bytes_for_one = 0;
    std::uint64_t entries_put = 0;
  };

  explicit LogStore(const LogStoreOptions& options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void report_use(UseSink& sink) const override {
    sink.use({trace::Resource::event_store_searches, searches_.size(), options_.max_concurrent,
              waiting_.size()});
  }

  void on(Context& context, NodeId from, const QueryRequest& request);
  void on(Context& context, NodeId from, const MapPut& put);

  const Statistics& statistics() const { return statistics_; }
  const LogFileMap& map() const { return map_; }
  bool is_ready() const { return recovery_.is_finished(); }

 private:
  struct Asked {
    NodeId from = kNoNode;
    std::uint64_t request = 0;
    EventId query;
    MonotonicTime heard{};  // time of the last message from or to its client
  };
  // First the mapped pieces, then a listing of the files, then their unmapped parts.
  enum class Stage : std::uint8_t { mapped, listing, unmapped };
  struct Searched {
    std::uint32_t file = 0;
    std::uint64_t until = 0;  // from the beginning of the piece
  };
  struct Search {
    Asked asked;
    PooledVector<LogPiece> pieces{};
    PooledVector<Searched> searched{};
    std::uint32_t current = 0;       // index in pieces
    std::uint64_t bytes = 0;         // read so far
    std::uint32_t asked_bytes = 0;   // of the read under way
    std::uint64_t looked_until = 0;  // end of the examined bytes in the file read last
    Stage stage = Stage::mapped;
    bool failed = false;  // some piece could not be searched
    bool passed = false;  // a later event of the stream was seen
    std::uint32_t plans = 0;
    std::uint64_t map_version = 0;  // with which it was planned
    logs::LogReader reader{};
  };
  using Searches = Slab<Search>;
  enum class Verdict : std::uint8_t { reading, found, absent, failed };
  struct WaitingPut {
    NodeId from = kNoNode;
    std::uint64_t request = 0;
    std::uint64_t end = 0;  // position in the journal after its entries
    PooledVector<MapEntry> entries;
  };

  void start_waiting(Context& context);
  void start_search(Context& context, const Asked& asked);
  void plan(Context& context, Searches::Handle handle, Search& search);
  void next_piece(Context& context, Searches::Handle handle, Search& search);
  void end_stage(Context& context, Searches::Handle handle, Search& search);
  void list_files(Context& context, Searches::Handle handle, Search& search);
  void plan_unmapped(Search& search, const IoResult& result);
  void begin_piece(Context& context, Searches::Handle handle, Search& search);
  void report_progress(Context& context, Asked& asked) const;
  void read_on(Context& context, Searches::Handle handle, Search& search, Access access);
  void on_log_read(Context& context, Searches::Handle handle, IoResult& result);
  Verdict examine(Context& context, Search& search, IoResult& result);
  void finish(Context& context, Searches::Handle handle, QueryStatus status);
  void answer(Context& context, const Asked& asked, QueryStatus status, const PayloadView& payload);
  void settle_puts(Context& context);

  LogStoreOptions options_;
  LogFileMap map_;
  MapRecovery recovery_;
  GroupLog journal_;
  PooledDeque<WaitingPut> waiting_puts_;
  PooledDeque<Asked> waiting_;
  Searches searches_;
  FlatMap<std::uint64_t, Searches::Handle> reads_;  // by ticket
  Statistics statistics_;
};

}  // namespace photon
