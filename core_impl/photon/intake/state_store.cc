#include "core_impl/photon/intake/state_store.h"

#include "core_impl/base/check.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon {
namespace {

constexpr std::uint32_t kReadLength = 1U << 20U;

}  // namespace

void StateStore::start(Context& context, std::uint32_t epoch) {
  PHOTON_CHECK(step_ == Step::idle && epoch != 0, "a life takes over once");
  epoch_ = epoch;
  step_ = Step::fencing;
  submit_step(context);
}

void StateStore::submit_step(Context& context) {
  VolumeRequest request;
  request.volume = options_.cell;
  request.file = journal_file(options_.prefix, context.self());
  if (step_ == Step::fencing) {
    request.operation = VolumeOperation::fence;
    request.file = directory_of(options_.prefix, context.self());
    request.epoch = epoch_;
  } else {
    request.operation = VolumeOperation::read;
    request.offset = journal_.size();
    request.length = kReadLength;
  }
  step_failed_ = false;
  ticket_ = context.submit(std::move(request));
}

StateStore::Event StateStore::on_step(Context& context, IoResult& result) {
  if (result.status == IoStatus::fenced) return Event::fenced;
  const bool absent = result.status == IoStatus::missing;
  if (result.status != IoStatus::ok && !absent) {
    step_failed_ = true;
    context.set_timer(options_.timer, context.now() + options_.retry_delay);
    return Event::none;
  }
  if (step_ == Step::fencing) {
    step_ = Step::reading;
    submit_step(context);
    return Event::none;
  }
  journal_.insert(journal_.end(), result.data.begin(), result.data.end());
  if (!absent && result.data.size() == kReadLength) {
    submit_step(context);
    return Event::none;
  }
  state_ = read_journal(journal_);
  PHOTON_CHECK(state_.ownership.epoch < epoch_, "lives are numbered upwards");
  step_ = Step::restoring;
  return Event::recovered;
}

void StateStore::publish(Context& context, Bytes snapshot) {
  PHOTON_CHECK(step_ == Step::restoring, "a snapshot follows the recovery");
  log_.open(GroupLog::Options{options_.cell, journal_file(options_.prefix, context.self()), epoch_,
                              options_.retry_delay, options_.timer},
            journal_.size());
  journal_ = Bytes{};
  step_ = Step::publishing;
  log_.rewrite(context, with_claim(context, snapshot));
  claimed_end_ = log_.end();
}

OwnershipRecord StateStore::claim(Context& context) {
  claimed_at_ = context.now();
  claim_open_ = true;
  return OwnershipRecord{context.self(), epoch_, context.wall(), options_.lease};
}

Bytes StateStore::with_claim(Context& context, const Bytes& snapshot) {
  Bytes content;
  append_journal(claim(context), content);
  content.insert(content.end(), snapshot.begin(), snapshot.end());
  snapshot_bytes_ = content.size();
  return content;
}

bool StateStore::wants_compaction() const {
  return step_ == Step::ready && log_.idle() &&
         log_.file_length() > 2 * snapshot_bytes_ + options_.compaction_slack;
}

void StateStore::compact(Context& context, Bytes snapshot) {
  PHOTON_CHECK(wants_compaction(), "a journal is rewritten when that is worth it");
  ++compactions_;
  Bytes content = with_claim(context, snapshot);
  // Replaying what is pending on top of the snapshot changes nothing, and it states the removals.
  content.insert(content.end(), log_.pending().begin(), log_.pending().end());
  snapshot_bytes_ = content.size();
  log_.rewrite(context, std::move(content));
  claimed_end_ = log_.end();
}

void StateStore::renew_if_due(Context& context) {
  if (step_ != Step::ready || claim_open_) return;
  if (context.now() - claimed_at_ < options_.lease / 3) return;
  append_journal(claim(context), log_.pending());
  claimed_end_ = log_.end();
}

bool StateStore::lease_held(MonotonicTime now) const {
  return step_ == Step::ready && !log_.is_fenced() && now < lease_end_;
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
  if (step_ != Step::publishing) return Event::durable;
  step_ = Step::ready;
  return Event::ready;
}

StateStore::Event StateStore::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (log_.is_open()) return on_log(log_.on_io(context, ticket, result));
  if (ticket != ticket_ || step_failed_) return Event::not_mine;
  return on_step(context, result);
}

void StateStore::on_timer(Context& context) {
  if (log_.is_open()) {
    log_.on_timer(context);
  } else if (step_failed_) {
    submit_step(context);
  }
}

}  // namespace photon
