// In steady state kernel, network, timers and volumes allocate nothing by operator new (DESIGN 4).
//
// A program of its own, because counting_new.cc replaces the global operator new.

#include "tests/sim/busy_node.h"
#include "tests/sim/counting_new.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

class CountingSink final : public trace::Sink {
 public:
  void record(const trace::Record&) override { ++count; }
  std::uint64_t count = 0;
};

class PieceProjector final : public StorageProjector {
 public:
  void project(const StorageFact& fact, trace::FactSink& sink) override {
    sink.fact(trace::LogVisible{fact.offset, static_cast<std::uint32_t>(fact.bytes.size())});
  }
};

}  // namespace

TEST_CASE("after warm-up kernel, network, timers, volumes and tap allocate nothing") {
  TestDelays delays;
  delays.jitter = 5ms;
  const TestClocks clocks;
  TestStorage storage;
  storage.jitter = 2ms;
  CountingSink sink;
  PieceProjector projector;
  LinkFaults links;
  links.loss = Chance(0.01);
  links.duplicate = Chance(0.01);
  links.reorder = Chance(0.01);
  links.reorder_delay = 5ms;
  Simulation run(three_datacenters(), Models{delays, clocks, storage}, Options{3, links},
                 Observers{&sink, &projector});
  for (std::uint32_t node = 0; node < 6; ++node) {
    BusyNode::Settings settings;
    settings.peers = 6;
    settings.log = VolumeId(node / 2 * 2 + node % 2);
    run.set_factory(NodeId(node), [settings] { return std::make_unique<BusyNode>(settings); });
  }
  run.start();
  run.run_until(at(5s));
  const std::uint64_t before = allocations_so_far();
  const std::uint64_t events_before = run.events();
  const std::uint64_t facts_before = sink.count;
  run.run_until(at(25s));
  const std::uint64_t events = run.events() - events_before;
  const std::uint64_t fresh = allocations_so_far() - before;
  INFO(fresh << " allocations in " << events << " events");
  CHECK(events > 1'000'000);
  CHECK(sink.count - facts_before > events);
  // A chance maximum (a longer queue than any before) may still grow a table.
  CHECK(fresh <= 8);
}

}  // namespace photon::sim
