#include "core_impl/rpc/in_flight.h"

#include <optional>
#include <utility>
#include <vector>

#include "tests/support/catch.h"

namespace photon::rpc {
namespace {

using namespace std::chrono_literals;

// Remembers the one timer the table may set; no other effect is expected.
class TimerContext final : public Context {
 public:
  NodeId self() const override { return NodeId(1); }
  Incarnation incarnation() const override { return Incarnation(1); }
  MonotonicTime now() const override { return now_; }
  LocalTime wall() const override { return {}; }
  TrueTimeInterval true_time() const override { return {}; }
  void send(NodeId /*to*/, Body /*body*/) override {}
  void set_timer(TimerKind kind, MonotonicTime due) override {
    CHECK(kind == 3);
    timer_ = due;
    ++timer_calls_;
  }
  void cancel_timer(TimerKind /*kind*/) override { timer_.reset(); }
  Ticket submit(VolumeRequest /*request*/) override { return {}; }
  std::uint64_t random(std::uint64_t /*ordinal*/) override { return 0; }

  MonotonicTime now_{1s};
  std::optional<MonotonicTime> timer_;
  int timer_calls_ = 0;

 private:
  void raw_decide(trace::Kind /*kind*/, const void* /*payload*/, std::size_t /*size*/) override {}
};

std::vector<int> fire(InFlight<int>& calls, TimerContext& context) {
  REQUIRE(context.timer_.has_value());
  context.now_ = *context.timer_;
  context.timer_.reset();
  calls.on_timer();
  std::vector<int> due;
  while (const auto next = calls.take_due(context.now_)) due.push_back(*calls.find(next->handle));
  calls.rearm(context);
  return due;
}

TEST_CASE("InFlight: a reply after the end of its call finds nothing (BC-28)") {
  InFlight<int> calls(3);
  const auto first = calls.begin(7);
  REQUIRE(*calls.find(first) == 7);
  calls.end(first);
  CHECK(calls.find(first) == nullptr);
  const auto second = calls.begin(8);  // takes the same slot
  CHECK(second != first);
  CHECK(calls.find(first) == nullptr);
  CHECK(*calls.find(second) == 8);
  CHECK(calls.find(0) == nullptr);
}

TEST_CASE("InFlight: a visit meets each call in flight once, and no call that has ended") {
  InFlight<int> calls(3);
  const auto first = calls.begin(7);
  const auto second = calls.begin(8);
  const auto third = calls.begin(9);
  calls.end(second);
  using Visited = std::vector<std::pair<InFlight<int>::Handle, int>>;
  Visited visited;
  calls.for_each(
      [&](InFlight<int>::Handle handle, int& call) { visited.emplace_back(handle, call++); });
  CHECK(visited == Visited{{first, 7}, {third, 9}});
  CHECK(*calls.find(first) == 8);
  CHECK(*calls.find(third) == 10);
}

TEST_CASE("InFlight: equal time-outs come due in the order of waiting, with one timer") {
  TimerContext context;
  InFlight<int> calls(3);
  for (int call = 0; call < 100; ++call) {
    calls.await(context, calls.begin(call), Waiting::for_reply, context.now_ + 1s);
  }
  CHECK(context.timer_calls_ == 1);
  const auto due = fire(calls, context);
  REQUIRE(due.size() == 100);
  for (int call = 0; call < 100; ++call) CHECK(due[static_cast<std::size_t>(call)] == call);
  CHECK_FALSE(context.timer_.has_value());  // no call waits any more
}

TEST_CASE("InFlight: waiting anew replaces the earlier deadline and keeps its kind") {
  TimerContext context;
  InFlight<int> calls(3);
  const auto call = calls.begin(1);
  calls.await(context, call, Waiting::for_reply, context.now_ + 1s);
  calls.await(context, call, Waiting::for_retry, context.now_ + 3s);
  CHECK(fire(calls, context).empty());  // the armed second is over, nothing is due
  REQUIRE(context.timer_ == MonotonicTime(4s));
  context.now_ = *context.timer_;
  calls.on_timer();
  const auto due = calls.take_due(context.now_);
  REQUIRE(due.has_value());
  CHECK(due->handle == call);
  CHECK(due->waiting == Waiting::for_retry);
  CHECK_FALSE(calls.take_due(context.now_ + 1h).has_value());
}

TEST_CASE("InFlight: an earlier deadline moves the timer forward, ended calls do not keep it") {
  TimerContext context;
  InFlight<int> calls(3);
  const auto slow = calls.begin(1);
  const auto fast = calls.begin(2);
  calls.await(context, slow, Waiting::for_reply, context.now_ + 5s);
  calls.await(context, fast, Waiting::for_reply, context.now_ + 1s);
  CHECK(context.timer_ == MonotonicTime(2s));
  calls.end(fast);
  CHECK(fire(calls, context).empty());
  CHECK(context.timer_ == MonotonicTime(6s));
  calls.end(slow);
  CHECK(fire(calls, context).empty());
  CHECK_FALSE(context.timer_.has_value());
  CHECK(calls.size() == 0);
}

TEST_CASE("InFlight: the timer skips the deadline of a call that ended before it came") {
  TimerContext context;
  InFlight<int> calls(3);
  const auto slow = calls.begin(1);
  const auto ended = calls.begin(2);
  const auto fast = calls.begin(3);
  calls.await(context, slow, Waiting::for_reply, context.now_ + 5s);
  calls.await(context, ended, Waiting::for_reply, context.now_ + 3s);
  calls.await(context, fast, Waiting::for_reply, context.now_ + 1s);
  calls.end(ended);
  CHECK(fire(calls, context) == std::vector<int>{3});
  CHECK(context.timer_ == MonotonicTime(6s));
}

}  // namespace
}  // namespace photon::rpc
