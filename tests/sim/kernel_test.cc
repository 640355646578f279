#include "sim/kernel.h"

#include <algorithm>
#include <vector>

#include "tests/support/catch.h"

namespace photon::sim {
namespace {

class Recorder final : public Actor {
 public:
  void on_event(Kernel& kernel, const Event& event) override {
    seen.push_back(event.payload);
    kernel.witness(DatacenterId{}, 0, event.payload);
    if (on_payload) on_payload(kernel, event.payload);
  }
  std::vector<std::uint64_t> seen;
  void (*on_payload)(Kernel&, std::uint64_t) = nullptr;
};

constexpr SimTime kAt5 = SimTime(Duration(5));

}  // namespace

TEST_CASE("events are dispatched by time, then origin datacenter, then counter of that origin") {
  Kernel kernel(3);
  Recorder recorder;
  const ActorId actor = kernel.add(recorder);
  kernel.schedule(kAt5, DatacenterId(2), actor, 0, 1);
  kernel.schedule(kAt5, DatacenterId(0), actor, 0, 2);
  kernel.schedule(kAt5, DatacenterId(0), actor, 0, 3);
  kernel.schedule(SimTime(Duration(4)), DatacenterId(2), actor, 0, 4);
  kernel.schedule(kAt5, kernel.environment(), actor, 0, 5);
  kernel.schedule(kAt5, DatacenterId(1), actor, 0, 6);
  CHECK(kernel.run_until(SimTime(Duration(10))) == 6);
  CHECK(recorder.seen == std::vector<std::uint64_t>{4, 2, 3, 6, 1, 5});
  CHECK(kernel.now() == SimTime(Duration(10)));
}

TEST_CASE("with ties reversed, only events of one time change their order") {
  const auto order_with = [](std::uint64_t ties) {
    Kernel kernel(3, ties);
    Recorder recorder;
    recorder.on_payload = [](Kernel& k, std::uint64_t payload) {
      // Created while others of the same time wait: it comes after its cause.
      if (payload == 9) k.schedule(k.now(), DatacenterId(2), ActorId(0), 0, 10);
    };
    const ActorId actor = kernel.add(recorder);
    for (std::uint64_t i = 0; i < 8; ++i) {
      kernel.schedule(kAt5, DatacenterId(static_cast<std::uint16_t>(i % 2)), actor, 0, i);
    }
    kernel.schedule(SimTime(Duration(4)), DatacenterId(0), actor, 0, 8);
    kernel.schedule(SimTime(Duration(6)), DatacenterId(0), actor, 0, 9);
    CHECK(kernel.apart() == Duration(ties == 0 ? 0 : 1));
    CHECK(kernel.run_until(SimTime(Duration(10))) == 11);
    return recorder.seen;
  };
  const std::vector<std::uint64_t> usual{8, 0, 2, 4, 6, 1, 3, 5, 7, 9, 10};
  CHECK(order_with(0) == usual);
  CHECK(order_with(3) == std::vector<std::uint64_t>{8, 6, 4, 2, 0, 7, 5, 3, 1, 9, 10});
  std::vector<std::uint64_t> turned = order_with(0x0001000000000001);
  CHECK(turned == std::vector<std::uint64_t>{8, 3, 1, 7, 5, 2, 0, 6, 4, 9, 10});
}

TEST_CASE("with ticks, events happen at the next multiple, and what is at one stays there") {
  Kernel kernel(2, 0x0001000000000001, Duration(10));
  Recorder recorder;
  const ActorId actor = kernel.add(recorder);
  std::vector<std::int64_t> times;
  for (const std::int64_t at : {0, 1, 9, 10, 11, 20, 29, 30}) {
    kernel.schedule(SimTime(Duration(at)), DatacenterId{}, actor, 0,
                    static_cast<std::uint64_t>(at));
  }
  std::vector<std::uint64_t> dispatched;
  while (kernel.step()) {
    times.push_back(nanoseconds_of(kernel.now()));
    dispatched.push_back(recorder.seen.back());
  }
  CHECK(times == std::vector<std::int64_t>{0, 10, 10, 10, 20, 20, 30, 30});
  std::ranges::sort(dispatched.begin() + 1, dispatched.begin() + 4);
  std::ranges::sort(dispatched.begin() + 4, dispatched.begin() + 6);
  std::ranges::sort(dispatched.begin() + 6, dispatched.end());
  CHECK(dispatched == std::vector<std::uint64_t>{0, 1, 9, 10, 11, 20, 29, 30});
  CHECK(kernel.apart() == Duration(10));
  // Between two ticks time may stand still: events made there come at the next one.
  CHECK(kernel.run_until(SimTime(Duration(33))) == 0);
  kernel.schedule(kernel.now(), DatacenterId{}, actor, 0, 33);
  CHECK(kernel.run_until(SimTime(Duration(39))) == 0);
  CHECK(kernel.run_until(SimTime(Duration(40))) == 1);
}

TEST_CASE("run_until includes its limit and stop ends it early") {
  Kernel kernel(1);
  Recorder recorder;
  recorder.on_payload = [](Kernel& k, std::uint64_t payload) {
    if (payload == 2) k.stop();
  };
  const ActorId actor = kernel.add(recorder);
  for (std::uint64_t i = 1; i <= 4; ++i) {
    kernel.schedule(SimTime(Duration(i)), DatacenterId{}, actor, 0, i);
  }
  CHECK(kernel.run_until(SimTime(Duration(4))) == 2);
  CHECK(kernel.now() == SimTime(Duration(2)));
  CHECK(kernel.run_until(SimTime(Duration(3))) == 1);
  CHECK(kernel.pending() == 1);
  CHECK(kernel.run_until(SimTime(Duration(4))) == 1);
  CHECK(recorder.seen.size() == 4);
}

TEST_CASE("run_until ends after the given number of events, and continues from there") {
  Kernel kernel(1);
  Recorder recorder;
  const ActorId actor = kernel.add(recorder);
  for (std::uint64_t i = 1; i <= 4; ++i) {
    kernel.schedule(SimTime(Duration(i)), DatacenterId{}, actor, 0, i);
  }
  const SimTime limit(Duration(10));
  CHECK(kernel.run_until(limit, 3) == 3);
  CHECK(kernel.now() == SimTime(Duration(3)));
  CHECK(kernel.run_until(limit, 1) == 1);
  CHECK(kernel.now() == limit);  // no earlier event is left
  CHECK(recorder.seen == std::vector<std::uint64_t>{1, 2, 3, 4});
}

namespace {

std::uint64_t fingerprint_of(std::uint64_t count, std::uint64_t changed, Kernel& kernel) {
  static Recorder recorder;
  const ActorId actor = kernel.add(recorder);
  for (std::uint64_t i = 1; i <= count; ++i) {
    kernel.schedule(SimTime(Duration(i)), DatacenterId{}, actor, 0, i == changed ? i ^ 1U : i);
  }
  kernel.run_until(SimTime(Duration(count)));
  return kernel.fingerprints().value();
}

}  // namespace

TEST_CASE("J-S17 check-points and a watch name the first event at which two runs diverge") {
  constexpr std::uint64_t kEvents = 5000;
  constexpr std::uint64_t kChanged = 3333;
  Kernel left(1);
  Kernel right(1);
  right.fingerprints().watch(3073, 1024);
  left.fingerprints().watch(3073, 1024);
  REQUIRE(fingerprint_of(kEvents, 0, left) != fingerprint_of(kEvents, kChanged, right));
  const auto& before = left.fingerprints().check_points();
  const auto& after = right.fingerprints().check_points();
  REQUIRE(before.size() == 4);
  REQUIRE(after.size() == 4);
  CHECK(before[2] == after[2]);  // after 3072 events
  CHECK_FALSE(before[3] == after[3]);
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < 1024 && first == 0; ++i) {
    const auto& one = left.fingerprints().watched()[i];
    if (!(one == right.fingerprints().watched()[i])) first = one.number;
  }
  CHECK(first == kChanged);
}

TEST_CASE("check-points stay few and comparable in long runs") {
  Fingerprints fingerprints(1);
  Event event;
  for (std::uint64_t i = 1; i <= 3'000'000; ++i) {
    event.time = static_cast<std::int64_t>(i);
    fingerprints.witness(event, i, DatacenterId{}, 0, i);
  }
  const auto& points = fingerprints.check_points();
  REQUIRE(points.size() > Fingerprints::kMostPoints / 4);
  REQUIRE(points.size() < Fingerprints::kMostPoints);
  const std::uint64_t spacing = points[1].events - points[0].events;
  for (std::size_t i = 0; i < points.size(); ++i) {
    REQUIRE(points[i].events == (i + 1) * spacing);
  }
}

TEST_CASE("the past is relived up to the present; what comes later stays pending") {
  Kernel kernel(1);
  Recorder recorder;
  const ActorId actor = kernel.add(recorder);
  recorder.on_payload = [](Kernel& k, std::uint64_t payload) {
    if (payload == 1) {
      CHECK_FALSE(k.relives());
      k.relive(SimTime(Duration(20)), [&] {
        CHECK(k.now() == SimTime(Duration(20)));
        k.schedule(SimTime(Duration(30)), DatacenterId(0), ActorId(0), 0, 10);
      });
      CHECK(k.now() == SimTime(Duration(50)));
      CHECK(k.current_target() == ActorId(0));
    }
    if (payload < 10 || payload > 12) return;
    CHECK(k.relives());
    CHECK(k.now() == SimTime(Duration(payload == 10 ? 30 : 40)));
    k.schedule(k.now() + Duration(10), DatacenterId(0), ActorId(0), 0, payload + 2);
  };
  kernel.schedule(SimTime(Duration(50)), DatacenterId(0), actor, 0, 1);
  kernel.schedule(SimTime(Duration(60)), DatacenterId(0), actor, 0, 2);
  kernel.run_until(SimTime(Duration(45)));
  CHECK(recorder.seen.empty());
  kernel.run_until(SimTime(Duration(100)));
  // 12 at 40 would make 14 at 50, which is the present: it comes after the event that relives.
  CHECK(recorder.seen == std::vector<std::uint64_t>{1, 10, 12, 14, 2});
  CHECK(kernel.now() == SimTime(Duration(100)));
}

}  // namespace photon::sim
