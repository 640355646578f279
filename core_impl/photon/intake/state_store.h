// The durable state of a process that takes clicks, under a fenced lease: take over,
// append, compact.
//
// Taking over: fence the directory with the own epoch, so that no write of an earlier owner can
// follow; read the journal; give it to the owner of this object; write it back as a snapshot that
// begins with the new ownership record. From then on records are appended in groups, and the
// journal is rewritten when it has outgrown its last snapshot.
//
// The lease: the ownership record is renewed every third of it. Writes are protected by the fence
// alone (C-06); the lease tells this owner when to stop starting work that it may be unable to
// record. The owner must not start work while !lease_held().
//
// A journal may belong to one process, or to a partition that one worker after the other owns. A
// worker that is to take it over first reads its last owner; a worker that releases it writes so
// into the journal (leases/README.md).
//
// Paper: Photon section 3.2; SPEC C-03, C-05, C-06, C-26, C-30, F-06.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/cell_log/group_log.h"
#include "core_impl/photon/intake/journal.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/volume_retry.h"

namespace photon {

class StateStore {
 public:
  struct Options {
    VolumeId cell{};
    std::string_view prefix = kDispatcherPrefix;  // of the directory in the cell
    std::optional<std::uint32_t> partition{};     // of the journal; empty: the process's own
    Duration lease = std::chrono::seconds(10);
    Duration retry_delay = std::chrono::milliseconds(200);
    std::uint64_t compaction_slack = std::uint64_t{256} << 10U;  // bytes
    TimerKind timer = 0;                                         // of this object alone
  };

  enum class Event : std::uint8_t {
    not_mine,
    none,
    looked,     // `found` names the owner of the journal
    recovered,  // `state()` is filled: restore it, then call `publish`
    ready,      // the snapshot is durable: work may begin
    durable,    // more records became durable
    fenced,     // another process owns the state: stop for good
    released,   // the journal has no owner now: stop for good
  };

  explicit StateStore(const Options& options)
      : options_(options), retry_(options.retry_delay, options.timer) {}

  // Reads the owner. Any number of times before `start`.
  void look(Context& context);
  const OwnershipRecord& found() const { return found_; }
  // The journal has been written to between the last two reads, or there was only one.
  bool has_moved() const { return moved_; }

  // Begins the take-over. `epoch`: the granted incarnation, or that of a lease (lease_epoch.h).
  void start(Context& context, std::uint64_t epoch);
  JournalState& state() { return state_; }
  // Writes the first snapshot: what the owner restored.
  void publish(Context& context, Bytes snapshot);

  // Where records are added; `flush` afterwards.
  Bytes& pending() { return log_.pending(); }
  void flush(Context& context) { log_.flush(context); }

  // True when the journal should be rewritten now; then call `compact` with a snapshot of
  // everything added so far.
  bool wants_compaction() const;
  void compact(Context& context, Bytes snapshot);

  // Adds a renewal to the pending records if one is due. Call it every now and then.
  void renew_if_due(Context& context);
  bool lease_held(MonotonicTime now) const;

  // Nothing is under way: `release` is possible.
  bool may_release() const { return step_ == Step::ready && log_.idle(); }
  // Writes the snapshot, of everything added so far, without an owner. No lease is held from
  // here on.
  void release(Context& context, Bytes snapshot);

  Event on_io(Context& context, Ticket ticket, IoResult& result);
  void on_timer(Context& context);

  const GroupLog& log() const { return log_; }
  std::uint64_t compactions() const { return compactions_; }

 private:
  enum class Step : std::uint8_t {
    idle,
    looking,
    fencing,
    reading,
    restoring,
    publishing,
    ready,
    releasing
  };

  void submit_step(Context& context);
  Event on_step(Context& context, IoResult& result);
  Event on_head(const IoResult& result);
  Event on_log(GroupLog::Event event);
  FileName directory(Context& context) const;
  FileName journal(Context& context) const;
  OwnershipRecord claim(Context& context);
  static Bytes headed(const OwnershipRecord& owner, const Bytes& snapshot);
  void rewrite(Context& context, Bytes content);

  Options options_;
  Step step_ = Step::idle;
  std::uint64_t epoch_ = 0;
  OwnershipRecord found_{};
  std::uint64_t found_length_ = 0;
  bool moved_ = false;
  VolumeRetry retry_;  // of the steps before the log is open
  Bytes journal_;      // while reading
  JournalState state_;
  GroupLog log_;
  std::uint64_t snapshot_bytes_ = 0;
  std::uint64_t compactions_ = 0;
  MonotonicTime claimed_at_{};     // when the latest renewal was added
  std::uint64_t claimed_end_ = 0;  // its position in the log
  bool claim_open_ = false;        // it is not durable yet
  MonotonicTime lease_end_{};
};

}  // namespace photon
