// One run of PHOLD or M/M/1 on the scheduler of ns-3, for tests/bench/compare.
//
//   ns3_peer heap|map phold|mm1 PENDING EVENTS
//
// The same draws, the same hash of every event, the same output as peer.cc: an event is one call of
// Simulator::Schedule, as a user of ns-3 writes it.
#include <cstdint>
#include <string_view>

// Its module header does not compile as C++20.
#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/simulator.h>

#include "sim/fingerprint.h"
#include "tests/bench/peers/measured_run.h"
#include "tests/bench/peers/models.h"

namespace {

using namespace photon::bench;

template <class Model>
class Ns3Peer {
 public:
  explicit Ns3Peer(std::uint32_t pending) : model_(pending) {}

  void start() { model_.start(Schedule{this, 0}); }
  void run(std::uint64_t count) {
    if (count == 0) return;
    left_ = count;
    ns3::Simulator::Run();
  }
  std::uint64_t fingerprint() const { return fingerprints_.value(); }

 private:
  struct Schedule {
    Ns3Peer* peer;
    std::int64_t now;
    void operator()(std::int64_t at, std::uint32_t target) const {
      ns3::Simulator::Schedule(ns3::NanoSeconds(at - now), &Ns3Peer::on_event, peer, target);
    }
  };

  void on_event(std::uint32_t target) {
    const std::int64_t now = ns3::Simulator::Now().GetNanoSeconds();
    const auto tag = photon::sim::make_tag(photon::sim::EventKind::environment);
    fingerprints_.witness({now, 0, target, tag, 0}, ++events_, photon::DatacenterId{}, 0, 0);
    model_.on_event(now, target, Schedule{this, now});
    if (--left_ == 0) ns3::Simulator::Stop();
  }

  Model model_;
  std::uint64_t events_ = 0;
  std::uint64_t left_ = 0;
  photon::sim::Fingerprints fingerprints_{2};
};

template <class Model>
void run(const RunSize& size) {
  Ns3Peer<Model> peer(size.pending);
  print_measured(measure_run(peer, size));
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = peer_arguments(argc, argv);
  if (!arguments) return 2;
  ns3::ObjectFactory factory;
  factory.SetTypeId(arguments->simulator == "heap" ? "ns3::HeapScheduler" : "ns3::MapScheduler");
  ns3::Simulator::SetScheduler(factory);
  if (arguments->model == PeerModel::phold) {
    run<Phold>(arguments->size);
  } else {
    run<Mm1>(arguments->size);
  }
  return 0;
}
