#include "core_impl/photon/verification/verifier.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon {
namespace {

// Number of checks since the last return, for a click that is not registered. A removed click is
// then brought back again: it had been joined, so its query exists, and dispatchers finish it soon.
constexpr std::uint32_t kMostChecks = 5;

ClickSource source_of(const VerifierOptions& options) {
  return ClickSource({{.type = logs::LogType::foreign,
                       .options = {options.logs, options.read_chunk, options.max_concurrent_reads},
                       .min_age = options.grace}});
}

logs::LogFile returns_of(NodeId node, Incarnation life) {
  return {logs::LogType::reinjected, narrow<std::uint16_t>(node.value()),
          narrow<std::uint16_t>(life.value())};
}

}  // namespace

Verifier::Verifier(VerifierOptions options)
    : options_(std::move(options)),
      life_(IncarnationClientOptions{.registry = options_.incarnations, .timer = kIncarnation}),
      registry_(with_timers(options_.registry, kRegistry, kSharding)),
      witnesses_({kWitnesses, options_.auditors, options_.answer_timeout}),
      lives_(options_.registrars),
      intake_({.cell = options_.cell,
               .prefix = kVerifierPrefix,
               .lease = options_.lease,
               .retry_delay = options_.cell_retry_delay,
               .timer = kJournal},
              source_of(options_)),
      cases_(kCases) {
  PHOTON_CHECK(options_.max_cases > 0, "a cap of zero would verify nothing");
  PHOTON_CHECK(options_.lease > Duration::zero(), "a lease ends after it starts");
  PHOTON_CHECK(options_.scan_period > Duration::zero(),
               "scans follow one another at some distance");
}

void Verifier::on_start(Context& context) { life_.start(context); }

void Verifier::on_message(Context& context, NodeId from, const Body& body) {
  if (!stopped_) Inbox::dispatch(*this, context, from, body);
}

void Verifier::on(Context& context, NodeId, const IncarnationGrant& grant) {
  if (!life_.on_grant(context, grant)) return;
  const Incarnation life(*life_.granted());
  intake_.start(context, life.value());
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
      if (ready_) intake_.save_offsets();
      intake_.renew_if_due(context);
      if (intake_.lease_held(context.now())) intake_.scan(context);
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
      intake_.on_timer(context);
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
  switch (intake_.on_io(context, ticket, result)) {
    case Intake::Event::not_mine:
      PHOTON_CHECK(false, "every completion belongs to a part of the verifier");
      break;
    case Intake::Event::recovered:
      recover(context);
      break;
    case Intake::Event::ready:
      ready_ = true;
      intake_.scan(context);
      context.set_timer(kScan, context.now() + options_.scan_period);
      break;
    case Intake::Event::fenced:
      return stop();
    case Intake::Event::none:
    case Intake::Event::durable:
    case Intake::Event::looked:
    case Intake::Event::released:
      break;
  }
  pump(context);
}

auto Verifier::saved_cases() {
  return [this](Bytes& content) {
    cases_.for_each([&](Handle, const Case& open) {
      if (open.stored == Stored::no) return;
      append_journal(record_of(open), content);
      // What comes back without a removal has no owner: there is no intent to repeat.
      const bool returns_removed = open.stage == Stage::back && !open.owner.is_empty();
      const bool removing =
          open.stage == Stage::intent || open.stage == Stage::removal || returns_removed;
      if (removing) append_journal(IntentRecord{open.event.id, open.owner}, content);
    });
  };
}

void Verifier::recover(Context& context) {
  const auto restored = [&](SavedRecord&& record, const IntentRecord* intent) {
    return restore(context, std::move(record), intent);
  };
  intake_.recover(context, restored, saved_cases());
}

// Open cases of an earlier life rest until their old due time. A case whose removal was intended
// may already be removed, so it is completed at once.
Verifier::Handle Verifier::restore(Context& context, SavedRecord record,
                                   const IntentRecord* intent) {
  Case open;
  open.event = {record.click, record.query, std::move(record.payload)};
  open.removed_at = record.removed_at;
  open.due = record.due;
  open.checks = record.tries;
  open.returns = record.handed_on;
  open.stored = Stored::yes;
  open.stage = Stage::rest;
  if (intent != nullptr) {
    PHOTON_MARK("verification.recovery.intent");
    open.owner = intent->token;
    open.stage = Stage::intent;
  }
  const Duration left =
      std::clamp<Duration>(record.due - context.wall(), Duration{}, options_.recheck.longest());
  const Handle handle = cases_.begin(std::move(open));
  if (intent != nullptr) {
    ++busy_;
    intended_.push_back(Written{0, handle});  // it is durable
  } else {
    cases_.await(context, handle, rpc::Waiting::for_retry, context.now() + left);
  }
  return handle;
}

SavedRecord Verifier::record_of(const Case& open) {
  return SavedRecord{.click = open.event.id,
                     .query = open.event.primary,
                     .handed_on = open.returns,
                     .tries = open.checks,
                     .due = open.due,
                     .removed_at = open.removed_at,
                     .payload = open.event.payload};
}

void Verifier::pump(Context& context) {
  continue_written(context);
  while (const auto done = registry_.next()) on_registry(context, *done);
  while (const auto outcome = witnesses_.next()) on_presence(context, *outcome);
  if (intake_.lease_held(context.now())) {
    take_clicks(context);
    intake_.pump(context);
  }
  registry_.flush(context);
  witnesses_.flush(context);
  returned_.flush(context);
  intake_.write(context, saved_cases());
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
    auto taken = intake_.next(context, std::nullopt, [](const TakenClick&, Handle) {
      PHOTON_MARK("verification.click.read_again");  // its case is open
    });
    if (!taken.has_value()) return;
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
  PHOTON_CHECK(cases_.find(outcome.tag) != nullptr,
               "an answer of the witnesses is about an open case");
  Case& open = *cases_.find(outcome.tag);
  if (outcome.presence == Presence::present) {
    return finish(context, outcome.tag, trace::Verified::present);
  }
  if (open.stage == Stage::outputs) {
    open.stage = Stage::token;
    return registry_.read_token(open.event.id, outcome.tag);
  }
  if (outcome.presence == Presence::indeterminate) {
    PHOTON_MARK("verification.presence.indeterminate");
    return finish(context, outcome.tag, trace::Verified::indeterminate);
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
  PHOTON_CHECK(cases_.find(handle) != nullptr, "an answer of the registry is about an open case");
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

// A joiner may still be about to join it. After a long time it is brought back, once (F-08). If it
// then stays unregistered, that is reported, and the case stays open: a dispatcher with a backlog
// may reach it hours later, and its joiner may die.
// A click that was removed is brought back again and again. A late insert of the dead owner may
// have registered it just when a dispatcher looked it up, and a late copy of the removal may have
// undone that, without any process knowing of either.
void Verifier::on_unregistered(Context& context, Handle handle, std::uint64_t slot) {
  Case& open = *cases_.find(handle);
  open.owner = Token{};  // an earlier check may have read one
  const bool was_removed = open.removed_at != 0;
  if (open.returns == 0) {
    const Duration age = between(open.event.id.stamp, stamp_from(context.wall()));
    if (!was_removed) {
      PHOTON_LIMIT("verification.unregistered.age", age, options_.unregistered_after);
    }
    const bool awaited = !was_removed && age < options_.unregistered_after;
    if (!awaited) PHOTON_MARK("verification.unregistered.brought_back");
    return awaited ? rest(context, handle) : bring_back(handle);
  }
  if (was_removed && open.checks >= kMostChecks) {
    PHOTON_MARK("verification.removed.brought_back_again");
    open.removed_at = slot;  // for dispatchers this is a new removal
    return bring_back(handle);
  }
  if (!was_removed && open.checks == kMostChecks) {
    PHOTON_MARK("verification.unregistered.reported");
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
      PHOTON_MARK("verification.owner.case_left");
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
  PHOTON_CHECK(open.stage == Stage::life, "a proof follows the question whether its owner lives");
  open.stage = Stage::proof;
  witnesses_.prove(open.event.id, open.owner, handle);
}

void Verifier::intend(Handle handle) {
  Case& open = *cases_.find(handle);
  open.stage = Stage::intent;
  save(open);
  intake_.append(IntentRecord{open.event.id, open.owner});
  intended_.push_back(Written{intake_.end(), handle});
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
    default:  // it was registered meanwhile
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

// Continues the cases whose intent, or return, has become durable.
void Verifier::continue_written(Context& context) {
  while (ready_ && !intended_.empty() && intended_.front().end <= intake_.durable()) {
    const Handle handle = intended_.front().handle;
    intended_.pop_front();
    Case& open = *cases_.find(handle);
    PHOTON_CHECK(open.stage == Stage::intent, "a removal follows its durable intent");
    open.stage = Stage::removal;
    registry_.remove(open.event.id, open.owner, handle);
  }
  while (!returning_.empty() && returning_.front().end <= returned_.durable()) {
    const Handle handle = returning_.front().handle;
    returning_.pop_front();
    ++statistics_.returned;
    Case& open = *cases_.find(handle);
    PHOTON_CHECK(open.stage == Stage::back, "what was written is on its way back");
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
      rest(context, due->handle);  // no answer counts as alive
    }
  }
  cases_.rearm(context);
}

void Verifier::save(Case& open) { intake_.save(record_of(open), open.place, open.stored); }

void Verifier::rest(Context& context, Handle handle) {
  Case& open = *cases_.find(handle);
  const Duration pause =
      options_.recheck.delay(std::max(open.checks, 1U), context.random(hash_of(open.event.id)));
  open.stage = Stage::rest;
  open.due = context.wall() + pause;
  save(open);
  PHOTON_CHECK(busy_ > 0, "a case that pauses was at work");
  --busy_;
  ++statistics_.rests;
  cases_.await(context, handle, rpc::Waiting::for_retry, context.now() + pause);
}

void Verifier::finish(Context& context, Handle handle, trace::Verified verdict) {
  const Case& open = *cases_.find(handle);
  context.decide(trace::ClickVerified{open.event.id, verdict, open.returns});
  intake_.finish(open.event.id, open.place, open.stored);
  PHOTON_CHECK(busy_ > 0, "a case that is finished was at work");
  --busy_;
  ++statistics_.finished;
  cases_.end(handle);
}

}  // namespace photon
