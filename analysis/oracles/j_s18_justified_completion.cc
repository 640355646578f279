#include "analysis/oracles/j_s18_justified_completion.h"

#include <fmt/format.h>

namespace photon::analysis {

namespace {

std::string_view name_of(trace::DoneReason reason) {
  switch (reason) {
    case trace::DoneReason::joined:
      return "joined";
    case trace::DoneReason::already_exists:
      return "already exists";
    case trace::DoneReason::too_old:
      return "too old";
    case trace::DoneReason::skipped:
      return "skipped";
    case trace::DoneReason::unjoinable:
      return "unjoinable";
    case trace::DoneReason::lookup_exists:
      return "exists, by look-up";
    case trace::DoneReason::lookup_too_old:
      return "too old, by look-up";
  }
  return "an unknown reason";
}

std::uint8_t answer_bit(trace::DoneReason reason) {
  switch (reason) {
    case trace::DoneReason::joined:
      return kAnsweredJoined;
    case trace::DoneReason::already_exists:
      return kAnsweredExists;
    case trace::DoneReason::too_old:
      return kAnsweredTooOld;
    case trace::DoneReason::skipped:
      return kAnsweredSkipped;
    case trace::DoneReason::unjoinable:
      return kAnsweredUnjoinable;
    case trace::DoneReason::lookup_exists:
      return kLookupExists;
    case trace::DoneReason::lookup_too_old:
      return kLookupTooOld;
  }
  return 0;
}

}  // namespace

// The boundary is always at least N before true time (J-S8). Only the registry calls a click too
// old: some shard has moved its boundary above the click.
bool JustifiedCompletion::is_too_old(const Fact& fact, const EventId& id) const {
  const auto stamp = from_nanoseconds<SimTime>(nanoseconds_of(id.stamp));
  const SimTime expires = shifted(shifted(stamp, -config().calendar_epoch), config().gc_age);
  if (fact.header().at <= expires) return false;
  for (std::uint32_t shard = 0; shard < config().shards; ++shard) {
    if (registry_.boundaries().last(ShardId(shard)).highest > id.stamp) return true;
  }
  return false;
}

void JustifiedCompletion::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::click_done) return on_done(fact);
  const bool success = fact.source() == trace::Source::sent &&
                       trace::is_success(fact.as<trace::JoinAnswer>().outcome);
  if (success) on_success(fact, fact.as<trace::JoinAnswer>());
}

void JustifiedCompletion::on_success(const Fact& fact, const trace::JoinAnswer& answer) {
  oblige();
  const trace::Header& header = fact.header();
  const Click& click = join_.click(fact.event);
  const Registration& registration = registry_.registration(fact.event);
  const Visit* visit = join_.find_visit(fact.event, header.node, header.peer, answer.request);
  if (visit == nullptr) {
    return report(
        fact, click.id,
        fmt::format("the joiner answered `{}` to a request that was never delivered to it",
                    name_of(trace::done_reason(answer.outcome))));
  }
  switch (answer.outcome) {
    case trace::JoinOutcome::joined:
      return check_joined(fact);
    case trace::JoinOutcome::already_exists:
      check_refused(fact, *visit, trace::RegistryCode::already_exists);
      if (registration.was_owned()) return;
      return report(fact, click.id,
                    "the joiner answered `already exists`, but the click was never registered");
    case trace::JoinOutcome::too_old:
      check_refused(fact, *visit, trace::RegistryCode::too_old);
      if (is_too_old(fact, click.id)) return;
      return report(fact, click.id,
                    "the joiner answered `too old`, but the click is within N, or no boundary has "
                    "passed it");
    case trace::JoinOutcome::skipped:
      if (click.expect_skip) return;
      return report(fact, click.id,
                    "the joiner answered `skipped`, but the reference adapter joins the click");
    default:
      return check_unjoinable(fact, *visit);
  }
}

// A refusal of the registry must have reached an attempt of this very life, made for a request that
// arrived no later. That the click is registered, or too old, is not enough: another pipeline may
// have caused that.
void JustifiedCompletion::check_refused(const Fact& fact, const Visit& visit,
                                        trace::RegistryCode code) {
  const trace::Header& header = fact.header();
  const Click& click = join_.click(fact.event);
  for (std::uint32_t i = click.attempts; i != kNoIndex; i = join_.attempt(i).next) {
    const Attempt& attempt = join_.attempt(i);
    const bool own = attempt.node == header.node && attempt.life == header.incarnation;
    if (own && attempt.answered_at != kNever && attempt.answered_at >= visit.received_at &&
        attempt.answer == code) {
      return;
    }
  }
  report(fact, click.id,
         fmt::format("the joiner answered `{}`, but since the request was delivered at {} no "
                     "attempt of its life got that answer",
                     trace::name_of(code), describe(visit.received_at)));
}

// Registered by an attempt of the life that answers, and in the output (D-19). An earlier life of
// the same process may have registered the click and lost it (L-crash).
void JustifiedCompletion::check_joined(const Fact& fact) {
  const Click& click = join_.click(fact.event);
  const Registration& registration = registry_.registration(fact.event);
  const Attempt* owner =
      registration.is_owned() ? join_.find_attempt(fact.event, registration.owner) : nullptr;
  const bool own = owner != nullptr && owner->node == fact.header().node &&
                   owner->life == fact.header().incarnation;
  if (own && owner->output_durable) return;
  report(
      fact, click.id,
      own ? fmt::format("the joiner answered `joined`, but the output of token {} is not durable",
                        describe(registration.owner))
          : fmt::format(
                "the joiner answered `joined`, but the registry's owner is {}, which is no "
                "attempt of the life that answers",
                registration.is_owned() ? describe(registration.owner) : std::string("none")));
}

void JustifiedCompletion::check_unjoinable(const Fact& fact, const Visit& visit) {
  const trace::Header& header = fact.header();
  const Click& click = join_.click(fact.event);
  const std::uint32_t pipeline = join_.pipeline_of(header.datacenter);
  if (pipeline != kNoIndex && !join_.at(fact.event, pipeline).unjoinable_logged) {
    report(fact, click.id, "declared unjoinable, but no durable log of its datacenter says so");
  }
  const std::uint64_t limit = config().unjoinable_attempts;
  if (std::uint64_t{visit.attempts} + 1 > limit) {
    // The count comes from the dispatcher: it may not exceed the joins really sent. A life that
    // ended between saving the count and sending may be one ahead.
    const std::uint32_t sent =
        pipeline == kNoIndex ? visit.attempts : join_.at(fact.event, pipeline).asked;
    const std::uint32_t lives = join_.node(header.peer).lives;
    if (std::uint64_t{visit.attempts} + 1 > std::uint64_t{sent} + lives) {
      report(fact, click.id,
             fmt::format("declared unjoinable after {} attempts, but only {} were sent",
                         visit.attempts, sent));
    }
  } else {
    report(
        fact, click.id,
        fmt::format("declared unjoinable after {} attempts; R is {}", visit.attempts + 1, limit));
  }
  const Duration age = age_by(header.local, click.id);
  // The clock may have been stepped back since the decision.
  if (age <= config().unjoinable_age - 2 * config().clock_epsilon) {
    report(fact, click.id,
           fmt::format("declared unjoinable at an age of {} ms; A is {} ms",
                       age.count() / 1'000'000, config().unjoinable_age.count() / 1'000'000));
  }
  if (!click.generated || click.query.is_null()) return;
  const SimTime miss = join_.query_miss(click, header.node);
  if (miss == kNever || miss < visit.received_at) {
    report(
        fact, click.id,
        fmt::format("declared unjoinable, but no look-up of query {} in the logs missed since the "
                    "request was delivered at {}",
                    describe(click.query), describe(visit.received_at)));
  }
}

void JustifiedCompletion::on_done(const Fact& fact) {
  oblige();
  const auto& done = fact.as<trace::ClickDone>();
  const Click& click = join_.click(fact.event);
  const Registration& registration = registry_.registration(fact.event);
  const std::uint32_t pipeline = join_.pipeline_of(fact.header().datacenter);
  const std::uint8_t answers =
      pipeline == kNoIndex ? std::uint8_t{0} : join_.answers(fact.event, pipeline);
  if ((answers & answer_bit(done.reason)) == 0) {
    report(
        fact, click.id,
        fmt::format("the dispatcher is done with the click ({}), but no such answer was delivered "
                    "to its datacenter",
                    name_of(done.reason)));
  }
  const bool needs_owner = done.reason == trace::DoneReason::joined ||
                           done.reason == trace::DoneReason::already_exists ||
                           done.reason == trace::DoneReason::lookup_exists;
  if (needs_owner && !registration.was_owned()) {
    report(fact, click.id,
           fmt::format("done ({}), but the click was never registered", name_of(done.reason)));
  }
  const bool needs_age =
      done.reason == trace::DoneReason::too_old || done.reason == trace::DoneReason::lookup_too_old;
  if (needs_age && !is_too_old(fact, click.id)) {
    report(fact, click.id,
           fmt::format("done ({}), but the click is within N, or no boundary has passed it",
                       name_of(done.reason)));
  }
  if (done.reason == trace::DoneReason::skipped && !click.expect_skip) {
    report(fact, click.id, "done (skipped), but the reference adapter joins the click");
  }
}

}  // namespace photon::analysis
