// What crosses the seam becomes records: who, where, when, by which clock.
#include "sim/tap.h"

#include "core_impl/trace/pipeline.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

// Counts how often it is asked: a wall clock may be dear.
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
  bench.tap.message(trace::Source::delivered, kParty, NodeId(9), Body::make(Note{17}));
  REQUIRE(bench.sink.records.size() == 1);
  const trace::Header& header = bench.sink.records[0].header;
  CHECK(header.at == SimTime(Duration(1000)));
  CHECK(header.local == LocalTime(Duration(1004)));
  CHECK(header.node == NodeId(3));
  CHECK(header.peer == NodeId(9));
  CHECK(header.incarnation == Incarnation(2));
  CHECK(header.datacenter == DatacenterId(1));
  CHECK(header.source == trace::Source::delivered);
  CHECK(header.kind == trace::Kind::log_visible);
  CHECK(bench.sink.records[0].as<trace::LogVisible>().length == 17);
  bench.tap.message(trace::Source::sent, kParty, NodeId(9), Body::make(Silent{1}));
  CHECK(bench.sink.records.size() == 1);  // it states nothing
}

TEST_CASE("DESIGN-6 what a record does not use of its payload is zero") {
  Bench bench;
  bench.tap.record(trace::Source::decision, kParty, trace::JoinAsk{});
  bench.tap.message(trace::Source::sent, kParty, NodeId(9), Body::make(Note{~std::uint64_t{0}}));
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

TEST_CASE("DESIGN-6 a host's clock is asked once per moment, and not for what has no process") {
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

TEST_CASE("DESIGN-6 without a sink nothing is asked and nothing recorded") {
  Bench bench;
  Tap deaf(bench.kernel, bench.clocks, 5, nullptr, &bench.projector);
  CHECK_FALSE(deaf.active());
  deaf.message(trace::Source::sent, kParty, NodeId(9), Body::make(Note{1}));
  deaf.record(trace::Source::decision, kParty, trace::LogVisible{});
  CHECK(bench.clocks.asked == 0);
  Tap blind(bench.kernel, bench.clocks, 5, &bench.sink, nullptr);
  const FileName file("x");
  blind.storage(kParty, VolumeInfo{},
                StorageFact{trace::Source::durable, StorageChange::removed, {}, {}, &file, 0, {}});
  CHECK(bench.sink.records.empty());
}

}  // namespace photon::sim
