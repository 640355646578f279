#include "core_impl/photon/joiner/joiner.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/joiner/joined_record.h"

namespace photon {
namespace {

EventStoreClientOptions with_timer(EventStoreClientOptions options, TimerKind timer) {
  options.timer = timer;
  return options;
}

}  // namespace

Joiner::Joiner(JoinerOptions options, const Adapter& adapter)
    : options_(std::move(options)),
      adapter_(adapter),
      life_(IncarnationClientOptions{.registry = options_.incarnations, .timer = kIncarnation}),
      registry_(with_timers(options_.registry, kRegistry, kSharding)),
      event_store_(with_timer(options_.event_store, kEventStore)) {
  PHOTON_CHECK(options_.max_window > 0 && options_.max_outstanding_registry > 0,
               "a cap of zero would stop the pipeline");
}

void Joiner::on_start(Context& context) { life_.start(context); }

void Joiner::on_message(Context& context, NodeId from, const Body& body) {
  if (!stopped_) Inbox::dispatch(*this, context, from, body);
}

void Joiner::on(Context& context, NodeId, const IncarnationGrant& grant) {
  if (!life_.on_grant(context, grant)) return;
  const Incarnation life(*life_.granted());
  tokens_.emplace(context.self().value(), life.value());
  if (options_.tokens == Tokens::renewed) registry_.renew_tokens(*tokens_);
  // The files carry this life's number in their names: they are new.
  output_.open(GroupLog::Options{options_.cell, output_file(context.self(), life), life.value(),
                                 options_.cell_retry_delay, kOutput},
               0);
  unjoinable_.open(GroupLog::Options{options_.cell, unjoinable_file(context.self(), life),
                                     life.value(), options_.cell_retry_delay, kUnjoinable},
                   0);
}

void Joiner::on(Context& context, NodeId from, const RegistryReply& reply) {
  registry_.on_reply(context, from, reply);
  drain(context);
}

void Joiner::on(Context& context, NodeId from, const ShardingReply& reply) {
  registry_.on_sharding(context, from, reply);
  waiting_.insert(waiting_.begin(), unplaced_.begin(), unplaced_.end());
  unplaced_.clear();
  drain(context);
}

void Joiner::on(Context& context, NodeId, const QueryReply& reply) {
  event_store_.on_reply(context, reply);
  drain(context);
}

void Joiner::on(Context& context, NodeId, const QueryProgress& progress) {
  event_store_.on_progress(context, progress);
}

void Joiner::on_timer(Context& context, TimerKind kind) {
  if (stopped_) return;
  switch (static_cast<Timer>(kind)) {
    case kRegistry:
      registry_.on_timer(context);
      break;
    case kSharding:
      registry_.on_sharding_timer(context);
      break;
    case kEventStore:
      event_store_.on_timer(context);
      break;
    case kOutput:
      output_.on_timer(context);
      break;
    case kUnjoinable:
      unjoinable_.on_timer(context);
      break;
    case kIncarnation:
      life_.on_timer(context);
      break;
  }
  drain(context);
}

void Joiner::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (stopped_) return;
  const auto output = output_.on_io(context, ticket, result);
  if (output != GroupLog::Event::not_mine) {
    on_log(context, output, output_, writing_, JoinOutcome::joined);
  } else {
    const auto mark = unjoinable_.on_io(context, ticket, result);
    PHOTON_CHECK(mark != GroupLog::Event::not_mine, "every completion has an owner");
    on_log(context, mark, unjoinable_, marking_, JoinOutcome::unjoinable);
  }
  if (!stopped_) drain(context);
}

void Joiner::on_stop(Context& context) {
  if (!waiting_.empty() || !unplaced_.empty()) PHOTON_MARK("joiner.stop.with_waiting");
  stopping_ = true;
  for (const Handle handle : waiting_) end(context, handle, JoinOutcome::stopping);
  for (const Handle handle : unplaced_) end(context, handle, JoinOutcome::stopping);
  waiting_.clear();
  unplaced_.clear();
}

std::optional<JoinOutcome> Joiner::refuse(std::size_t clicks) const {
  if (stopping_) {
    PHOTON_MARK("joiner.refuse.stopping");
    return JoinOutcome::stopping;
  }
  if (!tokens_.has_value()) {
    PHOTON_MARK("joiner.refuse.no_life_yet");
    return JoinOutcome::internal;
  }
  PHOTON_LIMIT("joiner.accept.in_flight", attempts_.size() + clicks, options_.max_in_flight);
  if (attempts_.size() + clicks > options_.max_in_flight) {
    PHOTON_MARK("joiner.refuse.too_many");
    return JoinOutcome::too_many_in_flight;
  }
  const bool full = window_ >= options_.max_window ||
                    registry_.outstanding_inserts() >= options_.max_outstanding_registry;
  if (full) {
    PHOTON_MARK("joiner.refuse.throttled");
    return JoinOutcome::registry_throttled;
  }
  return std::nullopt;
}

void Joiner::on(Context& context, NodeId from, const JoinRequest& request) {
  ++statistics_.requests;
  const rpc::RequestId source{from, request.request};
  if (sources_.contains(source)) {
    PHOTON_MARK("joiner.request.copy");
    ++statistics_.coalesced;  // the coming answer serves both copies (D-18)
    return;
  }
  if (const auto refusal = refuse(1)) {
    answer(context, source, request.click, *refusal);
    return;
  }
  begin(context, source, request);
  drain(context);
}

Joiner::Handle Joiner::begin(Context& context, const rpc::RequestId& source,
                             const JoinRequest& request) {
  Attempt attempt;
  attempt.source = source;
  attempt.click = request.click;
  attempt.query = request.query;
  attempt.payload = request.payload;
  attempt.before = request.attempts;
  const Handle handle = attempts_.emplace(std::move(attempt));
  sources_.emplace(source, handle);
  event_store_.lookup(context, request.query, handle);
  return handle;
}

// Accepted or refused as a whole. Members that are under way are copies.
void Joiner::on(Context& context, NodeId from, const JoinGroupRequest& request) {
  statistics_.requests += request.members.size();
  PooledVector<const JoinRequest*> fresh;
  for (const JoinRequest& each : request.members) {
    if (!sources_.contains({from, each.request})) fresh.push_back(&each);
  }
  if (fresh.size() < request.members.size()) PHOTON_MARK("joiner.group.copies");
  statistics_.coalesced += request.members.size() - fresh.size();
  const auto refusal = refuse(fresh.size());
  const std::uint64_t number = refusal || fresh.empty() ? 0 : groups_.emplace(Group{fresh.size()});
  for (const JoinRequest* const each : fresh) {
    const rpc::RequestId source{from, each->request};
    if (refusal) {
      answer(context, source, each->click, *refusal);
    } else {
      attempts_.find(begin(context, source, *each))->group = number;
    }
  }
  drain(context);
}

void Joiner::on(Context& context, NodeId from, const AttemptQuery& query) {
  // A study of missing tokens must not repair their losses (J-L1).
  if (!life_.granted() || options_.tokens == Tokens::renewed) return;
  const bool mine =
      query.token.address == context.self().value() && query.token.incarnation == *life_.granted();
  if (!mine) {
    PHOTON_MARK("joiner.query.another_life");
    return;
  }
  bool at_work = false;
  attempts_.for_each(
      [&](Handle, const Attempt& each) { at_work = at_work || each.click == query.click; });
  if (!at_work) {
    PHOTON_MARK("joiner.query.attempt_over");
    context.send(from, Body::make(AttemptOver{query.click, query.token}));
  }
}

void Joiner::answer(Context& context, const rpc::RequestId& source, const EventId& click,
                    JoinOutcome outcome) {
  ++statistics_.answers.at(static_cast<std::size_t>(outcome));
  context.send(source.from, Body::make(JoinReply{source.number, click, outcome}));
}

void Joiner::end(Context& context, Handle handle, JoinOutcome outcome) {
  const Attempt& attempt = *attempts_.find(handle);
  if (attempt.stage == Stage::registering || attempt.stage == Stage::writing) {
    PHOTON_CHECK(window_ > 0, "the window counts the attempts inside it");
    --window_;
  }
  sources_.erase(attempt.source);
  answer(context, attempt.source, attempt.click, outcome);
  attempts_.erase(handle);
}

void Joiner::report_use(UseSink& sink) const {
  sink.use({trace::Resource::joiner_clicks, attempts_.size(), options_.max_in_flight, 0});
  sink.use({trace::Resource::joiner_registrations, registry_.outstanding_inserts(),
            options_.max_outstanding_registry, waiting_.size()});
  if (options_.max_outstanding_per_shard > 0) {
    sink.use({trace::Resource::joiner_shard, registry_.most_outstanding_inserts(),
              options_.max_outstanding_per_shard, 0});
  }
  sink.use({trace::Resource::joiner_window, window_, options_.max_window, waiting_.size()});
}

void Joiner::drain(Context& context) {
  drain_event_store(context);
  drain_registry(context);
  register_waiting(context);
  registry_.flush(context);
  entered_.clear();  // the registry client counts them from now on
  output_.flush(context);
  unjoinable_.flush(context);
}

void Joiner::drain_event_store(Context& context) {
  while (auto outcome = event_store_.take_result()) on_query(context, *outcome);
  PHOTON_CHECK(groups_.size() <= attempts_.size(),
               "a group waits for one of its attempts at least");
}

void Joiner::on_query(Context& context, const EventStoreClient::Outcome& outcome) {
  const Handle handle = outcome.tag;
  Attempt* attempt = attempts_.find(handle);
  PHOTON_CHECK(attempt != nullptr && attempt->stage == Stage::finding,
               "an attempt waits for its query");
  if (attempt->group != 0) {
    return take_for_group(context, std::exchange(attempt->group, 0), outcome);
  }
  if (stopping_) {
    PHOTON_MARK("joiner.stopping.query_comes");
    return end(context, handle, JoinOutcome::stopping);
  }
  switch (outcome.status) {
    case QueryStatus::found:
      on_found(context, handle, *attempt, outcome.payload);
      return;
    case QueryStatus::not_found:
      on_not_found(context, handle, *attempt);
      return;
    case QueryStatus::error:
      break;
  }
  PHOTON_MARK("joiner.query_lookup.failed");
  end(context, handle, JoinOutcome::event_store_error);
}

void Joiner::take_for_group(Context& context, std::uint64_t number,
                            EventStoreClient::Outcome outcome) {
  PHOTON_CHECK(groups_.find(number) != nullptr, "a group waits for its members");
  Group& group = *groups_.find(number);
  PHOTON_CHECK(group.outcomes.size() < group.members, "a group takes each query once");
  group.outcomes.push_back(std::move(outcome));
  if (group.outcomes.size() < group.members) return;
  const Group complete = std::move(group);
  groups_.erase(number);
  decide_group(context, complete);
}

// While the query of one member is missing, none continues; members whose queries were found are
// answered with the miss too. An error affects its own member alone: a query that storage has
// damaged for ever would otherwise block its neighbours for ever.
void Joiner::decide_group(Context& context, const Group& group) {
  const bool missed = std::ranges::any_of(
      group.outcomes, [](const auto& each) { return each.status == QueryStatus::not_found; });
  for (const EventStoreClient::Outcome& each : group.outcomes) {
    if (missed && !stopping_ && each.status == QueryStatus::found) {
      PHOTON_MARK("joiner.group.held_up_by_a_miss");
      end(context, each.tag, JoinOutcome::query_not_found);
    } else {
      on_query(context, each);
    }
  }
}

void Joiner::on_found(Context& context, Handle handle, Attempt& attempt, const Payload& query) {
  Bytes joined;
  const AdapterEvent of_query{attempt.query, query.bytes(query_bytes_)};
  const AdapterEvent of_click{attempt.click, attempt.payload.bytes(click_bytes_)};
  const AdapterResult result = adapter_.adapt(of_query, of_click, joined);
  const bool skipped = result == AdapterResult::skipped;
  context.decide(trace::AdapterDecided{attempt.click, attempt.query, skipped ? 1U : 0U});
  if (skipped) {
    PHOTON_MARK("joiner.adapter.skipped");
    end(context, handle, JoinOutcome::skipped);  // not registered (D-06)
    return;
  }
  attempt.joined = std::move(joined);
  attempt.stage = Stage::waiting;
  waiting_.push_back(handle);
}

// Both conditions, and only here: after this attempt's own miss (C-22).
bool Joiner::is_unjoinable(Context& context, const Attempt& attempt) const {
  PHOTON_LIMIT("joiner.unjoinable.attempts", attempt.before, options_.unjoinable_attempts);
  if (attempt.before <= options_.unjoinable_attempts) return false;
  const Duration age = between(attempt.click.stamp, stamp_from(context.wall()));
  PHOTON_LIMIT("joiner.unjoinable.age", age, options_.unjoinable_age);
  return age > options_.unjoinable_age;
}

void Joiner::on_not_found(Context& context, Handle handle, Attempt& attempt) {
  if (!is_unjoinable(context, attempt)) {
    end(context, handle, JoinOutcome::query_not_found);
    return;
  }
  append_encoded(UnjoinableRecord{attempt.click, attempt.before}, unjoinable_.pending());
  PHOTON_MARK("joiner.unjoinable.marked");
  attempt.stage = Stage::marking;
  marking_.push_back(Written{unjoinable_.end(), handle});
}

// An attempt whose shard is not known is not registered yet: it would be counted for its shard
// too late.
Joiner::Room Joiner::enter_shard(Context& context, const EventId& click) {
  if (options_.max_outstanding_per_shard == 0) return Room::free;
  const std::optional<ShardId> shard = registry_.shard_of(context, click);
  if (!shard) {
    PHOTON_MARK("joiner.shard.unknown");
    registry_.need_history(context);
    return Room::unknown;
  }
  const auto entered = static_cast<std::size_t>(std::ranges::count(entered_, *shard));
  const std::size_t held = registry_.outstanding_inserts(*shard) + entered;
  if (held >= options_.max_outstanding_per_shard) {
    PHOTON_MARK("joiner.shard.full");
    return Room::full;
  }
  entered_.push_back(*shard);
  return Room::free;
}

void Joiner::register_waiting(Context& context) {
  while (!waiting_.empty() && window_ < options_.max_window &&
         registry_.outstanding_inserts() < options_.max_outstanding_registry) {
    const Handle handle = waiting_.front();
    waiting_.pop_front();
    Attempt& attempt = *attempts_.find(handle);
    const Room room = enter_shard(context, attempt.click);
    if (room == Room::full) end(context, handle, JoinOutcome::registry_throttled);
    if (room == Room::unknown) unplaced_.push_back(handle);
    if (room != Room::free) continue;  // the others do not wait for it
    attempt.token = tokens_->next();
    attempt.stage = Stage::registering;
    ++window_;
    statistics_.window_max = std::max<std::uint64_t>(statistics_.window_max, window_);
    registry_.insert(attempt.click, attempt.token, handle);
  }
}

void Joiner::drain_registry(Context& context) {
  while (const auto done = registry_.next()) on_registered(context, *done);
}

void Joiner::on_registered(Context& context, const RegistryCompletion& done) {
  Attempt* attempt = attempts_.find(done.tag);
  PHOTON_CHECK(attempt != nullptr && attempt->stage == Stage::registering,
               "a registration is answered once");
  if (options_.tokens == Tokens::renewed) attempt->token = done.token;
  PHOTON_CHECK(attempt->token == done.token, "the answer is about this attempt's own token");
  switch (done.code) {
    case RegistryCode::inserted:
      write(done.tag, *attempt);
      return;
    case RegistryCode::already_exists:
      PHOTON_MARK("joiner.registration.another_was_first");
      end(context, done.tag, JoinOutcome::already_exists);
      return;
    case RegistryCode::too_old:
      PHOTON_MARK("joiner.registration.too_old");
      end(context, done.tag, JoinOutcome::too_old);
      return;
    default:
      break;
  }
  PHOTON_CHECK(false, "a registration ends with a definitive code only (D-12)");
}

void Joiner::write(Handle handle, Attempt& attempt) {
  attempt.stage = Stage::writing;
  append_encoded(
      JoinedRecord{attempt.click, attempt.query, attempt.token, std::move(attempt.joined)},
      output_.pending());
  writing_.push_back(Written{output_.end(), handle});
}

// Answers every attempt whose record has become durable.
void Joiner::on_log(Context& context, GroupLog::Event event, const GroupLog& log,
                    PooledDeque<Written>& written, JoinOutcome outcome) {
  if (event == GroupLog::Event::fenced) {
    PHOTON_MARK("joiner.output.fenced");
    stop();
    return;
  }
  while (!written.empty() && written.front().end <= log.durable()) {
    const Handle handle = written.front().handle;
    written.pop_front();
    end(context, handle, outcome);
  }
}

// A later life of this slot has been granted. Attempts that this life still holds are lost, and
// verification finds them. Nothing may be written or answered any more.
void Joiner::stop() {
  stopped_ = true;
  statistics_.fenced = 1;
}

}  // namespace photon
