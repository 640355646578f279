// What crosses the seam becomes records: sender, receiver, place, time, and both clocks.
#include "sim/tap.h"

#include <map>

#include "core_impl/trace/pipeline.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

// Counts how often it is read: a wall clock may be expensive.
class CountingClocks final : public ClockModel {
 public:
  LocalTime wall(HostId host, SimTime time) const override {
    ++asked;
    return LocalTime(time.time_since_epoch() + Duration(host.value()));
  }
  MonotonicTime monotonic(HostId, SimTime time) const override {
    return MonotonicTime(time.time_since_epoch());
  }
  SimTime when(HostId, MonotonicTime, SimTime not_before) const override { return not_before; }
  TrueTimeInterval true_time(HostId, SimTime) const override { return {}; }
  mutable int asked = 0;
};

class NameProjector final : public StorageProjector {
 public:
  void project(const StorageFact& fact, trace::FactSink& sink) override {
    seen = fact;
    sink.fact(trace::LogVisible{fact.offset, static_cast<std::uint32_t>(fact.bytes.size())});
    sink.fact(trace::LogVisible{fact.offset + 1, 0});
  }
  StorageFact seen{};
};

const Party kParty{NodeId(3), Incarnation(2), DatacenterId(1), HostId(4)};

struct Bench {
  Bench() { kernel.run_until(SimTime(Duration(1000))); }
  Kernel kernel{2};
  CountingClocks clocks{};
  RecordingSink sink{};
  NameProjector projector{};
  Tap tap{kernel, clocks, 5, &sink, &projector};
};

}  // namespace

TEST_CASE("DESIGN-6 a message's facts carry both ends, the life, the place and both clocks") {
  Bench bench;
  bench.tap.delivered(kParty, NodeId(9), Body::make(Note{17}), 5);
  REQUIRE(bench.sink.records.size() == 1);
  const trace::Header& header = bench.sink.records[0].header;
  CHECK(header.at == SimTime(Duration(1000)));
  CHECK(header.local == LocalTime(Duration(1004)));
  CHECK(header.node == NodeId(3));
  CHECK(header.peer == NodeId(9));
  CHECK(header.incarnation == Incarnation(2));
  CHECK(header.datacenter == DatacenterId(1));
  CHECK(header.source == trace::Source::delivered);
  CHECK(header.message == 5);
  CHECK(header.kind == trace::Kind::log_visible);
  CHECK(bench.sink.records[0].as<trace::LogVisible>().length == 17);
  bench.tap.sent(kParty, NodeId(9), Body::make(Silent{1}));
  CHECK(bench.sink.records.size() == 1);  // it has no facts
}

// Notes 0, 1, 2, ... and, between them, messages without facts and timers, which take numbers as
// well; the second process is busy at times, so that its messages wait.
TEST_CASE("DESIGN-6 the number of a message connects a delivery with its sending") {
  LinkFaults links;
  links.loss = Chance(0.2);
  links.duplicate = Chance(0.2);
  links.reorder = Chance(0.3);
  links.reorder_delay = 20ms;
  SimWorld world(3, links);
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(0ms)); };
  world.hooks[0].timer = [sent = std::uint64_t{0}](Context& context, TimerKind) mutable {
    for (int i = 0; i < 3; ++i) context.send(NodeId(2), Body::make(Note{sent++}));
    if (sent % 2 == 0) context.send(NodeId(2), Body::make(Silent{sent}));
    if (sent < 6'000) context.set_timer(0, context.now() + 100us);
  };
  world.hooks[2].message = [](Context& context, NodeId, const Body&) {
    static_cast<SimContext&>(context).consume(20us);
  };
  world.run.start();
  world.to(10s);
  std::map<std::uint32_t, std::uint64_t> last_sent;  // number -> note
  std::uint64_t first_copies = 0;
  std::uint64_t second_copies = 0;
  for (const trace::Record& record : world.sink.records) {
    const trace::Header& header = record.header;
    if (header.kind != trace::Kind::log_visible) continue;
    const std::uint64_t note = record.as<trace::LogVisible>().length;
    REQUIRE(header.message != 0);
    if (header.source == trace::Source::sent) {
      last_sent[header.message] = note;
      continue;
    }
    const auto first = last_sent.find(header.message);
    const auto second = last_sent.find(header.message - 1);
    if (first != last_sent.end()) {
      ++first_copies;
      REQUIRE(first->second == note);
    } else {
      ++second_copies;
      REQUIRE(second != last_sent.end());
      REQUIRE(second->second == note);
    }
  }
  const NetworkCounters& counters = world.run.network().counters();
  CHECK(first_copies > 4'500);
  CHECK(second_copies > 700);
  CHECK(counters.lost > 1'000);
}

TEST_CASE("DESIGN-6 a pause is recorded with its length, and its early end") {
  SimWorld world;
  world.run.start();
  world.to(5ms);
  world.run.processes().at(NodeId(0)).pause(100ms);
  world.to(20ms);
  world.run.processes().at(NodeId(0)).resume();
  world.run.processes().at(NodeId(1)).resume();  // is not paused
  std::vector<trace::Record> pauses;
  for (const trace::Record& record : world.sink.records) {
    const bool start = record.header.kind == trace::Kind::process_started;
    if (record.header.source == trace::Source::environment && !start) pauses.push_back(record);
  }
  std::erase_if(pauses, [](const trace::Record& record) {
    return record.header.kind == trace::Kind::run_phase;
  });
  REQUIRE(pauses.size() == 2);
  CHECK(pauses[0].header.node == NodeId(0));
  CHECK(pauses[0].header.at == at(5ms));
  CHECK(pauses[0].as<trace::ProcessPaused>().nanoseconds == 100'000'000);
  CHECK(pauses[1].header.kind == trace::Kind::process_resumed);
  CHECK(pauses[1].header.at == at(20ms));
}

TEST_CASE("DESIGN-6 the unused part of a record's payload is zero") {
  Bench bench;
  bench.tap.record(trace::Source::decision, kParty, trace::JoinAsk{});
  bench.tap.sent(kParty, NodeId(9), Body::make(Note{~std::uint64_t{0}}));
  const auto& payload = bench.sink.records.back().payload;
  CHECK(std::all_of(payload.begin() + sizeof(trace::LogVisible), payload.end(),
                    [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST_CASE(
    "DESIGN-6 storage: the writer, the volume as peer, the volume's datacenter; all its facts") {
  Bench bench;
  const VolumeInfo volume{VolumeId(6), VolumeClass::shared_cell, DatacenterId(0), HostId(0), 0};
  const FileName file("output/1");
  const Bytes bytes(5, std::byte{0});
  StorageFact fact{trace::Source::durable, StorageChange::appended, {}, {}, &file, 100, bytes};
  bench.tap.storage(kParty, volume, fact);
  REQUIRE(bench.sink.records.size() == 2);
  const trace::Header& header = bench.sink.records[0].header;
  CHECK(header.node == NodeId(3));
  CHECK(header.peer == NodeId(6));
  CHECK(header.datacenter == DatacenterId(0));
  CHECK(header.source == trace::Source::durable);
  CHECK(bench.sink.records[0].as<trace::LogVisible>().length == 100);
  CHECK(bench.sink.records[1].as<trace::LogVisible>().length == 101);
  CHECK(bench.projector.seen.volume == VolumeId(6));
  CHECK(bench.projector.seen.kind == VolumeClass::shared_cell);
  CHECK(bench.projector.seen.bytes.size() == 5);
}

TEST_CASE("DESIGN-6 a host's clock is read once per moment, and not for events without a process") {
  Bench bench;
  for (int i = 0; i < 5; ++i)
    bench.tap.record(trace::Source::decision, kParty, trace::LogVisible{});
  CHECK(bench.clocks.asked == 1);
  Party other = kParty;
  other.host = HostId(2);
  bench.tap.record(trace::Source::decision, other, trace::LogVisible{});
  CHECK(bench.sink.records.back().header.local == LocalTime(Duration(1002)));
  CHECK(bench.clocks.asked == 2);
  bench.kernel.run_until(SimTime(Duration(2000)));
  bench.tap.record(trace::Source::decision, kParty, trace::LogVisible{});
  CHECK(bench.sink.records.back().header.local == LocalTime(Duration(2004)));
  bench.tap.record(trace::Source::environment, Party{}, trace::LogVisible{});
  CHECK(bench.sink.records.back().header.local == LocalTime{});
  CHECK(bench.clocks.asked == 3);
}

TEST_CASE("DESIGN-6 without a sink nothing is read and nothing recorded") {
  Bench bench;
  Tap deaf(bench.kernel, bench.clocks, 5, nullptr, &bench.projector);
  CHECK_FALSE(deaf.active());
  deaf.sent(kParty, NodeId(9), Body::make(Note{1}));
  deaf.record(trace::Source::decision, kParty, trace::LogVisible{});
  CHECK(bench.clocks.asked == 0);
  Tap blind(bench.kernel, bench.clocks, 5, &bench.sink, nullptr);
  const FileName file("x");
  blind.storage(kParty, VolumeInfo{},
                StorageFact{trace::Source::durable, StorageChange::removed, {}, {}, &file, 0, {}});
  CHECK(bench.sink.records.empty());
}

}  // namespace photon::sim
