#include "scenarios/world/registry_load.h"

#include <array>
#include <utility>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/trace/registry.h"

namespace photonsim::scenarios {

using photon::Context;
using photon::EventId;
using photon::Token;
using photon::models::LoadKind;
using photon::models::LoadOperation;

RegistryLoad::RegistryLoad(RegistryLoadOptions options)
    : options_(std::move(options)),
      life_(photon::IncarnationClientOptions{.registry = options_.incarnations,
                                             .timer = kIncarnation}),
      registry_(photon::with_timers(options_.registry, kRegistry, kSharding)) {}

photon::LocalTime RegistryLoad::due(const LoadOperation& operation) const {
  return options_.epoch + (operation.at - photon::SimTime{});
}

void RegistryLoad::on_start(Context& context) {
  life_.start(context);
  while (next_ < options_.plan.size() && due(options_.plan[next_]) < context.wall()) ++next_;
}

void RegistryLoad::on_message(Context& context, photon::NodeId from, const photon::Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void RegistryLoad::on_io(Context&, photon::Ticket, photon::IoResult&) {
  PHOTON_CHECK(false, "a client of the registry writes nothing");
}

void RegistryLoad::on_timer(Context& context, photon::TimerKind kind) {
  switch (static_cast<Timer>(kind)) {
    case kRegistry:
      registry_.on_timer(context);
      break;
    case kSharding:
      registry_.on_sharding_timer(context);
      break;
    case kIncarnation:
      life_.on_timer(context);
      break;
    case kPlan:
      carry_on(context);
      break;
  }
  drain(context);
}

void RegistryLoad::on(Context& context, photon::NodeId, const photon::IncarnationGrant& grant) {
  if (!life_.on_grant(context, grant)) return;
  tokens_.emplace(context.self().value(), *life_.granted());
  if (*life_.granted() > 1) read_earlier_tokens(context);
  carry_on(context);
  drain(context);
}

void RegistryLoad::on(Context& context, photon::NodeId from, const photon::RegistryReply& reply) {
  registry_.on_reply(context, from, reply);
  drain(context);
}

void RegistryLoad::on(Context& context, photon::NodeId from, const photon::ShardingReply& reply) {
  if (reply.intervals.size() > 1) last_change_ = reply.intervals.back().start;
  registry_.on_sharding(context, from, reply);
  drain(context);
}

void RegistryLoad::on(Context& context, photon::NodeId, const photon::BoundaryReply& reply) {
  const bool news = reply.request > boundary_reply_ && reply.request <= boundary_reads_;
  if (!tokens_ || !news || reply.boundary == photon::Stamp::min()) return;
  boundary_reply_ = reply.request;
  insert_near(context, reply.boundary, reply.request);
  drain(context);
}

// The id is made here, because the stamp was unknown before; its place is this life's. Half of the
// stamps are the limit itself, a quarter each a nanosecond below and above.
void RegistryLoad::insert_near(Context& context, photon::Stamp limit, std::uint64_t number) {
  constexpr std::array kOffsets{0, 0, -1, 1};
  const Token token = draw_token();
  const auto place = static_cast<std::uint32_t>(token.incarnation << 20U | token.sequence);
  const auto offset = kOffsets[draw(context, number, Draw::offset, kOffsets.size())];
  insert(context, EventId{kClients + token.address, place, limit + photon::Duration(offset)}, token,
         Then::look_after);
}

std::size_t RegistryLoad::draw(Context& context, std::uint64_t number, Draw what,
                               std::size_t bound) const {
  constexpr std::uint64_t kDraws = 8;  // at most, of one operation
  const auto ordinal = kDraws * number + static_cast<std::uint64_t>(what);
  return static_cast<std::size_t>(photon::uniform_below(context.random(ordinal), bound));
}

// Asks for all that is due, and sleeps until the next is.
void RegistryLoad::carry_on(Context& context) {
  if (!tokens_) return;  // operations that are due meanwhile are sent with the grant
  for (; next_ < options_.plan.size(); ++next_) {
    const LoadOperation& operation = options_.plan[next_];
    const photon::Duration wait = due(operation) - context.wall();
    if (wait > photon::Duration::zero()) {
      context.set_timer(kPlan, context.now() + wait);
      return;
    }
    carry_out(context, operation);
  }
}

void RegistryLoad::carry_out(Context& context, const LoadOperation& operation) {
  switch (operation.kind) {
    case LoadKind::lookup:
      return lookup(context, operation.id);
    case LoadKind::insert:
      return insert(context, operation.id, draw_token());
    case LoadKind::repeat: {
      const auto last = last_inserts_.find(operation.id);
      const bool mine = last != last_inserts_.end();
      return insert(context, operation.id, mine ? Token(last->second.token) : draw_token());
    }
    case LoadKind::clear:
    case LoadKind::remove:
      return look_after(context, operation.id, operation.kind);
    case LoadKind::at_boundary:
      return use_limit(context);
  }
}

void RegistryLoad::lookup(Context& context, const EventId& id) {
  const std::uint64_t number = ++operations_;
  context.decide(photon::trace::LoadAsked{id, {}, number, photon::RegistryOperation::lookup});
  registry_.lookup(id, number);
}

Token RegistryLoad::draw_token() {
  const Token token = tokens_->next();
  drawn_ = token.sequence;
  return token;
}

void RegistryLoad::insert(Context& context, const EventId& id, const Token& token, Then then) {
  LastInsert& last = last_inserts_[id];
  if (last.token != token) last = {token, false, then};
  const std::uint64_t number = ++operations_;
  context.decide(photon::trace::LoadAsked{id, token, number, photon::RegistryOperation::insert});
  registry_.insert(id, token, number);
}

// Of some inserts planned before this life: one, two, four and so on of them ago, the oldest first,
// as tokens only ever increase. The earlier life made some of these inserts; others fell into the
// time between the lives.
void RegistryLoad::read_earlier_tokens(Context& context) {
  constexpr std::size_t kFarthest = 1024;
  std::vector<EventId> inserted;  // the latest first
  for (std::size_t i = next_; i > 0 && inserted.size() < kFarthest; --i) {
    const LoadOperation& planned = options_.plan[i - 1];
    if (planned.kind == LoadKind::insert) inserted.push_back(planned.id);
  }
  for (std::size_t ago = kFarthest; ago > 0; ago /= 2) {
    if (ago > inserted.size()) continue;
    const EventId& id = inserted[ago - 1];
    const std::uint64_t number = ++operations_;
    context.decide(photon::trace::LoadAsked{id, {}, number, photon::RegistryOperation::read_token});
    registry_.read_token(id, number);
  }
}

// Draws tokens up to the place of the stored one, if that is of an earlier life and not yet passed.
void RegistryLoad::insert_again(Context& context, const EventId& id, const Token& stored) {
  const bool earlier =
      stored.address == context.self().value() && stored.incarnation < *life_.granted();
  if (!earlier || stored.sequence <= drawn_) return;
  Token token = draw_token();
  while (token.sequence < stored.sequence) token = draw_token();
  insert(context, id, token, Then::look_after);
}

// Verification reads the token that it clears or removes; here the client uses its own, once its
// outcome is known. No client clears or removes an id whose insert is still open.
void RegistryLoad::look_after(Context& context, const EventId& id, LoadKind kind) {
  const auto last = last_inserts_.find(id);
  if (last == last_inserts_.end() || !last->second.answered) return;
  const Token token = last->second.token;
  const std::uint64_t number = ++operations_;
  const bool clear = kind == LoadKind::clear;
  const auto operation =
      clear ? photon::RegistryOperation::clear : photon::RegistryOperation::remove;
  context.decide(photon::trace::LoadAsked{id, token, number, operation});
  if (clear) {
    registry_.clear(id, token, number);
  } else {
    registry_.remove(id, token, number);
  }
}

// At once, while a boundary may still be where it was.
void RegistryLoad::follow_insert(Context& context, const EventId& id, std::uint64_t number) {
  switch (draw(context, number, Draw::next, 3)) {
    case 0:
      return lookup(context, id);
    case 1:
      return look_after(context, id, LoadKind::clear);
    default:
      return look_after(context, id, LoadKind::remove);
  }
}

// Any replica of any shard may be asked; what the stamp meets at its own shard is chance. In place
// of a boundary it may be the start of the last change of shards that this client knows.
void RegistryLoad::use_limit(Context& context) {
  const std::uint64_t number = ++boundary_reads_;
  const bool begun = last_change_ && *last_change_ < photon::stamp_from(context.wall());
  if (begun && draw(context, number, Draw::limit, 2) == 0) {
    boundary_reply_ = number;
    return insert_near(context, *last_change_, number);
  }
  const auto& shards = options_.registry.replicas;
  const auto& shard = shards[draw(context, number, Draw::shard, shards.size())];
  const auto member = draw(context, number, Draw::member, shard.size());
  context.send(shard[member], photon::Body::make(photon::BoundaryRead{number}));
}

void RegistryLoad::drain(Context& context) {
  while (const auto done = registry_.next()) {
    const bool reads_token = done->operation == photon::RegistryOperation::read_token;
    if (!photon::trace::is_definitive(done->code)) {  // no answer in time: once more
      reads_token ? registry_.read_token(done->id, done->tag)
                  : registry_.lookup(done->id, done->tag);
      continue;
    }
    Then then = Then::nothing;
    const auto last = last_inserts_.find(done->id);
    if (last != last_inserts_.end() && last->second.token == done->token) {
      last->second.answered = true;
      then = last->second.then;
    }
    context.decide(
        photon::trace::LoadDone{done->id, done->token, done->tag, done->operation, done->code});
    const bool inserted = done->operation == photon::RegistryOperation::insert;
    if (inserted && then == Then::look_after) follow_insert(context, done->id, done->tag);
    if (reads_token && done->code == photon::RegistryCode::exists) {
      insert_again(context, done->id, done->token);
    }
  }
  registry_.flush(context);
}

}  // namespace photonsim::scenarios
