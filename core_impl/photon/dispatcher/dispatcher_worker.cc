#include "core_impl/photon/dispatcher/dispatcher_worker.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/jitter.h"

namespace photon {
namespace {

// What was brought back comes first: it is little, and has waited.
ClickSource sources_of(const DispatcherOptions& options) {
  const auto of = [&](VolumeId volume) {
    return logs::RecordSource::Options{volume, options.read_chunk, options.max_concurrent_reads};
  };
  const ClickSource::Log clicks{logs::LogType::foreign, of(options.logs)};
  if (options.reinjected == Reinjected::ignored) return ClickSource({clicks});
  return ClickSource({{logs::LogType::reinjected, of(options.cell)}, clicks});
}

}  // namespace

DispatcherWorker::DispatcherWorker(DispatcherOptions options)
    : options_(std::move(options)),
      life_(IncarnationClientOptions{.registry = options_.incarnations, .timer = kIncarnation}),
      registry_(with_timers(options_.registry, kRegistry, kSharding)),
      source_(sources_of(options_)),
      store_(StateStore::Options{.cell = options_.cell,
                                 .prefix = kDispatcherPrefix,
                                 .lease = options_.lease,
                                 .retry_delay = options_.cell_retry_delay,
                                 .compaction_slack = options_.compaction_slack,
                                 .timer = kJournal}),
      clicks_(kClicks) {
  PHOTON_CHECK(!options_.joiners.empty(), "a dispatcher needs a joiner to send to");
  PHOTON_CHECK(options_.max_outstanding_lookups > 0 && options_.max_outstanding_sends > 0,
               "a cap of zero would stop the pipeline");
}

void DispatcherWorker::on_start(Context& context) { life_.start(context); }

void DispatcherWorker::on_message(Context& context, NodeId from, const Body& body) {
  if (!stopped_) Inbox::dispatch(*this, context, from, body);
}

void DispatcherWorker::on(Context& context, NodeId, const IncarnationGrant& grant) {
  if (life_.on_grant(context, grant)) store_.start(context, *life_.granted());
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
  PHOTON_CHECK(clicks_.find(handle)->id == reply.click,
               "a reply is about the click of its request");
  if (trace::is_success(reply.outcome)) {
    finish(context, handle, trace::done_reason(reply.outcome));
  } else {
    const bool rejected = reply.outcome == JoinOutcome::too_many_in_flight ||
                          reply.outcome == JoinOutcome::registry_throttled;
    ++(rejected ? statistics_.rejections : statistics_.failures);
    fail(context, handle);
  }
  pump(context);
}

// Its click has been saved, and is finished all the same if it waits: where answers take longer
// than the time-out, clicks would otherwise be sent for ever.
void DispatcherWorker::on_late_reply(Context& context, const JoinReply& reply) {
  ++statistics_.stale_replies;
  const auto late = late_.find(reply.request);
  if (late == late_.end() || !trace::is_success(reply.outcome)) return;
  finish(context, late->second, trace::done_reason(reply.outcome));
  pump(context);
}

void DispatcherWorker::on_timer(Context& context, TimerKind kind) {
  if (stopped_) return;
  switch (static_cast<Timer>(kind)) {
    case kScan:
      if (store_.lease_held(context.now())) source_.scan(context);
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
      store_.on_timer(context);
      break;
    case kIncarnation:
      life_.on_timer(context);
      break;
    case kSave:
      save_offsets();
      store_.renew_if_due(context);
      context.set_timer(kSave, context.now() + options_.state_save_period);
      break;
  }
  pump(context);
}

void DispatcherWorker::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (stopped_) return;
  switch (store_.on_io(context, ticket, result)) {
    case StateStore::Event::not_mine: {
      const bool mine = source_.on_io(context, ticket, result);
      PHOTON_CHECK(mine, "every completion belongs to somebody");
      break;
    }
    case StateStore::Event::recovered:
      recover(context);
      break;
    case StateStore::Event::ready:
      ready_ = true;
      source_.scan(context);
      arm_scan(context);
      context.set_timer(kSave, context.now() + options_.state_save_period);
      break;
    case StateStore::Event::fenced:
      stop();
      return;
    case StateStore::Event::none:
    case StateStore::Event::durable:
      break;
  }
  pump(context);
}

// The journal of the earlier life: where to read on, and what to try again at its old due time.
void DispatcherWorker::recover(Context& context) {
  for (const OffsetRecord& record : store_.state().offsets) {
    source_.restore(record.file, record.offset);
  }
  for (SavedRecord& record : store_.state().saved) {
    Click click;
    click.id = record.click;
    click.query = record.query;
    click.payload = std::move(record.payload);
    click.due = record.due;
    click.last_joiner = record.last_joiner;
    click.removed_at = record.removed_at;
    click.attempts = record.attempts;
    click.failures = record.failures;
    click.stored = Stored::yes;
    // A calendar clock may have been stepped: no pause becomes longer than the longest of all.
    const Duration left =
        std::clamp<Duration>(record.due - context.wall(), Duration{}, options_.backoff.longest());
    const Handle handle = clicks_.begin(std::move(click));
    clicks_.await(context, handle, rpc::Waiting::for_retry, context.now() + left);
    recovered_.emplace(record.click, handle);
    ++saved_;
  }
  store_.state() = JournalState{};
  store_.publish(context, snapshot());
}

// Saved clicks before offsets, as everywhere in the journal.
Bytes DispatcherWorker::snapshot() {
  Bytes content;
  clicks_.for_each([&](Handle, const Click& click) {
    if (click.stored == Stored::yes) append_journal(record_of(click), content);
  });
  source_.for_each_offset([&](std::uint32_t file, std::uint64_t offset) {
    append_journal(OffsetRecord{file, offset}, content);
  });
  return content;
}

SavedRecord DispatcherWorker::record_of(const Click& click) {
  return SavedRecord{click.id,  click.query,       click.attempts,   click.failures,
                     click.due, click.last_joiner, click.removed_at, click.payload};
}

void DispatcherWorker::save_offsets() {
  if (!ready_) return;
  source_.take_advanced([&](std::uint32_t file, std::uint64_t offset) {
    append_journal(OffsetRecord{file, offset}, store_.pending());
  });
}

void DispatcherWorker::pump(Context& context) {
  drain_lookups(context);
  if (store_.lease_held(context.now())) {
    start_clicks(context);
    send_waiting(context);
    source_.pump(context);
  }
  registry_.flush(context);
  if (store_.wants_compaction()) {
    store_.compact(context, snapshot());
  } else {
    store_.flush(context);
  }
}

// Fresh and retried clicks take turns as long as there are both.
void DispatcherWorker::start_clicks(Context& context) {
  while (registry_.outstanding_lookups() + sendable_.size() < options_.max_outstanding_lookups) {
    const bool started = retry_first_ ? start_retry(context) || start_fresh(context)
                                      : start_fresh(context) || start_retry(context);
    if (!started) return;
    retry_first_ = !retry_first_;
  }
}

bool DispatcherWorker::start_fresh(Context& context) {
  if (clicks_.size() >= options_.max_pending_clicks) return false;
  auto taken = source_.next(context);
  // Read again because the offset lagged behind the store: the copy there keeps its attempt count.
  while (taken.has_value() && recovered_.contains(taken->event.id)) {
    ++statistics_.clicks_read_again;
    source_.settle(taken->place);
    taken = source_.next(context);
  }
  if (!taken.has_value()) return false;
  ++statistics_.clicks_taken;
  Click click;
  click.id = taken->event.id;
  click.query = taken->event.primary;
  click.payload = std::move(taken->event.payload);
  click.place = taken->place;
  click.removed_at = taken->removed_at;
  start(context, clicks_.begin(std::move(click)));
  return true;
}

bool DispatcherWorker::start_retry(Context& context) {
  if (retries_.empty()) return false;
  const Handle handle = retries_.front();
  retries_.pop_front();
  start(context, handle);
  return true;
}

// Every attempt begins with the look-up, so a retry ends when another datacenter has joined (C-12).
void DispatcherWorker::start(Context& context, Handle handle) {
  context.consume(options_.step_cost);
  if (options_.pre_lookup == PreLookup::on) {
    const Click& click = *clicks_.find(handle);
    registry_.lookup(click.id, handle, click.removed_at);
  } else {
    sendable_.push_back(handle);
  }
}

void DispatcherWorker::drain_lookups(Context& context) {
  while (const auto done = registry_.next()) {
    const Handle handle = done->tag;
    PHOTON_CHECK(clicks_.find(handle) != nullptr, "a click waits for its look-up");
    switch (done->code) {
      case RegistryCode::exists:
        finish(context, handle, trace::DoneReason::lookup_exists);
        break;
      case RegistryCode::too_old:
        finish(context, handle, trace::DoneReason::lookup_too_old);
        break;
      case RegistryCode::not_found:
        sendable_.push_back(handle);
        break;
      default:  // unknown: it says nothing about the click (B-73)
        ++statistics_.unknown_lookups;
        fail(context, handle);
        break;
    }
  }
}

void DispatcherWorker::send_waiting(Context& context) {
  while (!sendable_.empty() && requests_.size() < options_.max_outstanding_sends) {
    const Handle handle = sendable_.front();
    sendable_.pop_front();
    send(context, handle, *clicks_.find(handle));
  }
}

void DispatcherWorker::send(Context& context, Handle handle, Click& click) {
  PHOTON_CHECK(click.request == 0, "one send of a click is under way at a time");
  const NodeId joiner = choose_joiner(context, click);
  click.request = requests_.open(context, handle);
  click.last_joiner = joiner;
  context.send(joiner, Body::make(JoinRequest{click.request, click.id, click.query, click.attempts,
                                              click.payload}));
  ++click.attempts;
  ++statistics_.sends;
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
  const auto skipped = static_cast<std::uint64_t>(last - joiners.begin());
  const std::uint64_t place = uniform_below(word, joiners.size() - 1);
  return joiners[place < skipped ? place : place + 1];
}

void DispatcherWorker::finish(Context& context, Handle handle, trace::DoneReason reason) {
  const Click& click = *clicks_.find(handle);
  context.decide(trace::ClickDone{click.id, reason, click.attempts});
  if (click.stored == Stored::yes) {
    append_journal(RemovedRecord{click.id}, store_.pending());
    recovered_.erase(click.id);
    --saved_;
  } else {
    source_.settle(click.place);
  }
  late_.erase(click.request);
  clicks_.end(handle);
}

// Whatever it was: the click goes to the retry store, and from there once more to the look-up.
void DispatcherWorker::fail(Context& context, Handle handle) {
  Click& click = *clicks_.find(handle);
  ++click.failures;
  const Duration delay = options_.backoff.delay(click.failures, context.random(hash_of(click.id)));
  click.due = context.wall() + delay;
  append_journal(record_of(click), store_.pending());
  ++statistics_.saves;
  if (click.stored == Stored::no) {
    click.stored = Stored::yes;
    ++saved_;
    // The record that saves the click was added before any offset that passes it can be.
    source_.settle(click.place);
  }
  clicks_.await(context, handle, rpc::Waiting::for_retry, context.now() + delay);
}

void DispatcherWorker::take_due_clicks(Context& context) {
  clicks_.on_timer();
  while (const auto due = clicks_.take_due(context.now())) {
    Click& click = *clicks_.find(due->handle);
    if (due->waiting == rpc::Waiting::for_retry) {
      late_.erase(click.request);
      click.request = 0;
      retries_.push_back(due->handle);
      continue;
    }
    ++statistics_.send_timeouts;
    requests_.close(click.request);
    late_.emplace(click.request, due->handle);
    fail(context, due->handle);
  }
  clicks_.rearm(context);
}

// With a fixed pause the dispatchers of two datacenters would keep for ever the phase in which they
// happened to start, and how often both join the same click would be that accident's.
void DispatcherWorker::arm_scan(Context& context) {
  const Duration pause =
      jittered(options_.scan_period, options_.scan_jitter_permille, context.random(scans_++));
  context.set_timer(kScan, context.now() + pause);
}

void DispatcherWorker::stop() {
  stopped_ = true;
  statistics_.fenced = 1;
}

}  // namespace photon
