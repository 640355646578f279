#include "core_impl/photon/sharding/sharding_client.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {
namespace {

// Two replicas with outdated beliefs must not bounce a read between them at network speed.
constexpr std::uint32_t kMaxRedirects = 2;

}  // namespace

ShardingClient::ShardingClient(ShardingClientOptions options)
    : options_(std::move(options)),
      router_(options_.routing),
      master_(options_.replicas),
      alarm_(options_.timer) {}

void ShardingClient::need(Context& context) {
  needed_ = true;
  if (state_ == State::idle) read(context);
}

void ShardingClient::read(Context& context) {
  needed_ = false;
  state_ = State::asked;
  asked_ = master_.target();
  begun_ = context.now();
  begun_earliest_ = stamp_from(context.true_time().earliest);
  request_ = rpc::request_number(context.incarnation(), ++reads_);
  context.send(asked_, Body::make(ShardingRead{request_}));
  due_ = begun_ + options_.request_timeout;
  alarm_.no_later_than(context, due_);
}

void ShardingClient::pause(Context& context) {
  state_ = State::pausing;
  redirects_ = 0;
  due_ = context.now() + options_.retry_delay;
  alarm_.no_later_than(context, due_);
}

News ShardingClient::on_reply(Context& context, NodeId from, const ShardingReply& reply) {
  // An answer to an earlier attempt belongs to another begin time: only the latest one counts.
  if (state_ != State::asked || reply.request != request_) {
    PHOTON_MARK("sharding.client.late_answer");
    return News::none;
  }
  if (reply.code == ShardingCode::not_master) {
    const bool better = master_.refused(from, reply.master_hint) == rpc::Redirect::follow;
    if (better && redirects_++ < kMaxRedirects) {
      PHOTON_MARK("sharding.client.redirected");
      read(context);
    } else {
      PHOTON_MARK("sharding.client.pauses");
      needed_ = true;
      pause(context);
    }
    return News::none;
  }
  master_.confirmed(from);
  auto map = ShardMap::make(reply.intervals);
  PHOTON_CHECK(map.has_value(), "the configuration group answers with a history");
  router_.update({reply.version, std::move(map).assume_value(), reply.decided_below, reply.horizon,
                  begun_, begun_earliest_});
  // Operations that this answer does not serve wait a little: the next one would be the same.
  pause(context);
  return News::history;
}

void ShardingClient::on_timer(Context& context) {
  alarm_.fired();
  if (state_ == State::idle) return;
  if (context.now() < due_) {
    alarm_.no_later_than(context, due_);
    return;
  }
  if (state_ == State::asked) {
    PHOTON_MARK("sharding.client.silent");
    master_.silent(asked_);
    read(context);
    return;
  }
  state_ = State::idle;
  if (needed_) read(context);
}

}  // namespace photon
