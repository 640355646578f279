#include "models/feeds.h"

#include <map>

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint32_t kHosts = 5;

std::vector<trace::Record> steps_of(const HostClocks& clocks, SimTime until) {
  sim::Kernel kernel(2);
  sim::RecordingSink sink;
  sim::Tap tap(kernel, clocks, kHosts, &sink, nullptr);
  std::vector<ClockFeed::Place> places;
  for (std::uint32_t host = 0; host < kHosts; ++host) {
    places.push_back({sim::HostId(host), DatacenterId(static_cast<std::uint16_t>(host % 2))});
  }
  ClockFeed feed(clocks, places);
  sim::Environment environment(kernel, tap, feed);
  environment.start();
  kernel.run_until(until);
  return sink.records;
}

HostClocks::Options stepping() {
  HostClocks::Options options;
  options.sync_period = seconds(10);
  options.sync_error = Duration(0);
  options.drift = 0;
  options.step_interval = seconds(200);
  options.step_max = milliseconds(95);
  return options;
}

TEST_CASE("A-12 DESIGN-6 every step of a clock is recorded when it happens, and nothing else") {
  const HostClocks clocks(7, stepping());
  const SimTime until(hours(10));
  std::map<std::pair<std::uint32_t, SimTime>, std::int64_t> recorded;
  for (const trace::Record& record : steps_of(clocks, until)) {
    const auto& step = record.as<trace::ClockStepped>();
    CHECK(record.header.source == trace::Source::environment);
    CHECK(record.header.datacenter.value() == step.host % 2);
    recorded[{step.host, record.header.at}] = step.step_nanoseconds;
  }
  CHECK(recorded.size() > 5 * 180 / 2);
  // A clock without drift and error moves by its steps alone: to an offset, and back at the next
  // synchronisation that is no step.
  for (const auto& [key, by] : recorded) {
    const auto& [host, at] = key;
    const auto error = [&](SimTime time) {
      return (clocks.wall(sim::HostId(host), time) - clocks.calendar(time)).count();
    };
    CHECK(error(at) - error(at - Duration(1)) == by);
  }
  for (std::uint32_t host = 0; host < kHosts; ++host) {
    for (SimTime at{}; at < until; at += seconds(1)) {
      const auto error = clocks.wall(sim::HostId(host), at) - clocks.calendar(at);
      if (error == Duration(0)) continue;
      // Off now: then the last synchronisation was a step.
      const auto next = recorded.upper_bound({host, at});
      if (at < SimTime(seconds(10)) &&
          (next == recorded.begin() || std::prev(next)->first.first != host))
        continue;  // it may have happened before the run
      REQUIRE(next != recorded.begin());
      REQUIRE(std::prev(next)->first.first == host);
      REQUIRE(at - std::prev(next)->first.second < seconds(10));
    }
  }
}

TEST_CASE("A-12 clocks that are never stepped cost no event, rare steps few") {
  HostClocks::Options steady = stepping();
  steady.step_interval = Duration(0);
  CHECK(steps_of(HostClocks(7, steady), SimTime(hours(100))).empty());
  HostClocks::Options rare = stepping();
  rare.step_interval = hours(24 * 30);
  const auto steps = steps_of(HostClocks(7, rare), SimTime(hours(24 * 300)));
  CHECK(steps.size() > 20);  // 50 on average
  CHECK(steps.size() < 90);
}

}  // namespace
}  // namespace photon::models
