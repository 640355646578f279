#include "core_impl/photon/sharding/sharding_operator.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

ShardingOperator::ShardingOperator(ShardingOperatorOptions options)
    : options_(std::move(options)), master_(options_.replicas) {}

void ShardingOperator::on_start(Context& context) {
  const Duration wait = options_.at - context.wall();
  if (wait < Duration::zero()) {
    PHOTON_MARK("sharding.operator.comes_too_late");
    stage_ = Stage::over;
    return;
  }
  context.set_timer(kTimer, context.now() + wait);
}

void ShardingOperator::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void ShardingOperator::on_io(Context&, Ticket, IoResult&) {
  PHOTON_CHECK(false, "an operator writes nothing");
}

void ShardingOperator::on_timer(Context& context, TimerKind) {
  if (stage_ == Stage::over) return;
  if (stage_ == Stage::waiting) return read(context);
  if (!std::exchange(pausing_, false)) {
    PHOTON_MARK("sharding.operator.silent");
    master_.silent(asked_);
  }
  send(context);
}

void ShardingOperator::read(Context& context) {
  stage_ = Stage::reading;
  change_ = {};
  change_.request = rpc::request_number(context.incarnation(), ++requests_);
  send(context);
}

void ShardingOperator::send(Context& context) {
  PHOTON_CHECK(stage_ == Stage::reading || stage_ == Stage::changing,
               "an operator asks while it reads or changes");
  asked_ = master_.target();
  context.send(asked_, stage_ == Stage::reading ? Body::make(ShardingRead{change_.request})
                                                : Body::make(ShardingChange{change_}));
  context.set_timer(kTimer, context.now() + options_.request_timeout);
}

void ShardingOperator::pause(Context& context, Stage then) {
  stage_ = then;
  pausing_ = true;
  context.set_timer(kTimer, context.now() + options_.retry_delay);
}

void ShardingOperator::on(Context& context, NodeId from, const ShardingReply& reply) {
  const bool awaited = stage_ == Stage::reading || stage_ == Stage::changing;
  if (!awaited || pausing_ || reply.request != change_.request) {
    PHOTON_MARK("sharding.operator.late_answer");
    return;
  }
  if (reply.code == ShardingCode::not_master) {
    PHOTON_MARK("sharding.operator.not_master");
    static_cast<void>(master_.refused(from, reply.master_hint));
    return pause(context, stage_);
  }
  master_.confirmed(from);
  stage_ == Stage::reading ? on_history(context, reply) : on_outcome(context, reply);
}

Stamp ShardingOperator::start_at(Context& context) const {
  const Stamp earliest = stamp_from(context.true_time().latest) + options_.starts_in;
  if (options_.round_to == Duration{}) return earliest;
  const Duration beyond = earliest.time_since_epoch() % options_.round_to;
  return beyond == Duration{} ? earliest : earliest + (options_.round_to - beyond);
}

void ShardingOperator::on_history(Context& context, const ShardingReply& reply) {
  stage_ = Stage::changing;
  change_.request = rpc::request_number(context.incarnation(), ++requests_);
  change_.version = reply.version;
  change_.start = start_at(context);
  change_.shards = options_.shards;
  send(context);
}

void ShardingOperator::on_outcome(Context& context, const ShardingReply& reply) {
  switch (reply.code) {
    case ShardingCode::ok:
    case ShardingCode::cancelled:
    case ShardingCode::too_early:
    case ShardingCode::refused:
      return finish(is_in_force(reply) ? ShardingCode::ok : reply.code);
    case ShardingCode::conflict:
    case ShardingCode::undecided:
      PHOTON_MARK("sharding.operator.conflict");
      // While another change is open, the present count does not decide about t2.
      if (reply.code == ShardingCode::conflict ? has_count(reply) : is_in_force(reply)) {
        return finish(ShardingCode::ok);
      }
      // Another operator is at work; or this very change is open, requested by a copy of
      // this request.
      if (reply.decided_below == change_.start) {
        PHOTON_MARK("sharding.operator.copy_at_work");
        return pause(context, Stage::changing);
      }
      PHOTON_MARK("sharding.operator.begins_anew");
      stage_ = Stage::waiting;
      context.set_timer(kTimer, context.now() + options_.retry_delay);
      return;
    case ShardingCode::not_master:
      break;
  }
  PHOTON_CHECK(false, "answers without an outcome have been sorted out");
}

bool ShardingOperator::is_in_force(const ShardingReply& reply) const {
  return std::ranges::any_of(reply.intervals, [&](const ShardInterval& interval) {
    return interval.start == change_.start && interval.shards == change_.shards;
  });
}

// A change that joins its neighbour is no interval of its own: the number of shards from its start
// on counts.
bool ShardingOperator::has_count(const ShardingReply& reply) const {
  return std::ranges::any_of(reply.intervals, [&](const ShardInterval& interval) {
    return interval.start <= change_.start && change_.start < interval.end &&
           interval.shards == change_.shards;
  });
}

void ShardingOperator::finish(ShardingCode outcome) {
  PHOTON_CHECK(stage_ != Stage::over, "an operator has one outcome");
  outcome_ = outcome;
  stage_ = Stage::over;
}

}  // namespace photon
