#include "core_impl/photon/dispatcher/dispatcher_worker.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/jitter.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/photon/dispatcher/fresh_share.h"

namespace photon {

DispatcherWorker::DispatcherWorker(DispatcherOptions options)
    : options_(std::move(options)),
      group_(WorkerGroup::Options{options_.cell, kDispatcherWorkerPrefix, options_.workers}),
      registry_(with_timers(options_.registry, kRegistry, kSharding)),
      partitions_(options_.partitions),
      rounds_(options_.partitions),
      clicks_(kClicks) {
  PHOTON_CHECK(!options_.joiners.empty(), "a dispatcher needs a joiner to send to");
  PHOTON_CHECK(options_.max_outstanding_lookups > 0 && options_.max_outstanding_sends > 0,
               "a cap of zero would stop the pipeline");
  PHOTON_CHECK(options_.group <= options_.max_outstanding_sends, "a whole group may be sent");
  PHOTON_CHECK(options_.partitions >= options_.workers.size(), "there is work for every worker");
  PHOTON_CHECK(options_.lease > Duration::zero(), "a lease ends after it starts");
  PHOTON_CHECK(options_.send_timeout > Duration::zero(), "an answer takes time");
  PHOTON_CHECK(options_.fresh_share_permille <= 1000, "a share is at most the whole");
}

void DispatcherWorker::on_start(Context& context) {
  group_.start(context);
  tick(context);
  save_offsets(context);
}

void DispatcherWorker::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void DispatcherWorker::on(Context& context, NodeId from, const RegistryReply& reply) {
  registry_.on_reply(context, from, reply);
  pump(context);
}

void DispatcherWorker::on(Context& context, NodeId from, const ShardingReply& reply) {
  registry_.on_sharding(context, from, reply);
  pump(context);
}

void DispatcherWorker::on(Context& context, NodeId, const JoinReply& reply) {
  const Handle handle = requests_.find(reply.request);
  if (handle == 0) {
    on_late_reply(context, reply);
    return;
  }
  requests_.close(reply.request);
  PHOTON_CHECK(clicks_.find(handle) != nullptr, "a request is about an open click");
  const Click& click = *clicks_.find(handle);
  PHOTON_CHECK(click.id == reply.click, "a reply is about the click of its request");
  if (click.partition == kHandedOn) {
    PHOTON_MARK("dispatcher.answer.for_a_click_handed_on");
    ++statistics_.stale_replies;
    clicks_.end(handle);
  } else if (trace::is_success(reply.outcome)) {
    finish(context, handle, trace::done_reason(reply.outcome));
  } else {
    const bool rejected = reply.outcome == JoinOutcome::too_many_in_flight ||
                          reply.outcome == JoinOutcome::registry_throttled ||
                          reply.outcome == JoinOutcome::stopping;
    if (rejected) PHOTON_MARK("dispatcher.answer.rejected");
    ++(rejected ? statistics_.rejections : statistics_.failures);
    fail(context, handle);
  }
  pump(context);
}

// Finishes a click that was saved, if it still waits: where answers take longer than the time-out,
// clicks would otherwise be sent for ever.
void DispatcherWorker::on_late_reply(Context& context, const JoinReply& reply) {
  ++statistics_.stale_replies;
  const auto late = late_.find(reply.request);
  if (late == late_.end() || !trace::is_success(reply.outcome)) {
    PHOTON_MARK("dispatcher.answer.late_and_useless");
    return;
  }
  PHOTON_MARK("dispatcher.answer.late_success");
  finish(context, late->second, trace::done_reason(reply.outcome));
  pump(context);
}

void DispatcherWorker::on_timer(Context& context, TimerKind kind) {
  switch (static_cast<Timer>(kind)) {
    case kScan:
      scan(context);
      arm_scan(context);
      break;
    case kClicks:
      take_due_clicks(context);
      break;
    case kRegistry:
      registry_.on_timer(context);
      break;
    case kSharding:
      registry_.on_sharding_timer(context);
      break;
    case kJournal:
      for (Partition* const partition : mine_) partition->intake.on_timer(context);
      break;
    case kGroup:
      tick(context);
      break;
    case kSave:
      save_offsets(context);
      break;
  }
  pump(context);
}

void DispatcherWorker::report_use(UseSink& sink) const {
  ResourceUse reads{.resource = trace::Resource::dispatcher_reads};
  std::size_t due = 0;
  for (const Partition* const partition : mine_) {
    partition->intake.source().add_reads(reads);
    due += partition->retries.size();
  }
  sink.use(reads);
  sink.use({trace::Resource::dispatcher_lookups, registry_.outstanding_lookups() + sendable_,
            options_.max_outstanding_lookups, due});
  if (options_.fresh_share_permille > 0) {
    sink.use({trace::Resource::dispatcher_backlog, backlog_, backlog_cap(), 0});
  }
  // No other click takes a free place while a whole group waits for more of them.
  const std::uint64_t most = options_.max_outstanding_sends;
  sink.use({trace::Resource::dispatcher_sends, group_finds_no_room_ ? most : requests_.size(), most,
            sendable_});
  sink.use({trace::Resource::dispatcher_clicks, clicks_.size(), options_.max_pending_clicks, 0});
}

void DispatcherWorker::pump(Context& context) {
  drain_lookups(context);
  start_clicks(context);
  send_waiting(context);
  for (Partition* const partition : mine_) {
    if (partition->is_open(context.now())) partition->intake.pump(context);
  }
  registry_.flush(context);
  write_journals(context);
  PHOTON_CHECK(groups_.size() <= clicks_.size() + mine_.size(),
               "a group has clicks, or is the one that its partition forms");
}

// The partitions take turns.
void DispatcherWorker::start_clicks(Context& context) {
  std::size_t place = place_of(turn_);
  std::size_t idle = 0;  // partitions asked in a row that had nothing to start
  while (idle < mine_.size() &&
         registry_.outstanding_lookups() + sendable_ < options_.max_outstanding_lookups) {
    Partition& partition = *mine_[place];
    place = place + 1 < mine_.size() ? place + 1 : 0;
    if (!partition.is_open(context.now()) || !start_one(context, partition)) {
      ++idle;
      continue;
    }
    idle = 0;
    turn_ = partition.number + 1;
  }
}

// Fresh and retried clicks start in turn while there are both.
bool DispatcherWorker::start_one(Context& context, Partition& partition) {
  bool started = partition.retry_first && start_retry(context, partition);
  started = started || start_unread(context, partition) || start_retry(context, partition);
  if (started) partition.retry_first = !partition.retry_first;
  return started;
}

// Files that are up to date come first; lagging files leave them a share of the look-ups.
bool DispatcherWorker::start_unread(Context& context, Partition& partition) {
  if (clicks_.size() >= options_.max_pending_clicks) {
    PHOTON_MARK("dispatcher.take.store_full");
    return false;
  }
  if (start_fresh(context, partition, Intake::Lane::front)) return true;
  if (backlog_ >= backlog_cap()) PHOTON_MARK("dispatcher.take.backlog_at_cap");
  return backlog_ < backlog_cap() && start_fresh(context, partition, Intake::Lane::backlog);
}

std::uint32_t DispatcherWorker::backlog_cap() const {
  return narrow<std::uint32_t>(
      lookups_of_backlog(options_.max_outstanding_lookups, options_.fresh_share_permille));
}

std::optional<TakenClick> DispatcherWorker::take_fresh(Context& context, Partition& partition,
                                                       Intake::Lane lane) {
  return partition.intake.next(context, lane, [&](const TakenClick& again, Handle saved) {
    PHOTON_MARK("dispatcher.take.read_again");
    ++statistics_.clicks_read_again;
    note_removal(partition, again, *clicks_.find(saved));
  });
}

// A file whose click is old is put into the lane `backlog` until one of its clicks is fresh again.
// Clicks that were removed and brought back come first: they are few, and have waited. Clicks that
// were brought back because they were not registered come last: they may be a whole backlog that is
// still to be read in its own log.
void DispatcherWorker::sort_by_age(Context& context, Partition& partition, Click& click) {
  if (click.removed_at != 0) {
    PHOTON_MARK("dispatcher.take.removed_click_first");
    return partition.intake.put(click.place, Intake::Lane::front);
  }
  if (options_.fresh_share_permille > 0) {
    const Duration age = between(click.id.stamp, stamp_from(context.wall()));
    PHOTON_LIMIT("dispatcher.take.age", age, options_.fresh_age);
    click.in_backlog = age > options_.fresh_age;
    backlog_ += click.in_backlog ? 1 : 0;
  }
  const bool backlog = click.in_backlog || partition.intake.is_returned(click.place);
  if (backlog) PHOTON_MARK("dispatcher.take.backlog");
  partition.intake.put(click.place, backlog ? Intake::Lane::backlog : Intake::Lane::front);
}

void DispatcherWorker::leave_backlog(Click& click) {
  if (!std::exchange(click.in_backlog, false)) return;
  PHOTON_CHECK(backlog_ > 0, "a click of the backlog was counted");
  --backlog_;
}

bool DispatcherWorker::start_fresh(Context& context, Partition& partition, Intake::Lane lane) {
  auto taken = take_fresh(context, partition, lane);
  if (!taken.has_value()) return false;
  ++statistics_.clicks_taken;
  Click click;
  click.id = taken->event.id;
  click.query = taken->event.primary;
  click.payload = std::move(taken->event.payload);
  click.partition = partition.number;
  click.place = taken->place;
  click.removed_at = taken->removed_at;
  sort_by_age(context, partition, click);
  const Handle handle = clicks_.begin(std::move(click));
  enter_group(context, partition, handle);
  start(context, partition, handle);
  return true;
}

// The click was brought back while it waited: an answer of the registry from before the removal no
// longer counts for it, not even in a later life.
void DispatcherWorker::note_removal(Partition& partition, const TakenClick& again, Click& saved) {
  if (again.removed_at <= saved.removed_at) return;
  PHOTON_MARK("dispatcher.take.removed_while_waiting");
  saved.removed_at = again.removed_at;
  partition.intake.append(record_of(saved));
}

bool DispatcherWorker::start_retry(Context& context, Partition& partition) {
  if (partition.retries.empty()) return false;
  const Handle handle = partition.retries.front();
  PHOTON_CHECK(clicks_.find(handle) != nullptr, "a click that waits for its retry is open");
  partition.retries.pop_front();
  start(context, partition, handle);
  return true;
}

// Every attempt begins with the look-up, so a retry ends when another datacenter has joined (C-12).
void DispatcherWorker::start(Context& context, Partition& partition, Handle handle) {
  if (options_.pre_lookup == PreLookup::on) {
    const Click& click = *clicks_.find(handle);
    registry_.lookup(click.id, handle, click.removed_at);
  } else {
    await_send(context, partition, handle);
  }
}

void DispatcherWorker::await_send(Context& context, Partition& partition, Handle handle) {
  if (clicks_.find(handle)->group != 0) return note_member(context, handle);
  partition.sendable.push_back(handle);
  ++sendable_;
}

void DispatcherWorker::drain_lookups(Context& context) {
  while (const auto done = registry_.next()) {
    const Handle handle = done->tag;
    const Click* const click = clicks_.find(handle);
    if (click == nullptr) {
      PHOTON_MARK("dispatcher.lookup.partition_lost");
      continue;  // another worker owns its partition now
    }
    switch (done->code) {
      case RegistryCode::exists:
        PHOTON_MARK("dispatcher.lookup.exists");
        finish(context, handle, trace::DoneReason::lookup_exists);
        break;
      case RegistryCode::too_old:
        PHOTON_MARK("dispatcher.lookup.too_old");
        finish(context, handle, trace::DoneReason::lookup_too_old);
        break;
      case RegistryCode::not_found:
        await_send(context, partition_of(*click), handle);
        break;
      default:  // unknown: it does not decide about the click (B-73)
        PHOTON_MARK("dispatcher.lookup.unknown");
        ++statistics_.unknown_lookups;
        if (click->group != 0) groups_.find(click->group)->failed = true;
        fail(context, handle);
        break;
    }
  }
}

void DispatcherWorker::send_waiting(Context& context) {
  group_finds_no_room_ = false;
  std::size_t place = place_of(send_turn_);
  std::size_t idle = 0;  // partitions asked in a row that had nothing to send
  while (idle < mine_.size() && requests_.size() < options_.max_outstanding_sends) {
    Partition& partition = *mine_[place];
    place = place + 1 < mine_.size() ? place + 1 : 0;
    if (!partition.is_open(context.now()) || partition.sendable.empty()) {
      ++idle;
      continue;
    }
    send_turn_ = partition.number + 1;
    const Handle handle = partition.sendable.front();
    const std::size_t clicks = sent_with(handle);
    PHOTON_LIMIT("dispatcher.send.room", requests_.size() + clicks, options_.max_outstanding_sends);
    if (requests_.size() + clicks > options_.max_outstanding_sends) {
      PHOTON_MARK("dispatcher.send.group_finds_no_room");
      group_finds_no_room_ = true;
      return;  // a whole group was sent
    }
    partition.sendable.pop_front();
    PHOTON_CHECK(sendable_ >= clicks, "what is sent was counted as sendable");
    sendable_ -= clicks;
    if (clicks > 1) {
      send_group(context, *groups_.find(clicks_.find(handle)->group));
    } else {
      send(context, handle, *clicks_.find(handle));
    }
    idle = 0;
  }
}

void DispatcherWorker::send(Context& context, Handle handle, Click& click) {
  const NodeId joiner = choose_joiner(context, click);
  context.send(joiner, Body::make(request_for(context, handle, click, joiner)));
  await_answer(context, handle);
}

JoinRequest DispatcherWorker::request_for(Context& context, Handle handle, Click& click,
                                          NodeId joiner) {
  PHOTON_CHECK(click.request == 0, "one send of a click is under way at a time");
  leave_backlog(click);
  click.request = requests_.open(context, handle);
  click.last_joiner = joiner;
  ++statistics_.sends;
  return {click.request, click.id, click.query, click.attempts++, click.payload};
}

void DispatcherWorker::await_answer(Context& context, Handle handle) {
  clicks_.await(context, handle, rpc::Waiting::for_reply, context.now() + options_.send_timeout);
}

// Uniform; after a failed attempt uniform over the others (C-15, C-16).
NodeId DispatcherWorker::choose_joiner(Context& context, const Click& click) const {
  const auto& joiners = options_.joiners;
  const std::uint64_t word = context.random(combine(hash_of(click.id), click.attempts + 1));
  const auto last = std::find(joiners.begin(), joiners.end(), click.last_joiner);
  if (last == joiners.end() || joiners.size() == 1) {
    return joiners[uniform_below(word, joiners.size())];
  }
  PHOTON_MARK("dispatcher.send.to_another_joiner");
  const auto skipped = static_cast<std::uint64_t>(last - joiners.begin());
  const std::uint64_t place = uniform_below(word, joiners.size() - 1);
  return joiners[place < skipped ? place : place + 1];
}

void DispatcherWorker::finish(Context& context, Handle handle, trace::DoneReason reason) {
  Click& click = *clicks_.find(handle);
  Partition& partition = partition_of(click);
  leave_backlog(click);
  context.decide(trace::ClickDone{click.id, reason, click.attempts});
  partition.intake.finish(click.id, click.place, click.stored);
  late_.erase(click.request);
  if (click.group != 0) leave_group(context, handle, click);
  clicks_.end(handle);
}

// After any failure the click goes to the retry store, and from there to the look-up again.
void DispatcherWorker::fail(Context& context, Handle handle) {
  const Click& click = *clicks_.find(handle);
  if (click.group != 0) return note_member(context, handle);
  save(context, handle, delay_after(context, click, click.failures + 1));
}

Duration DispatcherWorker::delay_after(Context& context, const Click& click,
                                       std::uint32_t failures) const {
  return options_.backoff.delay(failures, context.random(hash_of(click.id)));
}

void DispatcherWorker::save(Context& context, Handle handle, Duration delay) {
  Click& click = *clicks_.find(handle);
  Partition& partition = partition_of(click);
  leave_backlog(click);
  ++click.failures;
  click.due = context.wall() + delay;
  ++statistics_.saves;
  partition.intake.save(record_of(click), click.place, click.stored);
  clicks_.await(context, handle, rpc::Waiting::for_retry, context.now() + delay);
}

void DispatcherWorker::take_due_clicks(Context& context) {
  clicks_.on_timer();
  while (const auto due = clicks_.take_due(context.now())) {
    Click& click = *clicks_.find(due->handle);
    if (due->waiting == rpc::Waiting::for_retry) {
      late_.erase(click.request);
      click.request = 0;
      partition_of(click).retries.push_back(due->handle);
      continue;
    }
    if (click.group != 0 && !click.awaited) {
      PHOTON_MARK("dispatcher.timeout.answered_unlike_its_group");
      continue;  // answered already, unlike a neighbour
    }
    PHOTON_MARK("dispatcher.timeout.send");
    ++statistics_.send_timeouts;
    requests_.close(click.request);
    if (click.partition == kHandedOn) {
      PHOTON_MARK("dispatcher.timeout.of_a_click_handed_on");
      clicks_.end(due->handle);
      continue;
    }
    late_.emplace(click.request, due->handle);
    fail(context, due->handle);
  }
  clicks_.rearm(context);
}

void DispatcherWorker::save_offsets(Context& context) {
  for (Partition* const partition : mine_) {
    if (partition->stage != Partition::Stage::owned) continue;
    partition->intake.save_offsets();
    partition->intake.renew_if_due(context);
  }
  context.set_timer(kSave, context.now() + options_.state_save_period);
}

void DispatcherWorker::scan(Context& context) {
  for (Partition* const partition : mine_) {
    if (!partition->is_open(context.now())) continue;
    close_group(context, *partition);
    partition->intake.scan(context);
  }
}

// With a fixed pause the dispatchers of two datacenters would keep the phase in which they happened
// to start. How often both join the same click would depend on that phase.
void DispatcherWorker::arm_scan(Context& context) {
  const Duration pause =
      jittered(options_.scan_period, options_.scan_jitter_permille, context.random(scans_++));
  context.set_timer(kScan, context.now() + pause);
}

}  // namespace photon
