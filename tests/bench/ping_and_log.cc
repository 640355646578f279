// Kernel events per second with real processes: 30 ping-and-log processes in 3 datacenters, network
// faults, volumes, timers, busy time, fingerprint and tap on, on one core. Processor time is what
// counts.
//
//   ping_and_log [seconds of virtual time] [rounds]

#include "tests/sim/ping_and_log.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "tests/sim/sim_world.h"

namespace photon::sim {
namespace {

class CountingSink final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    digest += record.header.node.value();
    ++count;
  }
  std::uint64_t digest = 0;
  std::uint64_t count = 0;
};

class PieceProjector final : public StorageProjector {
 public:
  void project(const StorageFact& fact, trace::FactSink& sink) override {
    sink.fact(trace::LogVisible{fact.offset, static_cast<std::uint32_t>(fact.bytes.size())});
  }
};

Topology wide(std::uint32_t per_datacenter) {
  Topology topology;
  const RegionId region = topology.add_region("region");
  for (const char* name : {"a", "b", "c"}) {
    const DatacenterId place = topology.add_datacenter(region, name);
    for (std::uint32_t i = 0; i < per_datacenter; ++i) {
      const HostId host = topology.add_host(place, "host" + std::to_string(i));
      topology.add_process(host, "worker/" + std::to_string(i), 1, Component::pipeline);
      topology.add_host_disk(host);
    }
  }
  return topology;
}

double run_once(std::int64_t seconds) {
  TestDelays delays;
  delays.jitter = 5ms;
  TestClocks clocks;
  clocks.offset.resize(64);
  clocks.drift_ppm.resize(64);
  TestStorage storage;
  storage.jitter = 2ms;
  CountingSink sink;
  PieceProjector projector;
  LinkFaults links;
  links.loss = Chance(0.01);
  links.duplicate = Chance(0.01);
  links.reorder = Chance(0.01);
  links.reorder_delay = 5ms;
  constexpr std::uint32_t kProcesses = 30;
  Simulation run(wide(kProcesses / 3), Models{delays, clocks, storage}, Options{3, links},
                 Observers{&sink, &projector});
  for (std::uint32_t node = 0; node < kProcesses; ++node) {
    PingAndLog::Settings settings;
    settings.peers = kProcesses;
    settings.log = VolumeId(node);
    settings.period = 2ms;
    run.set_factory(NodeId(node), [settings] { return std::make_unique<PingAndLog>(settings); });
  }
  run.start();
  const std::clock_t begin = std::clock();
  run.run_until(at(std::chrono::seconds(seconds)));
  const double seconds_used = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double rate = static_cast<double>(run.events()) / seconds_used / 1e6;
  std::printf("%.2f million events/s (%llu events, %llu trace records, fingerprint %016llx)\n",
              rate, static_cast<unsigned long long>(run.events()),
              static_cast<unsigned long long>(sink.count),
              static_cast<unsigned long long>(run.fingerprint()));
  return rate;
}

}  // namespace
}  // namespace photon::sim

int main(int argc, char** argv) {
  const std::int64_t seconds = argc > 1 ? std::atoll(argv[1]) : 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  if (seconds < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: ping_and_log [seconds of virtual time] [rounds]\n");
    return 2;
  }
  std::vector<double> rates;
  for (int round = 0; round < rounds; ++round) rates.push_back(photon::sim::run_once(seconds));
  std::ranges::sort(rates);
  std::printf("median %.2f million events/s\n", rates[rates.size() / 2]);
  return 0;
}
