// The dispatcher: sees that every click of its datacenter's logs reaches a joiner, at least once.
//
// Life of a click: taken from the log; looked up in the IdRegistry; sent to a joiner; finished when
// a success comes back. Anything else - a failure, a rejection, silence, a look-up without answer -
// saves it in the retry store with its attempt count and due time, and later it starts again at the
// look-up. Clicks are independent of each other: none waits for its neighbour's query (C-14).
//
// Invariants:
//  * the offset persisted for a file passes a click only if that click is finished or saved, and
//    the record that saves it lies before the offset in the same journal (C-04);
//  * a saved click is removed only after a success (C-26);
//  * a look-up without a definitive answer is never taken for `exists` (B-73);
//  * a success finishes its click also after the time-out, as long as the click waits for its next
//    attempt;
//  * looked-up clicks and sends under way stay below their caps; fresh and retried clicks start in
//    turn while both are at hand, so neither starves (C-33, J-P6);
//  * without a held lease nothing new is started; once fenced, nothing is done any more (C-06).
//
// Needs in its datacenter's cell: its directory dispatcher/NNNNN/ (cell_log/cell_files.h), of which
// the incarnation registry fences the earlier lives.
//
// Paper: Photon section 3.2; SPEC C-01..C-27, B-73, J-S12, J-S14, J-S18.
#pragma once

#include <cstdint>

#include "core_impl/base/flat_map.h"
#include "core_impl/photon/incarnations/incarnation_client.h"
#include "core_impl/photon/intake/backoff.h"
#include "core_impl/photon/intake/click_source.h"
#include "core_impl/photon/intake/state_store.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "core_impl/rpc/in_flight.h"
#include "core_impl/rpc/open_requests.h"
#include "core_impl/runtime/accepts.h"

namespace photon {

enum class PreLookup : std::uint8_t { on, off };
// Clicks that verification brings back (F-08): those of the datacenter's cell.
enum class Reinjected : std::uint8_t { ignored, taken };

struct DispatcherOptions {
  NodeId incarnations = kNoNode;  // incarnation registry of the datacenter
  VolumeId logs{};                // input logs of the datacenter
  VolumeId cell{};
  PooledVector<NodeId> joiners{};  // of the datacenter; at least one
  // `timer` is set by the dispatcher; `lookup_deadline` is its look-up time-out.
  RegistryClientOptions registry{};
  PreLookup pre_lookup = PreLookup::on;
  Reinjected reinjected = Reinjected::ignored;
  Backoff backoff{};
  Duration scan_period = std::chrono::seconds(1);
  std::uint32_t scan_jitter_permille = 500;  // of the pauses between scans, each drawn anew
  Duration send_timeout = std::chrono::seconds(10);
  Duration state_save_period = std::chrono::seconds(1);
  Duration lease = std::chrono::seconds(10);
  Duration cell_retry_delay = std::chrono::milliseconds(200);
  Duration step_cost{};  // CPU time per click started
  std::uint32_t max_outstanding_lookups = 1000;
  std::uint32_t max_outstanding_sends = 1000;
  // Clicks in memory, retried ones included; at the limit no fresh ones are taken.
  std::uint32_t max_pending_clicks = 1'000'000;
  std::uint32_t read_chunk = 64U << 10U;  // bytes per read of a log file
  std::uint32_t max_concurrent_reads = 16;
  std::uint64_t compaction_slack = std::uint64_t{256} << 10U;  // of the journal, bytes
};

struct DispatcherStatistics {
  std::uint64_t clicks_taken = 0;
  std::uint64_t clicks_read_again = 0;  // and found there, so taken no second time
  std::uint64_t sends = 0;
  std::uint64_t send_timeouts = 0;
  std::uint64_t rejections = 0;  // too_many_in_flight, registry_throttled
  std::uint64_t failures = 0;    // other failure replies
  std::uint64_t unknown_lookups = 0;
  std::uint64_t saves = 0;
  std::uint64_t stale_replies = 0;  // late or duplicate
  std::uint64_t fenced = 0;         // 1: this life was ended by a later one
};

class DispatcherWorker final : public Node {
 public:
  using Inbox = Accepts<IncarnationGrant, RegistryReply, ShardingReply, JoinReply>;
  enum Timer : TimerKind {
    kScan = 0,
    kClicks = 1,
    kRegistry = 2,
    kJournal = 3,
    kIncarnation = 4,
    kSave = 5,
    kSharding = 6
  };

  explicit DispatcherWorker(DispatcherOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const IncarnationGrant& grant);
  void on(Context& context, NodeId from, const RegistryReply& reply);
  void on(Context& context, NodeId from, const ShardingReply& reply);
  void on(Context& context, NodeId from, const JoinReply& reply);

  const DispatcherStatistics& statistics() const { return statistics_; }
  const RegistryClient& registry() const { return registry_; }
  const ClickSource& source() const { return source_; }
  const StateStore& store() const { return store_; }
  // Clicks taken or recovered and not finished, and those of them in the retry store.
  std::size_t pending() const { return clicks_.size(); }
  std::size_t saved() const { return saved_; }
  std::size_t outstanding_sends() const { return requests_.size(); }

 private:
  enum class Stored : std::uint8_t { no, yes };
  struct Click {
    EventId id;
    EventId query;
    Bytes payload;
    ClickPlace place;           // while it is not stored
    LocalTime due{};            // while it is stored
    std::uint64_t request = 0;  // of the last send; 0 from the start of the next attempt on
    NodeId last_joiner = kNoNode;
    std::uint64_t removed_at = 0;  // brought back: a look-up from before would still find it
    std::uint32_t attempts = 0;    // sends
    std::uint32_t failures = 0;
    Stored stored = Stored::no;
  };
  using Handle = rpc::InFlight<Click>::Handle;

  static SavedRecord record_of(const Click& click);
  void recover(Context& context);
  Bytes snapshot();
  void save_offsets();

  // Starts whatever may be started, and flushes what this turn has produced.
  void pump(Context& context);
  void start_clicks(Context& context);
  bool start_fresh(Context& context);
  bool start_retry(Context& context);
  void start(Context& context, Handle handle);
  void drain_lookups(Context& context);
  void send_waiting(Context& context);
  void send(Context& context, Handle handle, Click& click);
  NodeId choose_joiner(Context& context, const Click& click) const;

  void on_late_reply(Context& context, const JoinReply& reply);
  void finish(Context& context, Handle handle, trace::DoneReason reason);
  void fail(Context& context, Handle handle);
  void take_due_clicks(Context& context);
  void arm_scan(Context& context);
  void stop();

  DispatcherOptions options_;
  IncarnationClient life_;
  RegistryClient registry_;
  ClickSource source_;
  StateStore store_;
  rpc::InFlight<Click> clicks_;
  rpc::OpenRequests requests_;           // sends under way
  FlatMap<std::uint64_t, Handle> late_;  // sends that timed out, while their clicks wait
  // Clicks of an earlier life that are still in the store: a log read again may bring them again.
  FlatMap<EventId, Handle> recovered_;
  PooledDeque<Handle> retries_;   // due
  PooledDeque<Handle> sendable_;  // looked up, waiting for a free send
  std::size_t saved_ = 0;
  std::uint64_t scans_ = 0;
  bool retry_first_ = false;
  bool ready_ = false;
  bool stopped_ = false;
  DispatcherStatistics statistics_;
};

}  // namespace photon
