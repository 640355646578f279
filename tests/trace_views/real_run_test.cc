// A real run: every delivery has its sending, and the picture matches the trace.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "trace_views/window.h"

namespace photonsim::trace_views::testing {
namespace {

namespace trace = photon::trace;
using namespace std::chrono_literals;
using photon::SimTime;

class Keeping final : public trace::Sink {
 public:
  void record(const trace::Record& record) override { list.push_back(record); }
  std::vector<trace::Record> list{};
};

struct RealRun {
  photon::analysis::TracePlaces places{};
  std::vector<trace::Record> records{};
  scenarios::RunOutcome outcome{};
};

// Messages are lost, duplicated and overtaken, a process crashes, one datacenter fails.
std::string scenario_text() {
  return "include = [\"" + std::filesystem::absolute("scenarios/healthy.toml").string() + R"("]
[run]
duration = "30s"
warm_up = "2s"
[workload.synthetic]
clicks = 300
[network]
loss = "2%"
duplication = "3%"
reordering = "5%"
reorder_delay = "300ms"
[[faults.crash]]
process = "us-east1/joiner/0"
at = "8s"
restart_after = "4s"
[[faults.outage]]
datacenter = "us-west1"
at = "12s"
for = "5s"
)";
}

const RealRun& real_run() {
  static const auto run = [] {
    const photon::testing::TemporaryFolder folder;
    const auto loaded = scenarios::load(folder.write("faulty.toml", scenario_text()), {});
    REQUIRE(loaded);
    const scenarios::Config config = loaded.config();
    Keeping trace;
    auto finished = scenarios::run_scenario({&config, 3, &trace, nullptr});
    REQUIRE(finished);
    auto kept = std::make_unique<RealRun>();
    kept->places = scenarios::places_of(config);
    kept->records = std::move(trace.list);
    kept->outcome = std::move(finished).assume_value();
    return kept;
  }();
  return *run;
}

Window window_of_run(photon::Duration from, photon::Duration until) {
  const RealRun& run = real_run();
  WindowOptions options;
  options.span = {SimTime(from), SimTime(until)};
  WindowCollector collector(options, run.places);
  for (const trace::Record& record : run.records) collector.record(record);
  Run facts;
  facts.places = run.places;
  facts.faults = run.outcome.summary.faults;
  return collector.finish(facts);
}

}  // namespace

TEST_CASE("of a real run every delivery has one sending, before it, with its facts") {
  const Window window = window_of_run(5s, 20s);
  std::size_t deliveries = 0;
  std::size_t sendings = 0;
  for (const Shown& each : window.records) {
    deliveries += each.record.header.source == trace::Source::delivered ? 1 : 0;
    sendings += each.record.header.source == trace::Source::sent ? 1 : 0;
  }
  std::map<std::uint32_t, int> times_delivered;
  std::map<std::uint32_t, int> times_sent;
  for (const Message& each : window.messages) {
    REQUIRE(each.sent != kNoIndex);
    ++times_sent[each.sent];
    if (each.delivered == kNoIndex) continue;
    ++times_delivered[each.delivered];
    const trace::Record& sent = window.records[each.sent].record;
    const trace::Record& delivered = window.records[each.delivered].record;
    REQUIRE(sent.header.node == delivered.header.peer);
    REQUIRE(sent.header.peer == delivered.header.node);
    REQUIRE(sent.header.kind == delivered.header.kind);
    REQUIRE(sent.payload == delivered.payload);
    REQUIRE(sent.header.at < delivered.header.at);
  }
  CHECK(times_delivered.size() == deliveries);
  CHECK(times_sent.size() == sendings);
  const auto most = [](const std::map<std::uint32_t, int>& times) {
    return std::ranges::max_element(times, {}, [](const auto& each) { return each.second; })
        ->second;
  };
  CHECK(most(times_delivered) == 1);
  CHECK(most(times_sent) == 2);  // the duplicated ones
}

// Facts are not messages, but losses and copies of messages have the same share of them.
TEST_CASE("of a real run the lost and duplicated messages are those of the network") {
  const Window window = window_of_run(0s, 10s);  // before the outage
  std::map<std::uint32_t, int> copies;
  double lost = 0;
  for (const Message& each : window.messages) {
    lost += each.delivered == kNoIndex ? 1 : 0;
    ++copies[each.sent];
  }
  const auto sent = static_cast<double>(copies.size());
  const auto doubled = static_cast<double>(
      std::ranges::count_if(copies, [](const auto& each) { return each.second == 2; }));
  REQUIRE(sent > 2000);
  CHECK(lost / sent == Approx(0.02).margin(0.012));
  CHECK(doubled / sent == Approx(0.03).margin(0.015));
}

TEST_CASE("of a real run processes have their names, and faults their place and time") {
  const Window window = window_of_run(5s, 20s);
  for (const Lane& lane : window.lanes) {
    if (lane.environment()) continue;
    CHECK(lane.path.starts_with(lane.datacenter + "/"));
    CHECK_FALSE(lane.lives.empty());
  }
  const auto joiner = std::ranges::find(window.lanes, "us-east1/joiner/0", &Lane::path);
  REQUIRE(joiner != window.lanes.end());
  REQUIRE(joiner->lives.size() == 2);
  CHECK(joiner->lives[0].span.until == SimTime(8s));
  CHECK(joiner->lives[1].span.from == SimTime(12s));
  REQUIRE(window.faults.size() == 2);
  CHECK(window.faults[0].description == "process_crash us-east1/joiner/0 at 8s for 4s");
  CHECK(window.faults[0].span == Span{SimTime(8s), SimTime(12s)});
  CHECK(window.faults[1].description == "outage.all us-west1 all at 12s for 5s");
  CHECK(window.faults[1].datacenters == std::vector<std::string>{"us-west1"});
  CHECK(window.faults[1].wide);
}

}  // namespace photonsim::trace_views::testing
