#include "core_impl/photon/verification/verifier.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon {
namespace {

// Since its last return, of a click that nobody registers. What was removed is then brought back
// again: it had been joined, so its query is there, and dispatchers are done with it soon.
constexpr std::uint32_t kPatience = 5;

ClickSource source_of(const VerifierOptions& options) {
  return ClickSource({{.type = logs::LogType::foreign,
                       .options = {options.logs, options.read_chunk, options.max_concurrent_reads},
                       .min_age = options.grace}});
}

logs::LogFile returns_of(NodeId node, Incarnation life) {
  return {logs::LogType::reinjected, static_cast<std::uint16_t>(node.value()),
          static_cast<std::uint16_t>(life.value())};
}

}  // namespace

Verifier::Verifier(VerifierOptions options)
    : options_(std::move(options)),
      life_(IncarnationClientOptions{.registry = options_.incarnations, .timer = kIncarnation}),
      registry_(with_timers(options_.registry, kRegistry, kSharding)),
      witnesses_({kWitnesses, options_.auditors, options_.answer_timeout}),
      lives_(options_.registrars),
      source_(source_of(options_)),
      store_(StateStore::Options{.cell = options_.cell,
                                 .prefix = kVerifierPrefix,
                                 .lease = options_.lease,
                                 .retry_delay = options_.cell_retry_delay,
                                 .timer = kJournal}),
      cases_(kCases) {
  PHOTON_CHECK(options_.max_cases > 0, "a cap of zero would verify nothing");
}

void Verifier::on_start(Context& context) { life_.start(context); }

void Verifier::on_message(Context& context, NodeId from, const Body& body) {
  if (!stopped_) Inbox::dispatch(*this, context, from, body);
}

void Verifier::on(Context& context, NodeId, const IncarnationGrant& grant) {
  if (!life_.on_grant(context, grant)) return;
  const Incarnation life(*life_.granted());
  store_.start(context, life.value());
  returned_.open(GroupLog::Options{options_.cell, returns_of(context.self(), life).name(),
                                   life.value(), options_.cell_retry_delay, kReturn},
                 0);
}

void Verifier::on(Context& context, NodeId, const IncarnationAnswer& answer) {
  lives_.on_answer(answer);
  prove_those_of_the_dead();
  pump(context);
}

void Verifier::on(Context& context, NodeId, const AttemptOver& over) {
  std::erase_if(asking_lives_, [&](Handle handle) {
    const Case* open = cases_.find(handle);
    const bool meant = open != nullptr && open->stage == Stage::life &&
                       open->event.id == over.click && open->owner == over.token;
    if (meant) PHOTON_MARK("verification.owner.attempt_is_over");
    if (meant) prove(handle);
    return meant;
  });
  pump(context);
}

void Verifier::on(Context& context, NodeId from, const RegistryReply& reply) {
  registry_.on_reply(context, from, reply);
  pump(context);
}

void Verifier::on(Context& context, NodeId from, const ShardingReply& reply) {
  registry_.on_sharding(context, from, reply);
  pump(context);
}

void Verifier::on(Context& context, NodeId from, const OutputReply& reply) {
  witnesses_.on_reply(from, reply);
  pump(context);
}

void Verifier::on(Context& context, NodeId, const OutputProgress& progress) {
  witnesses_.on_progress(context, progress);
}

void Verifier::on_timer(Context& context, TimerKind kind) {
  if (stopped_) return;
  switch (static_cast<Timer>(kind)) {
    case kScan:
      save_offsets();
      store_.renew_if_due(context);
      if (store_.lease_held(context.now())) source_.scan(context);
      context.set_timer(kScan, context.now() + options_.scan_period);
      break;
    case kCases:
      take_due_cases(context);
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
    case kWitnesses:
      witnesses_.on_timer(context);
      break;
    case kReturn:
      returned_.on_timer(context);
      break;
  }
  pump(context);
}

void Verifier::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (stopped_) return;
  const auto returned = returned_.on_io(context, ticket, result);
  if (returned == GroupLog::Event::fenced) return stop();
  if (returned != GroupLog::Event::not_mine) return pump(context);
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
      context.set_timer(kScan, context.now() + options_.scan_period);
      break;
    case StateStore::Event::fenced:
      return stop();
    case StateStore::Event::none:
    case StateStore::Event::durable:
    case StateStore::Event::looked:
    case StateStore::Event::released:
      break;
  }
  pump(context);
}

// What an earlier life left open rests until its old due time; what it was about to remove it may
// have removed, so that is carried to its end at once.
void Verifier::recover(Context& context) {
  JournalState& state = store_.state();
  for (const OffsetRecord& record : state.offsets) source_.restore(record.file, record.offset);
  auto intent = state.intents.begin();
  for (SavedRecord& record : state.saved) {
    Case open;
    open.event = {record.click, record.query, std::move(record.payload)};
    open.removed_at = record.removed_at;
    open.due = record.due;
    open.checks = record.tries;
    open.returns = record.handed_on;
    open.stored = Stored::yes;
    open.stage = Stage::rest;
    const bool intended = intent != state.intents.end() && intent->click == record.click;
    if (intended) {
      PHOTON_MARK("verification.recovery.intent");
      open.owner = intent->token;
      open.stage = Stage::intent;
    }
    const Duration left =
        std::clamp<Duration>(record.due - context.wall(), Duration{}, options_.recheck.longest());
    const Handle handle = cases_.begin(std::move(open));
    recovered_.emplace(record.click, handle);
    if (intended) {
      ++intent;
      ++busy_;
      intended_.push_back(Written{0, handle});  // it is durable
    } else {
      cases_.await(context, handle, rpc::Waiting::for_retry, context.now() + left);
    }
  }
  PHOTON_CHECK(intent == state.intents.end(), "what shall be removed is saved first");
  state = JournalState{};
  store_.publish(context, snapshot());
}

Bytes Verifier::snapshot() {
  Bytes content;
  cases_.for_each([&](Handle, const Case& open) {
    if (open.stored == Stored::no) return;
    append_journal(record_of(open), content);
    const bool removing =
        open.stage == Stage::intent || open.stage == Stage::removal || open.stage == Stage::back;
    if (removing) append_journal(IntentRecord{open.event.id, open.owner}, content);
  });
  source_.for_each_offset([&](std::uint32_t file, std::uint64_t offset) {
    append_journal(OffsetRecord{file, offset}, content);
  });
  return content;
}

SavedRecord Verifier::record_of(const Case& open) const {
  return SavedRecord{.click = open.event.id,
                     .query = open.event.primary,
                     .handed_on = open.returns,
                     .tries = open.checks,
                     .due = open.due,
                     .removed_at = open.removed_at,
                     .payload = open.event.payload};
}

void Verifier::save_offsets() {
  if (!ready_) return;
  source_.take_advanced([&](std::uint32_t file, std::uint64_t offset) {
    append_journal(OffsetRecord{file, offset}, store_.pending());
  });
}

void Verifier::pump(Context& context) {
  continue_written(context);
  while (const auto done = registry_.next()) on_registry(context, *done);
  while (const auto outcome = witnesses_.next()) on_presence(context, *outcome);
  if (store_.lease_held(context.now())) {
    take_clicks(context);
    source_.pump(context);
  }
  registry_.flush(context);
  witnesses_.flush(context);
  returned_.flush(context);
  if (store_.wants_compaction()) {
    store_.compact(context, snapshot());
  } else {
    store_.flush(context);
  }
}

// Due cases first.
void Verifier::take_clicks(Context& context) {
  while (busy_ < options_.max_cases && !waiting_.empty()) {
    const Handle handle = waiting_.front();
    waiting_.pop_front();
    ++busy_;
    check(handle);
  }
  while (busy_ < options_.max_cases) {
    auto taken = source_.next(context);
    if (!taken.has_value()) return;
    if (recovered_.contains(taken->event.id)) {
      PHOTON_MARK("verification.click.read_again");
      source_.settle(taken->place);  // its case is open
      continue;
    }
    ++statistics_.taken;
    Case open;
    open.event = std::move(taken->event);
    open.place = taken->place;
    ++busy_;
    check(cases_.begin(std::move(open)));
  }
}

void Verifier::check(Handle handle) {
  Case& open = *cases_.find(handle);
  ++open.checks;
  open.stage = Stage::outputs;
  witnesses_.ask(open.event.id, handle);
}

void Verifier::on_presence(Context& context, const OutputWitnesses::Outcome& outcome) {
  Case& open = *cases_.find(outcome.tag);
  if (outcome.presence == Presence::present) {
    return finish(context, outcome.tag, trace::Verified::present);
  }
  if (open.stage == Stage::outputs) {
    open.stage = Stage::token;
    return registry_.read_token(open.event.id, outcome.tag);
  }
  if (outcome.presence == Presence::unprovable) {
    PHOTON_MARK("verification.presence.unprovable");
    return finish(context, outcome.tag, trace::Verified::unprovable);
  }
  if (outcome.presence != Presence::absent) {
    PHOTON_MARK("verification.presence.unknown");
    return rest(context, outcome.tag);
  }
  if (open.stage == Stage::again) {
    PHOTON_MARK("verification.presence.output_lost");
    return finish(context, outcome.tag, trace::Verified::output_lost);
  }
  PHOTON_CHECK(open.stage == Stage::proof, "witnesses are heard about outputs and proofs");
  intend(outcome.tag);
}

void Verifier::on_registry(Context& context, const RegistryCompletion& done) {
  const Handle handle = done.tag;
  if (cases_.find(handle)->stage == Stage::token) return on_token(context, handle, done);
  PHOTON_CHECK(cases_.find(handle)->stage == Stage::removal, "a case asks for one thing at a time");
  on_removal(context, handle, done);
}

void Verifier::on_token(Context& context, Handle handle, const RegistryCompletion& done) {
  switch (done.code) {
    case RegistryCode::exists:
      cases_.find(handle)->owner = done.token;
      return ask_life(context, handle);
    case RegistryCode::cleared:
      PHOTON_MARK("verification.token.cleared");
      cases_.find(handle)->stage = Stage::again;
      return witnesses_.ask(cases_.find(handle)->event.id, handle);
    case RegistryCode::too_old:
      PHOTON_MARK("verification.token.too_old");
      return finish(context, handle, trace::Verified::too_old);
    case RegistryCode::not_found:
      PHOTON_MARK("verification.token.absent");
      return on_unregistered(context, handle, done.slot);
    default:
      PHOTON_MARK("verification.token.unknown");
      return rest(context, handle);
  }
}

// Somebody may still be about to join it. After long it is brought back, once (F-08). That nobody
// registers it then either is told, and nothing is over with it: a dispatcher may come to it much
// later, out of a backlog, and its joiner die.
// One that was removed is brought back again and again: a late insert of the dead may have
// registered it just when a dispatcher looked, and a late copy of the removal undone that, with
// nobody knowing of either.
void Verifier::on_unregistered(Context& context, Handle handle, std::uint64_t slot) {
  Case& open = *cases_.find(handle);
  const bool was_removed = open.removed_at != 0;
  if (open.returns == 0) {
    const Duration age = between(open.event.id.stamp, stamp_from(context.wall()));
    const bool awaited = !was_removed && age < options_.unregistered_after;
    if (!awaited) PHOTON_MARK("verification.unregistered.brought_back");
    return awaited ? rest(context, handle) : bring_back(handle);
  }
  if (was_removed && open.checks >= kPatience) {
    PHOTON_MARK("verification.removed.brought_back_again");
    open.removed_at = slot;  // for dispatchers this is a new removal
    return bring_back(handle);
  }
  if (!was_removed && open.checks == kPatience) {
    PHOTON_MARK("verification.unregistered.told");
    context.decide(
        trace::ClickVerified{open.event.id, trace::Verified::unregistered, open.returns});
  }
  rest(context, handle);
}

void Verifier::ask_life(Context& context, Handle handle) {
  Case& open = *cases_.find(handle);
  open.stage = Stage::life;
  const OutputOwner owner{open.owner.address, open.owner.incarnation};
  if (lives_.is_dead(owner)) {
    PHOTON_MARK("verification.owner.known_to_be_dead");
    return prove(handle);
  }
  asking_lives_.push_back(handle);
  lives_.ask(context, owner);
  context.send(NodeId(owner.address), Body::make(AttemptQuery{open.event.id, open.owner}));
  cases_.await(context, handle, rpc::Waiting::for_reply, context.now() + options_.answer_timeout);
}

void Verifier::prove_those_of_the_dead() {
  std::erase_if(asking_lives_, [this](Handle handle) {
    const Case* open = cases_.find(handle);
    if (open == nullptr || open->stage != Stage::life) {
      PHOTON_MARK("verification.owner.nobody_asks_any_more");
      return true;
    }
    if (!lives_.is_dead({open->owner.address, open->owner.incarnation})) return false;
    PHOTON_MARK("verification.owner.is_dead");
    prove(handle);
    return true;
  });
}

void Verifier::prove(Handle handle) {
  Case& open = *cases_.find(handle);
  open.stage = Stage::proof;
  witnesses_.prove(open.event.id, open.owner, handle);
}

void Verifier::intend(Handle handle) {
  Case& open = *cases_.find(handle);
  open.stage = Stage::intent;
  save(open);
  append_journal(IntentRecord{open.event.id, open.owner}, store_.pending());
  intended_.push_back(Written{store_.log().end(), handle});
}

void Verifier::on_removal(Context& context, Handle handle, const RegistryCompletion& done) {
  Case& open = *cases_.find(handle);
  switch (done.code) {
    case RegistryCode::removed:
      PHOTON_MARK("verification.removal.done");
      ++statistics_.removals;
      [[fallthrough]];
    case RegistryCode::not_found:  // by an earlier attempt, or by another verifier
      if (done.code == RegistryCode::not_found) {
        PHOTON_MARK("verification.removal.by_another");
      }
      open.removed_at = done.slot;
      return bring_back(handle);
    case RegistryCode::too_old:
      return finish(context, handle, trace::Verified::too_old);
    default:  // somebody has registered it meanwhile
      PHOTON_MARK("verification.removal.registered_meanwhile");
      return rest(context, handle);
  }
}

void Verifier::bring_back(Handle handle) {
  Case& open = *cases_.find(handle);
  open.stage = Stage::back;
  append_encoded(logs::ReinjectedEvent{open.event, open.removed_at}, returned_.pending());
  returning_.push_back(Written{returned_.end(), handle});
}

// Goes on with the cases whose intent, or return, has become durable.
void Verifier::continue_written(Context& context) {
  while (ready_ && !intended_.empty() && intended_.front().end <= store_.log().durable()) {
    const Handle handle = intended_.front().handle;
    intended_.pop_front();
    Case& open = *cases_.find(handle);
    open.stage = Stage::removal;
    registry_.remove(open.event.id, open.owner, handle);
  }
  while (!returning_.empty() && returning_.front().end <= returned_.durable()) {
    const Handle handle = returning_.front().handle;
    returning_.pop_front();
    ++statistics_.returned;
    Case& open = *cases_.find(handle);
    ++open.returns;
    open.checks = 0;
    rest(context, handle);
  }
}

void Verifier::take_due_cases(Context& context) {
  cases_.on_timer();
  while (const auto due = cases_.take_due(context.now())) {
    if (cases_.find(due->handle)->stage == Stage::rest) {
      waiting_.push_back(due->handle);
    } else if (cases_.find(due->handle)->stage == Stage::life) {
      PHOTON_MARK("verification.owner.silent");
      rest(context, due->handle);  // who does not answer is alive
    }
  }
  cases_.rearm(context);
}

void Verifier::save(Case& open) {
  append_journal(record_of(open), store_.pending());
  if (open.stored == Stored::yes) return;
  open.stored = Stored::yes;
  source_.settle(open.place);
}

void Verifier::rest(Context& context, Handle handle) {
  Case& open = *cases_.find(handle);
  const Duration pause =
      options_.recheck.delay(std::max(open.checks, 1U), context.random(hash_of(open.event.id)));
  open.stage = Stage::rest;
  open.due = context.wall() + pause;
  save(open);
  --busy_;
  ++statistics_.rests;
  cases_.await(context, handle, rpc::Waiting::for_retry, context.now() + pause);
}

void Verifier::finish(Context& context, Handle handle, trace::Verified verdict) {
  const Case& open = *cases_.find(handle);
  context.decide(trace::ClickVerified{open.event.id, verdict, open.returns});
  if (open.stored == Stored::yes) {
    append_journal(RemovedRecord{open.event.id}, store_.pending());
    recovered_.erase(open.event.id);
  } else {
    source_.settle(open.place);
  }
  --busy_;
  ++statistics_.finished;
  cases_.end(handle);
}

}  // namespace photon
