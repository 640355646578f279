#include "core_impl/runtime/volume_retry.h"

#include <chrono>
#include <vector>

#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

// Records requests and timers; never answers.
class NotedContext final : public Context {
 public:
  NodeId self() const override { return NodeId(1); }
  Incarnation incarnation() const override { return Incarnation(1); }
  MonotonicTime now() const override { return now_; }
  LocalTime wall() const override { return {}; }
  TrueTimeInterval true_time() const override { return {}; }
  void send(NodeId, Body) override {}
  void set_timer(TimerKind kind, MonotonicTime due) override { timers.emplace_back(kind, due); }
  void cancel_timer(TimerKind) override {}
  Ticket submit(VolumeRequest request) override {
    requests.push_back(std::move(request));
    return Ticket(requests.size());
  }
  std::uint64_t random(std::uint64_t) override { return 0; }

  void pass(Duration span) { now_ += span; }
  Ticket last() const { return Ticket(requests.size()); }

  std::vector<VolumeRequest> requests;
  std::vector<std::pair<TimerKind, MonotonicTime>> timers;

 private:
  void raw_decide(trace::Kind, const void*, std::size_t) override {}

  MonotonicTime now_{};
};

VolumeRequest read_of(std::uint64_t offset) {
  VolumeRequest request;
  request.operation = VolumeOperation::read;
  request.offset = offset;
  return request;
}

}  // namespace

TEST_CASE("a refused volume request waits for its delay, and then for its owner") {
  NotedContext context;
  VolumeRetry retry(50ms);
  CHECK_FALSE(retry.busy());
  retry.submit(context, read_of(7));
  CHECK(retry.owns(context.last()));
  CHECK_FALSE(retry.owns(Ticket(99)));
  CHECK_FALSE(retry.answered(context, IoStatus::unavailable));
  CHECK_FALSE(retry.owns(context.last()));
  CHECK(retry.busy());
  CHECK(retry.due() == context.now() + 50ms);
  context.pass(49ms);
  CHECK_FALSE(retry.take_due(context));
  context.pass(1ms);
  CHECK(retry.take_due(context));
  CHECK_FALSE(retry.take_due(context));  // once
  retry.submit(context, read_of(7));
  CHECK(retry.answered(context, IoStatus::missing));  // an answer like any other
  CHECK_FALSE(retry.busy());
  CHECK(retry.due() == MonotonicTime::max());
  CHECK(context.timers.empty());
}

TEST_CASE("a retry with a timer arms it, and is due whenever it fires") {
  NotedContext context;
  VolumeRetry retry(200ms, TimerKind{3});
  retry.submit(context, read_of(0));
  CHECK_FALSE(retry.answered(context, IoStatus::full));
  REQUIRE(context.timers.size() == 1);
  CHECK(context.timers[0] == std::pair(TimerKind{3}, context.now() + 200ms));
  CHECK(retry.take_due(context));
  CHECK_FALSE(retry.take_due(context));
}

TEST_CASE("owners may wait after other answers, and cancel waiting requests") {
  NotedContext context;
  VolumeRetry retry(10ms);
  retry.submit(context, read_of(0));
  retry.complete();
  retry.wait(context);
  CHECK(retry.waits());
  retry.give_up();
  CHECK_FALSE(retry.busy());
  context.pass(1s);
  CHECK_FALSE(retry.take_due(context));
}

TEST_CASE("a retried request is sent again unchanged, until it is answered") {
  NotedContext context;
  RetriedRequest request(50ms);
  request.submit(context, read_of(42));
  for (int refusals = 0; refusals < 3; ++refusals) {
    IoResult refused;
    refused.status = refusals == 1 ? IoStatus::full : IoStatus::unavailable;
    CHECK_FALSE(request.answered(context, refused));
    request.on_timer(context);  // too early
    context.pass(50ms);
    request.on_timer(context);
    REQUIRE(request.owns(context.last()));
  }
  CHECK(context.requests.size() == 4);
  CHECK(context.requests.back().offset == 42);
  IoResult torn;
  torn.status = IoStatus::torn;
  CHECK(request.answered(context, torn));
  CHECK(request.retry_due() == MonotonicTime::max());
}

}  // namespace photon
