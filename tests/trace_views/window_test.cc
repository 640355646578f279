// The contents of a window: lanes, lives, messages and faults.
#include "trace_views/window.h"

#include <algorithm>
#include <map>

#include "tests/support/catch.h"
#include "tests/trace_views/records.h"

namespace photonsim::trace_views::testing {
namespace {

const Lane& lane_of(const Window& window, NodeId node) {
  const auto found = std::ranges::find(window.lanes, node, &Lane::node);
  REQUIRE(found != window.lanes.end());
  return *found;
}

// "sent at .. of lane -> delivered at .." of each message, in milliseconds; - for none.
std::vector<std::string> arrows(const Window& window) {
  std::vector<std::string> texts;
  const auto end = [&](std::uint32_t index) -> std::string {
    if (index == kNoIndex) return "-";
    const auto& header = window.records.at(index).record.header;
    return std::to_string((header.at - SimTime{}) / 1ms);
  };
  for (const Message& each : window.messages) {
    texts.push_back(end(each.sent) + " " + end(each.delivered));
  }
  return texts;
}

using Arrows = std::vector<std::string>;

}  // namespace

TEST_CASE("a window holds what happened in it, ends included, in lanes by datacenter") {
  Records records;
  records.start_all();
  for (int i = 1; i <= 5; ++i) {
    records.decide(at(i * 1s), kWestJoiner, trace::ClickRead{click_id(1), 10, 1});
    records.decide(at(i * 1s), kEastJoiner, trace::ClickRead{click_id(2), 10, 1});
  }
  records.decide(at(6s), kWestReplica, trace::SlotApplied{});
  records.environment(at(2500ms), photon::kNoNode, trace::RunPhase{trace::Phase::started});
  const Window window = collected(records, window_of(at(2s), at(4s)));
  CHECK(window.records.size() == 7);
  std::vector<std::string> paths;
  for (const Lane& lane : window.lanes) paths.push_back(lane.path);
  CHECK(paths == std::vector<std::string>{"environment", "us-east1/joiner/0", "us-west1/joiner/0"});
  CHECK(window.lanes[0].environment());
  CHECK(window.lanes[1].datacenter == "us-east1");
  for (const Shown& each : window.records) {
    CHECK(window.lanes[each.lane].node == each.record.header.node);
    CHECK(window.span.holds(each.record.header.at));
  }
}

TEST_CASE("lives, masterships and pauses: those that overlap the window, with their true ends") {
  Records records;
  records.start_all();
  records.crash(at(1s), kEastReplica);
  records.start(at(2s), kEastReplica);
  records.decide(at(2500ms), kEastReplica, trace::MasterElected{4, 0, photon::trace::GroupId(3)});
  records.decide(at(2600ms), kEastReplica, trace::MasterEnded{4, photon::trace::GroupId(3)});
  records.decide(at(3s), kEastReplica, trace::MasterElected{9, 0, photon::trace::GroupId(3)});
  records.environment(at(4s), kEastReplica, trace::ProcessPaused{Duration(10s).count()});
  records.crash(at(5s), kEastReplica, 0, 1);
  records.start(at(6s), kEastReplica);
  records.environment(at(7s), kEastReplica, trace::ProcessPaused{Duration(10s).count()});
  records.environment(at(8s), kEastReplica, trace::ProcessResumed{});
  records.crash(at(20s), kEastReplica);
  const Window window = collected(records, window_of(at(2700ms), at(9s)));
  const Lane& lane = lane_of(window, kEastReplica);
  REQUIRE(lane.lives.size() == 2);
  CHECK(lane.lives[0].number == 2);
  CHECK(lane.lives[0].span == Span{at(2s), at(5s)});
  CHECK(lane.lives[0].end == Life::End::stop);
  CHECK(lane.lives[1].number == 3);
  CHECK(lane.lives[1].span == Span{at(6s), at(20s)});
  CHECK(lane.lives[1].end == Life::End::crash);
  REQUIRE(lane.masterships.size() == 1);
  CHECK(lane.masterships[0].ballot == 9);
  CHECK(lane.masterships[0].group == 3);
  CHECK(lane.masterships[0].span == Span{at(3s), at(5s)});
  CHECK(lane.pauses == std::vector<Span>{{at(4s), at(5s)}, {at(7s), at(8s)}});
}

TEST_CASE("messages: each delivery belongs to the sending with its number and its facts") {
  Records records;
  records.start_all();
  SECTION("lost, duplicated, and two that overtake each other") {
    records.sent(at(1s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.sent(at(2s), kEastJoiner, kWestReplica, 6, join_ask(1));  // the same facts again
    records.sent(at(3s), kEastJoiner, kWestReplica, 7, join_ask(2));  // lost
    records.sent(at(4s), kEastJoiner, kWestReplica, 7, join_ask(3));  // duplicated: copies 7 and 8
    records.delivered(at(5s), kEastJoiner, kWestReplica, 6, join_ask(1));
    records.delivered(at(6s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.delivered(at(7s), kEastJoiner, kWestReplica, 8, join_ask(3));
    records.delivered(at(8s), kEastJoiner, kWestReplica, 7, join_ask(3));
    CHECK(arrows(collected(records, window_of(at(0s), at(9s)))) ==
          Arrows{"1000 6000", "2000 5000", "3000 -", "4000 7000", "4000 8000"});
  }
  SECTION("four copies, the last one long after the others") {
    records.sent(at(1s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.sent(at(1s), kEastJoiner, kWestReplica, 9, join_ask(1));  // the same facts again
    for (const std::uint32_t number : {6U, 9U, 5U, 7U}) {
      records.delivered(at(2s), kEastJoiner, kWestReplica, number, join_ask(1));
    }
    records.delivered(at(8s), kEastJoiner, kWestReplica, 8, join_ask(1));
    const Window window = collected(records, window_of(at(500ms), at(3s)));
    std::map<std::uint32_t, int> copies;
    for (const Message& each : window.messages) ++copies[each.sent];
    CHECK(copies == std::map<std::uint32_t, int>{{0, 4}, {1, 1}});
  }
  SECTION("lost with the facts of the next one, whose number it has: that one was delivered") {
    records.sent(at(1s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.sent(at(2s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.delivered(at(3s), kEastJoiner, kWestReplica, 5, join_ask(1));
    CHECK(arrows(collected(records, window_of(at(0s), at(9s)))) == Arrows{"1000 -", "2000 3000"});
  }
  SECTION("other ends outside the window are included, other records are not") {
    records.sent(at(1s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.decide(at(1s), kEastJoiner, trace::ClickRead{click_id(1), 10, 1});
    records.delivered(at(3s), kEastJoiner, kWestReplica, 5, join_ask(1));
    records.sent(at(4s), kWestReplica, kWestJoiner, 9, join_ask(2));
    records.decide(at(6s), kWestJoiner, trace::ClickRead{click_id(1), 10, 1});
    records.delivered(at(6s), kWestReplica, kWestJoiner, 9, join_ask(2));
    records.sent(at(7s), kWestReplica, kWestJoiner, 10, join_ask(3));
    records.delivered(at(8s), kWestReplica, kWestJoiner, 10, join_ask(3));
    const Window window = collected(records, window_of(at(2s), at(5s)));
    CHECK(arrows(window) == Arrows{"1000 3000", "4000 6000"});
    CHECK(window.records.size() == 4);
    CHECK(std::ranges::is_sorted(window.records, {},
                                 [](const Shown& each) { return each.record.header.at; }));
  }
  SECTION("from long ago, its beginning is unknown") {
    records.sent(at(1s), kEastJoiner, kWestReplica, 5, join_ask(1));
    const SimTime late = at(1s) + WindowCollector::kSentBefore + 2s;
    records.delivered(late, kEastJoiner, kWestReplica, 5, join_ask(1));
    const Window window = collected(records, window_of(late - 500ms, late));
    REQUIRE(window.messages.size() == 1);
    CHECK(window.messages[0].sent == kNoIndex);
    CHECK(window.messages[0].delivered == 0);
  }
  SECTION("without numbers, from another recorder: records, and no arrow") {
    records.sent(at(1s), kEastJoiner, kWestReplica, 0, join_ask(1));
    records.delivered(at(2s), kEastJoiner, kWestReplica, 0, join_ask(1));
    const Window window = collected(records, window_of(at(500ms), at(9s)));
    CHECK(window.messages.empty());
    CHECK(window.records.size() == 2);
  }
}

TEST_CASE("a window of some processes has their records, and their messages with others") {
  Records records;
  records.start_all();
  records.sent(at(1s), kEastJoiner, kWestReplica, 5, join_ask(1));
  records.sent(at(1s), kWestJoiner, kWestReplica, 3, join_ask(2));
  records.delivered(at(2s), kEastJoiner, kWestReplica, 5, join_ask(1));
  records.delivered(at(2s), kWestJoiner, kWestReplica, 3, join_ask(2));
  records.decide(at(3s), kWestReplica, trace::SlotApplied{});
  WindowOptions options = window_of(at(500ms), at(9s));
  options.processes = "us-east1";
  const Window window = collected(records, options);
  CHECK(arrows(window) == Arrows{"1000 2000"});
  CHECK(window.records.size() == 2);
  CHECK(window.lanes.size() == 2);
}

TEST_CASE("patterns of processes match by components, and include all that lies below") {
  const std::string path = "us-east1/joiner/3";
  for (const char* pattern :
       {"us-east1", "*", "*/joiner", "us-*/join?r/[1-3]", "us-east1/joiner/3"}) {
    CAPTURE(pattern);
    CHECK(matches_path(pattern, path));
  }
  for (const char* pattern : {"us-east", "joiner", "*/3", "us-east1/joiner/4", "us-east1/*/*/*"}) {
    CAPTURE(pattern);
    CHECK_FALSE(matches_path(pattern, path));
  }
}

TEST_CASE("a window about one event has the records that name it, of any process") {
  Records records;
  records.start_all();
  records.decide(at(1s), kEastJoiner, trace::ClickRead{click_id(1), 10, 1});
  records.decide(at(2s), kEastJoiner, trace::ClickRead{click_id(2), 10, 1});
  records.sent(at(3s), kEastJoiner, kWestReplica, 5, join_ask(1));  // also names query 1001
  records.decide(at(4s), kWestReplica, trace::SlotApplied{});
  WindowOptions options = window_of(at(0s), at(9s));
  options.event = click_id(1);
  CHECK(collected(records, options).records.size() == 2);
  options.event = click_id(1001);
  CHECK(collected(records, options).records.size() == 1);

  EventSpan span(click_id(1));
  for (const trace::Record& record : records.list) span.record(record);
  CHECK(span.records() == 2);
  CHECK(span.span() == Span{at(1s), at(3s)});
}

TEST_CASE("records above the limit are counted, and not kept") {
  Records records;
  records.start_all();
  for (int i = 0; i < 50; ++i) {
    records.decide(at(1s), kEastJoiner, trace::ClickRead{click_id(1), 10, 1});
  }
  WindowOptions options = window_of(at(1s), at(2s));
  options.most_records = 20;
  const analysis::TracePlaces names = places();
  WindowCollector collector(options, names);
  for (const trace::Record& record : records.list) collector.record(record);
  CHECK(collector.matching() == 50);
  CHECK(collector.too_many());
  CHECK(collector.last() == at(1s));
  CHECK(collector.finish({}).records.size() == 20);
}

TEST_CASE("faults: as recorded, else as planned, and none outlives the healing") {
  Records records;
  const photon::DatacenterId east(0);
  const photon::DatacenterId west(1);
  records.start_all();
  records.environment(at(1s), kEastReplica, trace::PartitionBegan{0, east, west});
  records.environment(at(1s), kWestReplica, trace::PartitionBegan{0, west, east});
  records.environment(at(2s), kWestReplica, trace::FaultEffect{2});
  records.environment(at(4s), kEastReplica, trace::PartitionHealed{0, east, west});
  records.environment(at(10s), photon::kNoNode, trace::RunPhase{trace::Phase::faults_ended});
  records.decide(at(11s), kEastJoiner, trace::ClickRead{click_id(1), 10, 1});
  Run run;
  constexpr std::int64_t kSecond = 1'000'000'000;
  run.faults = {{0, "partition", 1 * kSecond, 99 * kSecond, true},
                {1, "crash far away", 20 * kSecond, 30 * kSecond, false},
                {2, "slow link", 2 * kSecond, 99 * kSecond, true},
                {3, "for good", 3 * kSecond, analysis::TracedFault::kNever, false}};
  const Window window = collected(records, window_of(at(0s), at(12s)), run);
  REQUIRE(window.faults.size() == 3);
  CHECK(window.faults[0].span == Span{at(1s), at(4s)});
  CHECK(window.faults[0].wide);
  CHECK(window.faults[0].datacenters == std::vector<std::string>{"us-east1", "us-west1"});
  CHECK(window.faults[1].description == "slow link");
  CHECK(window.faults[1].span == Span{at(2s), at(10s)});
  CHECK(window.faults[1].effective);
  CHECK_FALSE(window.faults[1].wide);
  CHECK(window.faults[1].datacenters == std::vector<std::string>{"us-west1"});
  CHECK(window.faults[2].span == Span{at(3s), at(10s)});
  CHECK(collected(records, window_of(at(5s), at(6s)), run).faults.size() == 2);
}

}  // namespace photonsim::trace_views::testing
