#include "core_impl/photon/intake/state_store.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon {
namespace {

constexpr std::uint32_t kReadLength = 1U << 20U;
constexpr std::uint32_t kHeadLength = 128;  // an ownership record fits

}  // namespace

FileName StateStore::directory(Context& context) const {
  return partition_directory(options_.prefix, options_.partition.value_or(context.self().value()));
}

FileName StateStore::journal(Context& context) const {
  return partition_journal(options_.prefix, options_.partition.value_or(context.self().value()));
}

void StateStore::look(Context& context) {
  PHOTON_CHECK(step_ == Step::idle, "whose the journal is, is asked before it is taken over");
  step_ = Step::looking;
  submit_step(context);
}

void StateStore::start(Context& context, std::uint64_t epoch) {
  PHOTON_CHECK(step_ == Step::idle && epoch != 0, "a life takes over once");
  epoch_ = epoch;
  step_ = Step::fencing;
  submit_step(context);
}

void StateStore::submit_step(Context& context) {
  PHOTON_CHECK(step_ == Step::looking || step_ == Step::fencing || step_ == Step::reading,
               "only these steps ask the volume before the log is open");
  VolumeRequest request;
  request.volume = options_.cell;
  request.file = journal(context);
  if (step_ == Step::fencing) {
    request.operation = VolumeOperation::fence;
    request.file = directory(context);
    request.epoch = epoch_;
  } else {
    request.operation = VolumeOperation::read;
    request.offset = journal_.size();
    request.length = step_ == Step::looking ? kHeadLength : kReadLength;
  }
  retry_.submit(context, std::move(request));
}

StateStore::Event StateStore::on_step(Context& context, IoResult& result) {
  if (result.status == IoStatus::fenced) {
    PHOTON_MARK("intake.store.fenced_while_taking");
    return Event::fenced;
  }
  const bool absent = result.status == IoStatus::missing;
  if (result.status != IoStatus::ok && !absent) {
    PHOTON_MARK("intake.store.refused");
    retry_.wait(context);
    return Event::none;
  }
  if (step_ == Step::looking) return on_head(result);
  if (step_ == Step::fencing) {
    step_ = Step::reading;
    submit_step(context);
    return Event::none;
  }
  journal_.insert(journal_.end(), result.data.begin(), result.data.end());
  if (!absent && result.data.size() == kReadLength) {
    PHOTON_MARK("intake.store.long_journal");
    submit_step(context);
    return Event::none;
  }
  state_ = read_journal(journal_);
  // Another worker came later and was faster: this one's fence did not count.
  if (state_.ownership.epoch >= epoch_) {
    PHOTON_MARK("intake.store.overtaken");
    return Event::fenced;
  }
  step_ = Step::restoring;
  return Event::recovered;
}

// Every owner rewrites the journal, so its head names the last one.
StateStore::Event StateStore::on_head(const IoResult& result) {
  const OwnershipRecord before = std::exchange(found_, OwnershipRecord{});
  const std::uint64_t length = std::exchange(found_length_, result.length);
  const RecordView head = view_record(result.data);
  if (head.status == RecordStatus::complete) {
    found_ = read_journal(std::span(result.data).first(head.size)).ownership;
  }
  if (result.length > 0 && head.status != RecordStatus::complete) {
    PHOTON_MARK("intake.store.no_head");
  }
  moved_ = found_.epoch != before.epoch || found_length_ != length;
  step_ = Step::idle;
  return Event::looked;
}

void StateStore::publish(Context& context, Bytes snapshot) {
  PHOTON_CHECK(step_ == Step::restoring, "a snapshot follows the recovery");
  log_.open(GroupLog::Options{options_.cell, journal(context), epoch_, options_.retry_delay,
                              options_.timer},
            journal_.size());
  journal_ = Bytes{};
  step_ = Step::publishing;
  rewrite(context, headed(claim(context), snapshot));
}

OwnershipRecord StateStore::claim(Context& context) {
  claimed_at_ = context.now();
  claim_open_ = true;
  return OwnershipRecord{context.self(), epoch_, context.wall(), options_.lease};
}

Bytes StateStore::headed(const OwnershipRecord& owner, const Bytes& snapshot) {
  Bytes content;
  append_journal(owner, content);
  content.insert(content.end(), snapshot.begin(), snapshot.end());
  return content;
}

void StateStore::rewrite(Context& context, Bytes content) {
  // Replaying the pending records on top of the snapshot changes nothing, and states the removals.
  content.insert(content.end(), log_.pending().begin(), log_.pending().end());
  snapshot_bytes_ = content.size();
  log_.rewrite(context, std::move(content));
  claimed_end_ = log_.end();
}

bool StateStore::wants_compaction() const {
  return step_ == Step::ready && log_.idle() &&
         log_.file_length() > 2 * snapshot_bytes_ + options_.compaction_slack;
}

void StateStore::compact(Context& context, Bytes snapshot) {
  PHOTON_CHECK(wants_compaction(), "a journal is rewritten when that is worth it");
  PHOTON_MARK("intake.store.compacted");
  ++compactions_;
  rewrite(context, headed(claim(context), snapshot));
}

void StateStore::release(Context& context, Bytes snapshot) {
  PHOTON_CHECK(may_release(), "a journal is let go while nothing is under way");
  step_ = Step::releasing;
  rewrite(context,
          headed(OwnershipRecord{kNoNode, epoch_, context.wall(), options_.lease}, snapshot));
}

void StateStore::renew_if_due(Context& context) {
  if (step_ != Step::ready || claim_open_) return;
  PHOTON_LIMIT("intake.lease.renewal", context.now() - claimed_at_, options_.lease / 3);
  if (context.now() - claimed_at_ < options_.lease / 3) return;
  PHOTON_MARK("intake.lease.renewed");
  append_journal(claim(context), log_.pending());
  claimed_end_ = log_.end();
}

bool StateStore::lease_held(MonotonicTime now) const {
  if (step_ != Step::ready || log_.is_fenced()) return false;
  PHOTON_LIMIT("intake.lease.end", now, lease_end_);
  return now < lease_end_;
}

StateStore::Event StateStore::on_log(GroupLog::Event event) {
  switch (event) {
    case GroupLog::Event::not_mine:
      return Event::not_mine;
    case GroupLog::Event::waiting:
      return Event::none;
    case GroupLog::Event::fenced:
      return Event::fenced;
    case GroupLog::Event::durable:
      break;
  }
  if (claim_open_ && log_.durable() >= claimed_end_) {
    claim_open_ = false;
    lease_end_ = claimed_at_ + options_.lease;
  }
  if (step_ == Step::releasing) {
    PHOTON_MARK("intake.store.released");
    return Event::released;
  }
  if (step_ != Step::publishing) return Event::durable;
  step_ = Step::ready;
  return Event::ready;
}

StateStore::Event StateStore::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (log_.is_open()) return on_log(log_.on_io(context, ticket, result));
  if (!retry_.owns(ticket)) return Event::not_mine;
  retry_.complete();
  return on_step(context, result);
}

void StateStore::on_timer(Context& context) {
  if (log_.is_open()) {
    log_.on_timer(context);
  } else if (retry_.take_due(context)) {
    submit_step(context);
  }
}

}  // namespace photon
