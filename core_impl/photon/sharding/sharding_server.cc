#include "core_impl/photon/sharding/sharding_server.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {
namespace {

paxos::DriverOptions with_timer(paxos::DriverOptions options, TimerKind timer) {
  options.timer = timer;
  return options;
}

SharedBytes encoded(const ShardingOperation& operation) {
  Bytes bytes;
  Encoder encode(bytes);
  encode(operation);
  return SharedBytes(bytes);
}

ShardingOperation decoded(std::span<const std::byte> command) {
  ShardingOperation operation;
  Decoder decode(command);
  decode(operation);
  PHOTON_CHECK(decode.ok() && decode.remaining() == 0, "a chosen operation decodes");
  return operation;
}

ShardingCode code_of(ShardingResult result) {
  switch (result) {
    case ShardingResult::ok:
      return ShardingCode::ok;
    case ShardingResult::conflict:
      return ShardingCode::conflict;
    case ShardingResult::undecided:
      return ShardingCode::undecided;
    case ShardingResult::nothing_open:
    case ShardingResult::no_shards:
    case ShardingResult::below_horizon:
    case ShardingResult::no_change:
      break;
  }
  return ShardingCode::refused;
}

}  // namespace

ShardingServer::ShardingServer(ShardingServerOptions options)
    : options_(std::move(options)),
      history_(options_.first_shards),
      driver_(with_timer(options_.consensus, kConsensusTimer), *this) {}

void ShardingServer::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
  work(context);
}

void ShardingServer::on_timer(Context& context, TimerKind kind) {
  driver_.on_timer(context, kind);
  work(context);
}

void ShardingServer::on_io(Context& context, Ticket ticket, IoResult& result) {
  const bool known = driver_.on_io(context, ticket, result);
  PHOTON_CHECK(known, "only the replica's log does I/O");
  work(context);
}

void ShardingServer::on(Context& context, NodeId from, const ShardingRead& message) {
  const bool serves = role_ == Role::master && driver_.has_authority(context);
  answer(from, message.request, serves ? ShardingCode::ok : ShardingCode::not_master);
}

void ShardingServer::on(Context& context, NodeId from, const ShardingChange& message) {
  if (role_ != Role::master || !driver_.has_authority(context)) {
    PHOTON_MARK("sharding.server.not_master");
    answer(from, message.request, ShardingCode::not_master);
  } else if (operator_ && operator_->client == from && operator_->request == message.request) {
    PHOTON_MARK("sharding.server.repeated");
    return;  // a repetition of the change under way
  } else if (operator_ || history_.open_change()) {
    PHOTON_MARK("sharding.server.another_change");
    answer(from, message.request, ShardingCode::undecided);
  } else if (!in_time(context, message.start)) {
    PHOTON_MARK("sharding.server.too_early");
    answer(from, message.request, ShardingCode::too_early);
  } else {
    operator_ =
        Operator{from,
                 message.request,
                 {ShardingAction::announce, message.version, message.start, message.shards}};
    stage_ = Stage::waiting;
  }
}

void ShardingServer::on(Context&, NodeId, const ShardingForget& message) {
  if (role_ != Role::master) return;
  forget_ = ShardingOperation{ShardingAction::forget, message.version, message.below, 0};
}

bool ShardingServer::in_time(Context& context, Stamp start) const {
  if (options_.change_rule == ChangeRule::unchecked) return true;
  PHOTON_LIMIT("sharding.change.margin", start,
               stamp_from(context.true_time().latest) + options_.margin);
  return start > stamp_from(context.true_time().latest) + options_.margin;
}

void ShardingServer::work(Context& context) {
  send_answers(context);
  if (role_ != Role::master || open_slot_ != 0 || !driver_.can_propose(context)) return;
  const auto operation = next_operation(context);
  if (!operation) return;
  open_slot_ = driver_.propose(context, encoded(*operation));
  PHOTON_CHECK(open_slot_ != 0, "a master with an open pipeline may propose");
}

std::optional<ShardingOperation> ShardingServer::next_operation(Context& context) {
  if (const auto& open = history_.open_change()) {
    // The condition must hold after the announcement was seen applied, which is now.
    const bool confirm = in_time(context, open->start);
    if (!operator_) PHOTON_MARK("sharding.server.decides_for_another");
    if (!confirm) PHOTON_MARK("sharding.server.cancels");
    return ShardingOperation{
        confirm ? ShardingAction::confirm : ShardingAction::cancel, history_.version(), {}, 0};
  }
  if (operator_ && stage_ == Stage::waiting) {
    stage_ = Stage::proposed;
    return operator_->operation;
  }
  if (forget_) return std::exchange(forget_, std::nullopt);
  if (options_.horizon_ahead == Duration{}) return std::nullopt;
  const Stamp horizon = stamp_from(context.true_time().latest) + options_.horizon_ahead;
  context.set_timer(kHorizonTimer, context.now() + options_.horizon_period);
  if (horizon < history_.horizon() + options_.horizon_period) return std::nullopt;
  return ShardingOperation{ShardingAction::extend_horizon, history_.version(), horizon, 0};
}

std::uint32_t ShardingServer::apply(Context& context, paxos::Slot slot,
                                    std::span<const std::byte> command) {
  if (command.empty()) return 0;
  const ShardingOperation operation = decoded(command);
  PHOTON_CHECK(open_slot_ == 0 || slot == open_slot_,
               "while a master has an operation open, no other is applied");
  const ShardingResult result = history_.apply(operation);
  context.decide(trace::ShardingApplied{slot, operation.version, operation.start, operation.action,
                                        operation.shards, options_.consensus.config.group});
  open_slot_ = 0;
  answer_if_decided(operation, result);
  return 1;
}

// Only a master has an operator that waits, and what it applies is its own operation.
void ShardingServer::answer_if_decided(const ShardingOperation& operation, ShardingResult result) {
  if (!operator_) return;
  switch (operation.action) {
    case ShardingAction::announce:
      if (result != ShardingResult::ok) {
        PHOTON_MARK("sharding.server.announcement_refused");
        answer_operator(code_of(result));
      }
      return;
    case ShardingAction::confirm:
      answer_operator(code_of(result));
      return;
    case ShardingAction::cancel:
      answer_operator(ShardingCode::cancelled);
      return;
    case ShardingAction::extend_horizon:
    case ShardingAction::forget:
      return;
  }
}

void ShardingServer::answer_operator(ShardingCode code) {
  PHOTON_CHECK(operator_.has_value(), "an operator waits for the answer");
  const Operator asked = *std::exchange(operator_, std::nullopt);
  answer(asked.client, asked.request, code);
}

void ShardingServer::answer(NodeId client, std::uint64_t request, ShardingCode code) {
  ShardingReply reply;
  reply.request = request;
  reply.code = code;
  reply.master_hint = driver_.master_hint();
  if (code != ShardingCode::not_master) {
    reply.version = history_.version();
    reply.decided_below = history_.decided_below();
    reply.horizon = history_.horizon();
    const auto intervals = history_.map().intervals();
    reply.intervals.assign(intervals.begin(), intervals.end());
  }
  answers_.push_back({client, std::move(reply)});
}

void ShardingServer::send_answers(Context& context) {
  for (Answer& each : answers_) context.send(each.client, Body::make(std::move(each.reply)));
  answers_.clear();
}

void ShardingServer::became_master(Context&, paxos::Ballot, paxos::Slot) { role_ = Role::master; }

void ShardingServer::lost_mastership(Context& context) {
  role_ = Role::follower;
  open_slot_ = 0;
  forget_.reset();
  context.cancel_timer(kHorizonTimer);
  if (operator_) answer_operator(ShardingCode::not_master);
}

}  // namespace photon
