// The durable state of who takes clicks, under a fenced lease: take over, append, compact.
//
// Taking over: fence the directory with the own epoch, so that no write of an earlier owner can
// follow; read the journal; give it to the owner of this object; write it back as a snapshot that
// begins with the new ownership record. From then on records are appended in groups, and the
// journal is rewritten when it has outgrown its last snapshot.
//
// The lease: the ownership record is renewed every third of it. Writes are protected by the fence
// alone (C-06); the lease tells another worker when it may take over, and this one when to stop
// starting work that it may be unable to record. Nobody may start work while !lease_held().
//
// Paper: Photon section 3.2; SPEC C-03, C-05, C-06, C-26, C-30, F-06.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/cell_log/group_log.h"
#include "core_impl/photon/intake/journal.h"
#include "core_impl/runtime/context.h"

namespace photon {

class StateStore {
 public:
  struct Options {
    VolumeId cell{};
    std::string_view prefix = kDispatcherPrefix;  // of the owner's directory in the cell
    Duration lease = std::chrono::seconds(10);
    Duration retry_delay = std::chrono::milliseconds(200);
    std::uint64_t compaction_slack = std::uint64_t{256} << 10U;  // bytes
    TimerKind timer = 0;                                         // of this object alone
  };

  enum class Event : std::uint8_t {
    not_mine,
    none,
    recovered,  // `state()` is filled: restore it, then call `publish`
    ready,      // the snapshot is durable: work may begin
    durable,    // more records became durable
    fenced,     // another life owns the state: stop for good
  };

  explicit StateStore(const Options& options) : options_(options) {}

  // Begins the take-over. `epoch`: the granted incarnation.
  void start(Context& context, std::uint32_t epoch);
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

  // Adds a renewal to what is pending if one is due. Call it every now and then.
  void renew_if_due(Context& context);
  bool lease_held(MonotonicTime now) const;

  Event on_io(Context& context, Ticket ticket, IoResult& result);
  void on_timer(Context& context);

  const GroupLog& log() const { return log_; }
  std::uint64_t compactions() const { return compactions_; }

 private:
  enum class Step : std::uint8_t { idle, fencing, reading, restoring, publishing, ready };

  void submit_step(Context& context);
  Event on_step(Context& context, IoResult& result);
  Event on_log(GroupLog::Event event);
  OwnershipRecord claim(Context& context);
  Bytes with_claim(Context& context, const Bytes& snapshot);

  Options options_;
  Step step_ = Step::idle;
  bool step_failed_ = false;  // waits for the timer
  std::uint32_t epoch_ = 0;
  Ticket ticket_{};
  Bytes journal_;  // while reading
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
