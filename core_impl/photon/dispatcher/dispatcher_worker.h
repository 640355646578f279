// The dispatcher: sends every click of its datacenter's logs to a joiner, at least once.
//
// Life of a click: taken from the log; looked up in the IdRegistry; sent to a joiner; finished when
// a success comes back. Anything else (a failure, a rejection, silence, a look-up without answer)
// saves it in the retry store with its attempt count and due time, and later it starts again at the
// look-up. Clicks are independent of each other: none waits for its neighbour's query (C-14),
// unless they are grouped to study the cost of groups (click_groups.h).
//
// Invariants:
//  * the offset persisted for a file passes a click only if that click is finished or saved, and
//    the record that saves it lies before the offset in the same journal (C-04);
//  * a saved click is removed only after a success (C-26);
//  * a look-up without a definitive answer is never taken for `exists` (B-73);
//  * a success finishes its click also after the time-out, as long as the click waits for its next
//    attempt;
//  * looked-up clicks and sends under way stay below their caps. Those of a partition that has a
//    new owner count until they are answered or timed out. Fresh and retried clicks start in turn
//    while both are at hand, so neither starves (C-33, J-P6). A share of the look-ups is reserved
//    for fresh clicks; old clicks of lagging files do not get it (C-33);
//  * without a held lease no new work starts. A partition that another worker has taken is dropped
//    with all its clicks, which are the new owner's (C-06).
//
// The workers of a datacenter divide its clicks (partition.h): each owns the partitions that the
// group's rule gives it (leases/worker_group.h). It releases a partition that the rule gives to
// another worker. It takes over one of its own when the last owner has released it, sends no
// heartbeats, or was this worker in an earlier life.
//
// Needs in its datacenter's cell: dispatcher/ and dispatcher_worker/ (cell_log/cell_files.h).
//
// Paper: Photon section 3.2; SPEC C-01..C-27, C-32, C-33, G-24, B-73, J-S12, J-S14, J-S18.
#pragma once

#include <cstdint>
#include <memory>

#include "core_impl/base/check.h"
#include "core_impl/base/flat_map.h"
#include "core_impl/photon/dispatcher/click_groups.h"
#include "core_impl/photon/dispatcher/partition.h"
#include "core_impl/photon/intake/backoff.h"
#include "core_impl/photon/leases/worker_group.h"
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
  VolumeId logs{};  // input logs of the datacenter
  VolumeId cell{};
  PooledVector<NodeId>
      workers{};  // of the datacenter, in the same order for each; this one among them
  std::uint32_t partitions = 1;    // the same for each; at least as many as workers
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
  std::uint32_t max_outstanding_lookups = 1000;
  std::uint32_t max_outstanding_sends = 1000;
  // Clicks of the logs that are older than `fresh_age` leave this share of the outstanding look-ups
  // to younger ones, in thousandths; 0: no share is reserved.
  std::uint32_t fresh_share_permille = 0;
  Duration fresh_age = std::chrono::minutes(5);
  // Clicks in memory, retried ones included; at the limit no fresh ones are taken.
  std::uint32_t max_pending_clicks = 1'000'000;
  // The number of clicks sent to a joiner together (click_groups.h), and how long a group waits to
  // fill, up to the next scan.
  std::uint32_t group = 1;
  Duration group_wait = std::chrono::seconds(2);
  std::uint32_t read_chunk = 64U << 10U;  // bytes per read of a log file
  std::uint32_t max_concurrent_reads = 16;
  // An incomplete record at the end of a log that is this old is searched for sound ones.
  Duration stalled_after = std::chrono::seconds(60);
  std::uint64_t compaction_slack = std::uint64_t{256} << 10U;  // of the journal, bytes
};

struct DispatcherStatistics {
  std::uint64_t clicks_taken = 0;
  std::uint64_t clicks_read_again = 0;  // found open there, so not taken again
  std::uint64_t sends = 0;
  std::uint64_t send_timeouts = 0;
  std::uint64_t rejections = 0;  // too_many_in_flight, registry_throttled
  std::uint64_t failures = 0;    // other failure replies
  std::uint64_t unknown_lookups = 0;
  std::uint64_t saves = 0;
  std::uint64_t stale_replies = 0;  // late or duplicate
  std::uint64_t taken_over = 0;     // partitions, the first ones and returned ones included
  std::uint64_t released = 0;       // partitions released to other workers
  std::uint64_t fenced = 0;         // partitions lost to another owner
};

class DispatcherWorker final : public Node {
 public:
  using Inbox = Accepts<RegistryReply, ShardingReply, JoinReply>;
  enum Timer : TimerKind {
    kScan = 0,
    kClicks = 1,
    kRegistry = 2,
    kJournal = 3,
    kGroup = 4,
    kSave = 5,
    kSharding = 6
  };

  explicit DispatcherWorker(DispatcherOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void report_use(UseSink& sink) const override;

  void on(Context& context, NodeId from, const RegistryReply& reply);
  void on(Context& context, NodeId from, const ShardingReply& reply);
  void on(Context& context, NodeId from, const JoinReply& reply);

  const DispatcherStatistics& statistics() const { return statistics_; }
  const RegistryClient& registry() const { return registry_; }
  // Null unless it is this worker's, or being taken over.
  const Partition* partition(std::uint32_t number) const { return partitions_[number].get(); }
  // Of which work may be started now.
  std::uint32_t partitions_open(MonotonicTime now) const;
  // Clicks taken or recovered and not finished, those of partitions with a new owner that are still
  // at a joiner included; and those in the retry store.
  std::size_t pending() const { return clicks_.size(); }
  std::size_t saved() const;
  std::size_t outstanding_sends() const { return requests_.size(); }

 private:
  using Stored = Intake::Stored;
  // The partition number of clicks that have another owner by now, and are still at a joiner for
  // this one.
  static constexpr std::uint32_t kHandedOn = ~std::uint32_t{0};
  struct Click {
    EventId id;
    EventId query;
    Payload payload;
    std::uint32_t partition = 0;
    ClickPlace place;           // while it is not stored
    LocalTime due{};            // while it is stored
    std::uint64_t request = 0;  // of the last send; 0 from the start of the next attempt on
    NodeId last_joiner = kNoNode;
    std::uint64_t removed_at = 0;  // brought back: a look-up from before would still find it
    std::uint32_t attempts = 0;    // sends
    std::uint32_t failures = 0;
    ClickGroups::Handle group = 0;  // 0: in no group
    Stored stored = Stored::no;
    bool in_backlog = false;  // counted in backlog_
    bool awaited = false;     // by its group, in this phase
  };
  using Handle = rpc::InFlight<Click>::Handle;

  // dispatcher_partitions.cc: ownership.
  void tick(Context& context);
  // The place in mine_ of that partition, or of the next one that is there.
  std::size_t place_of(std::uint32_t number) const;
  void attend(Context& context, std::uint32_t number);
  void take_if_free(Context& context, Partition& partition);
  void on_intake_event(Context& context, Partition& partition, Intake::Event event);
  void recover(Context& context, Partition& partition);
  void let_go(Context& context, Partition& partition);
  void forget_clicks(Partition& partition);
  void forget_click(Handle handle);
  void forget(Partition& partition);
  Handle restore(Context& context, const Partition& partition, SavedRecord record);
  // Appends the records of its saved clicks to its argument.
  auto saved_clicks_of(const Partition& partition);
  void write_journals(Context& context);
  static SavedRecord record_of(const Click& click);
  Partition& partition_of(const Click& click) {
    PHOTON_CHECK(click.partition < partitions_.size() && partitions_[click.partition] != nullptr,
                 "an open click belongs to a partition of this worker");
    return *partitions_[click.partition];
  }

  // dispatcher_groups.cc: clicks that wait for one another.
  void enter_group(Context& context, Partition& partition, Handle handle);
  void close_group(Context& context, Partition& partition);
  void note_member(Context& context, Handle handle);
  void leave_group(Context& context, Handle handle, const Click& click);
  void end_phase_if_complete(Context& context, ClickGroups::Handle number);
  void begin_phase(ClickGroup& group, ClickGroup::Phase phase);
  void await_send_of(ClickGroup& group);
  void save_group(Context& context, ClickGroup& group);
  std::size_t sent_with(Handle handle);
  void send_group(Context& context, const ClickGroup& group);
  void forget_groups(Partition& partition);

  // Starts all work that may be started, and flushes the output of this turn.
  void pump(Context& context);
  void start_clicks(Context& context);
  bool start_one(Context& context, Partition& partition);
  bool start_unread(Context& context, Partition& partition);
  bool start_fresh(Context& context, Partition& partition, Intake::Lane lane);
  std::optional<TakenClick> take_fresh(Context& context, Partition& partition, Intake::Lane lane);
  void sort_by_age(Context& context, Partition& partition, Click& click);
  std::uint32_t backlog_cap() const;
  void leave_backlog(Click& click);
  static void note_removal(Partition& partition, const TakenClick& again, Click& saved);
  bool start_retry(Context& context, Partition& partition);
  void start(Context& context, Partition& partition, Handle handle);
  void await_send(Context& context, Partition& partition, Handle handle);
  void drain_lookups(Context& context);
  void send_waiting(Context& context);
  void send(Context& context, Handle handle, Click& click);
  JoinRequest request_for(Context& context, Handle handle, Click& click, NodeId joiner);
  void await_answer(Context& context, Handle handle);
  NodeId choose_joiner(Context& context, const Click& click) const;

  void on_late_reply(Context& context, const JoinReply& reply);
  void finish(Context& context, Handle handle, trace::DoneReason reason);
  void fail(Context& context, Handle handle);
  void save(Context& context, Handle handle, Duration delay);
  Duration delay_after(Context& context, const Click& click, std::uint32_t failures) const;
  void take_due_clicks(Context& context);
  // Of every partition owned; renews their leases as well.
  void save_offsets(Context& context);
  void scan(Context& context);
  void arm_scan(Context& context);

  DispatcherOptions options_;
  WorkerGroup group_;
  RegistryClient registry_;
  // By number; null: another worker's.
  PooledVector<std::unique_ptr<Partition>> partitions_;
  PooledVector<Partition*> mine_;  // those present, in the order of their numbers
  // By number: the highest round tried by this life (lease_epoch.h).
  PooledVector<std::uint32_t> rounds_;
  rpc::InFlight<Click> clicks_;
  ClickGroups groups_;
  rpc::OpenRequests requests_;           // sends under way
  FlatMap<std::uint64_t, Handle> late_;  // sends that timed out, while their clicks wait
  std::size_t sendable_ = 0;             // of all partitions
  bool group_finds_no_room_ = false;     // the next one to be sent
  std::uint32_t backlog_ = 0;            // old clicks that are looked up or wait to be sent
  std::uint32_t turn_ = 0;               // this partition or a later one starts the next click
  std::uint32_t send_turn_ = 0;          // ... and sends the next one
  std::uint64_t scans_ = 0;
  bool scanning_ = false;  // the scan timer runs
  DispatcherStatistics statistics_;
};

}  // namespace photon
