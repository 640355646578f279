// The driver and its disk: recovery, snapshots, the beginning of a new log.
#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/paxos/replica_driver.h"
#include "core_impl/trace/consensus.h"

namespace photon::paxos {

void ReplicaDriver::on_start(Context& context) {
  format_.start(context);
  snapshot_.start(context);
  log_.start(context);
}

bool ReplicaDriver::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (log_.owns(ticket)) {
    on_log(context, ticket, result);
  } else if (snapshot_.owns(ticket)) {
    on_snapshot(context, ticket, result);
  } else if (format_.owns(ticket)) {
    on_format(context, result);
  } else {
    return false;
  }
  arm(context);
  return true;
}

void ReplicaDriver::on_format(Context& context, const IoResult& result) {
  const bool formatting = recovering_ == 0;
  const FormatProgress progress = format_.on_io(context, result);
  if (progress == FormatProgress::damaged) return damage();
  if (progress == FormatProgress::waiting) return;
  PHOTON_CHECK(formatting || recovering_ > 0, "the format is recovered once");
  if (formatting || --recovering_ == 0) recovered(context);
}

void ReplicaDriver::on_log(Context& context, Ticket ticket, IoResult& result) {
  switch (log_.on_io(context, ticket, result)) {
    case LogProgress::waiting:
      return;
    case LogProgress::recovered:
      PHOTON_CHECK(recovering_ > 0, "the log is recovered once");
      if (--recovering_ == 0) recovered(context);
      return;
    case LogProgress::persisted:
      if (health_ != Health::working) return;
      return run(context, Input{context.now(), Persisted{log_.durable_mark()}});
    case LogProgress::damaged:
      return damage();
  }
}

void ReplicaDriver::on_snapshot(Context& context, Ticket ticket, IoResult& result) {
  switch (snapshot_.on_io(context, ticket, result)) {
    case SnapshotProgress::waiting:
      // Send no piece of a file whose bytes were found wrong meanwhile.
      if (auto served = snapshot_.take_chunk(); served && health_ == Health::working) {
        context.send(served->to, Body::make(Envelope{std::move(served->chunk)}));
      }
      return;
    case SnapshotProgress::recovered:
      PHOTON_CHECK(recovering_ > 0, "the snapshot is recovered once");
      if (--recovering_ == 0) recovered(context);
      return;
    case SnapshotProgress::written:
      if (health_ == Health::working) snapshot_written(context);
      return;
    case SnapshotProgress::damaged:
      return damage();
  }
}

void ReplicaDriver::damage() {
  PHOTON_MARK("paxos.driver.damaged");
  health_ = Health::damaged;
}

// Everything that the disk holds is known. Also called when an empty disk has been formatted.
void ReplicaDriver::recovered(Context& context) {
  if (health_ == Health::damaged) return;
  PHOTON_CHECK(recovering_ == 0, "every part of the disk is known");
  if (!format_.generation()) {
    // A format is written before anything else, so only an empty disk has none.
    if (log_.exists() || snapshot_.content()) {
      PHOTON_MARK("paxos.recovery.format_missing");
      return damage();
    }
    PHOTON_MARK("paxos.recovery.empty_disk");
    return format_.format(context);
  }
  Recovered state = log_.take_recovered();
  state.generation = *format_.generation();
  const Bytes file = snapshot_.take_recovered();
  if (file.empty()) {
    if (state.base.through != 0) {
      PHOTON_MARK("paxos.recovery.snapshot_missing");
      return damage();  // the log depends on a snapshot
    }
  } else {
    PHOTON_MARK("paxos.recovery.from_snapshot");
    const auto view = decode_snapshot(options_.config.group, file);
    PHOTON_CHECK(view.has_value(), "a snapshot that was recovered is sound");
    const SnapshotPoint& point = view->header.point;
    const bool fits = point.through >= state.base.through && point.generations.is_possible() &&
                      point.generations.size() == options_.config.replicas;
    if (!fits || !restore(context, file)) {
      PHOTON_MARK("paxos.recovery.snapshot_unfit");
      return damage();
    }
    // The last life died between snapshot and log. New records must not depend on entries that the
    // log never had, so the log begins anew.
    if (point.through > state.base.through) {
      PHOTON_MARK("paxos.recovery.snapshot_ahead");
      compaction_ = Compaction::rewrite;
    }
    state.install(point);
  }
  if (!state.is_possible(options_.config.replicas)) return damage();
  health_ = Health::working;
  replica_ = Replica(options_.config, std::move(state), context.now());
  run(context, Input{context.now(), Tick{}});
}

// Gives a snapshot, durable here, to the machine.
bool ReplicaDriver::restore(Context& context, std::span<const std::byte> file) {
  const auto view = decode_snapshot(options_.config.group, file);
  if (!view) return false;
  const SnapshotHeader& header = view->header;
  const Slot through = header.point.through;
  if (!machine_.restore(context, through, view->machine)) {
    PHOTON_MARK("paxos.restore.refused");
    return false;
  }
  if (machine_.state_hash() != header.state_hash) return false;
  context.decide(trace::StateRestored{through, machine_.state_hash(), options_.config.group});
  return true;
}

// After every event, when nothing is left to be performed: the machine's state is that
// after applied().
void ReplicaDriver::maintain(Context& context) {
  if (health_ != Health::working) return;
  ask_for_snapshot(context);
  if (compaction_ == Compaction::none && !fetched_.empty()) {
    const auto view = decode_snapshot(options_.config.group, fetched_);
    const bool useful = view && replica_.can_install(view->header.point.through) &&
                        view->header.point.generations.is_possible() &&
                        view->header.point.generations.size() == options_.config.replicas;
    if (useful) {
      PHOTON_MARK("paxos.fetch.complete");
      compaction_ = Compaction::fetching;
      snapshot_.write(context, view->header.point.through, fetched_);
    } else {
      PHOTON_MARK("paxos.fetch.useless");
      fetched_.clear();  // the next offer brings another one, if it is needed
    }
  }
  if (compaction_ == Compaction::none && wants_snapshot()) take_snapshot(context);
  if (snapshot_.must_write()) {
    PHOTON_MARK("paxos.snapshot.written_again");
    write_again(context);
  }
  if (compaction_ == Compaction::rewrite && log_.is_idle()) {
    log_.rewrite(context, replica_.base(), replica_.carried(), issued_);
    compaction_ = Compaction::none;
  }
  log_.flush(context);
}

bool ReplicaDriver::wants_snapshot() const {
  if (options_.snapshot_min_bytes == 0) return false;
  const auto& content = snapshot_.content();
  const std::uint64_t last = content ? content->bytes : 0;
  const Slot known = std::max(content ? content->through : 0, replica_.base());
  return replica_.applied() > known &&
         log_.chain_bytes() >=
             std::max(options_.snapshot_min_bytes, options_.snapshot_factor * last);
}

void ReplicaDriver::take_snapshot(Context& context) {
  PHOTON_CHECK(compaction_ == Compaction::none || compaction_ == Compaction::taking,
               "one snapshot is under way");
  taking_ = replica_.applied();
  PHOTON_CHECK(!snapshot_.content() || snapshot_.content()->through <= taking_,
               "a snapshot of the machine is not older than the present one");
  SnapshotHeader header;
  header.group = options_.config.group;
  header.point = SnapshotPoint{taking_, replica_.generations()};
  header.state_hash = machine_.state_hash();
  compaction_ = Compaction::taking;
  Bytes file = encode_snapshot(std::move(header), machine_);
  snapshot_.write(context, taking_, std::move(file));
  ++statistics_.snapshots;
}

// The machine may have applied more slots meanwhile: its present state is valid too.
void ReplicaDriver::write_again(Context& context) {
  if (compaction_ == Compaction::taking) return take_snapshot(context);
  PHOTON_CHECK(compaction_ == Compaction::fetching, "only a snapshot under way is written again");
  const auto view = decode_snapshot(options_.config.group, fetched_);
  PHOTON_CHECK(view.has_value(), "what was decoded once is decoded again");
  snapshot_.write(context, view->header.point.through, fetched_);
}

void ReplicaDriver::snapshot_written(Context& context) {
  PHOTON_CHECK(compaction_ == Compaction::taking || compaction_ == Compaction::fetching,
               "a snapshot that was written was under way");
  if (std::exchange(compaction_, Compaction::rewrite) == Compaction::taking) {
    return run(context, Input{context.now(), Compact{taking_}});
  }
  const Bytes file = std::exchange(fetched_, {});
  const auto view = decode_snapshot(options_.config.group, file);
  PHOTON_CHECK(view.has_value(), "what was decoded once is decoded again");
  if (!replica_.can_install(view->header.point.through)) {
    PHOTON_MARK("paxos.fetch.overtaken_by_log");
    // Became a candidate, or learned as much meanwhile. A snapshot that is ahead of the log is in
    // order, and the next life will use it.
    compaction_ = Compaction::none;
    return;
  }
  if (!restore(context, file)) return damage();
  PHOTON_MARK("paxos.fetch.installed");
  ++statistics_.installed;
  run(context, Input{context.now(), Installed{view->header.point}});
}

void ReplicaDriver::ask_for_snapshot(Context& context) {
  if (const auto question = fetcher_.next_question(context.now())) {
    PHOTON_CHECK(question->to < options_.members.size(), "a snapshot is asked of a member");
    PHOTON_CHECK(question->to != options_.config.self, "a snapshot is asked of another replica");
    context.send(options_.members[question->to], Body::make(Envelope{question->fetch}));
  }
}

void ReplicaDriver::take(Context& context, NodeId from, const SnapshotFetch& message) {
  if (health_ != Health::working || message.group != options_.config.group) return;
  if (index_of(from)) snapshot_.serve(context, from, message);
}

void ReplicaDriver::take(Context& context, NodeId from, const SnapshotChunk& message) {
  if (health_ != Health::working || message.group != options_.config.group) return;
  const auto sender = index_of(from);
  if (!sender || compaction_ == Compaction::fetching) {
    PHOTON_MARK("paxos.fetch.chunk_while_writing");
    return;
  }
  if (fetcher_.on_chunk(*sender, message, context.now())) fetched_ = fetcher_.take();
  drain(context);
}

}  // namespace photon::paxos
