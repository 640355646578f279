#include "models/feeds.h"

#include <map>
#include <optional>
#include <vector>

#include "models/synthetic_workload.h"
#include "tests/models/noted_effects.h"
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

// Records of one actor of the environment.
struct Watched {
  explicit Watched(const HostClocks& clocks) : tap(kernel, clocks, kHosts, &sink, nullptr) {}
  void start(sim::EnvironmentActor& actor) {
    environment.emplace(kernel, tap, actor);
    environment->start();
  }
  sim::Kernel kernel{2};
  sim::RecordingSink sink;
  sim::Tap tap;
  std::optional<sim::Environment> environment{};
};

TEST_CASE("A-01 each click of a workload is recorded once, at the time at which it happens") {
  const HostClocks clocks(1, {});
  SyntheticWorkload::Options options;
  options.seed = 5;
  options.end = SimTime(seconds(30));
  options.queries_per_second = 50;
  options.query_servers = 1;
  options.click_servers = 2;
  SyntheticWorkload counted(options, clocks);
  std::vector<SimTime> times;
  while (const auto click = counted.next_click()) times.push_back(click->at);
  REQUIRE(times.size() > 10);

  SyntheticWorkload workload(options, clocks);
  ClickFeed feed(workload);
  Watched watched(clocks);
  watched.start(feed);
  watched.kernel.run_until(times[4]);
  CHECK(feed.generated() == 5);
  watched.kernel.run_until(SimTime(hours(10)));
  CHECK(feed.generated() == times.size());
  REQUIRE(watched.sink.records.size() == times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(watched.sink.records[i].header.at == times[i]);
    CHECK(watched.sink.records[i].header.kind == trace::Kind::click_generated);
  }
}

TEST_CASE("A-30 an outage of TrueTime has its effect reported once, when it ends, or not at all") {
  HostClocks::Options options;
  options.outages.resize(3);
  options.outages[0] = {4, {}, kHosts, SimTime(seconds(100)), SimTime(seconds(200))};
  options.outages[1] = {5, {}, kHosts, SimTime(seconds(300)), SimTime(seconds(400))};
  options.outages[2] = {6, {}, kHosts, SimTime(seconds(500)), SimTime(hours(9))};
  const HostClocks clocks(7, options);
  testing::NotedEffects effects;
  TrueTimeFeed feed(clocks, SimTime(seconds(700)), effects);
  Watched watched(clocks);
  watched.start(feed);
  clocks.faults().feel(4);
  clocks.faults().feel(6);
  watched.kernel.run_until(SimTime(seconds(199)));
  CHECK(effects.faults.empty());
  watched.kernel.run_until(SimTime(seconds(699)));
  CHECK(effects.faults == std::vector<std::uint32_t>{4});
  watched.kernel.run_until(SimTime(hours(10)));  // the last outage outlives the run
  CHECK(effects.faults == std::vector<std::uint32_t>{4, 6});
}

TEST_CASE("A-31 a clock fault that sets a clock is recorded, and its effect reported at its end") {
  const auto fault = [](std::uint32_t number, ClockError error, std::uint32_t first) {
    return ClockFault{
        number,           error, sim::HostId(first), 2, SimTime(seconds(10)), SimTime(seconds(20)),
        milliseconds(30), 0};
  };
  HostClocks::Options options;
  options.faults = {fault(1, ClockError::offset, 0), fault(2, ClockError::drift, 1),
                    fault(3, ClockError::step, 4)};
  const HostClocks clocks(7, options);
  std::vector<ClockFeed::Place> places;
  for (std::uint32_t host = 0; host < kHosts; ++host) {
    places.push_back({sim::HostId(host), DatacenterId(0)});
  }
  testing::NotedEffects effects;
  ClockFaultFeed feed(clocks, places, effects);
  Watched watched(clocks);
  watched.start(feed);
  clocks.faults().feel(2);
  watched.kernel.run_until(SimTime(seconds(15)));
  std::vector<std::uint32_t> hosts;
  for (const trace::Record& record : watched.sink.records) {
    CHECK(record.as<trace::ClockStepped>().step_nanoseconds == Duration(milliseconds(30)).count());
    hosts.push_back(record.as<trace::ClockStepped>().host);
  }
  CHECK(hosts == std::vector<std::uint32_t>{0, 1, 4});  // a drift sets no clock
  CHECK(effects.faults.empty());
  watched.kernel.run_until(SimTime(seconds(30)));
  CHECK(watched.sink.records.size() == 3);
  CHECK(effects.faults == std::vector<std::uint32_t>{2});
}

}  // namespace
}  // namespace photon::models
