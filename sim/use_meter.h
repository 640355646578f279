// Measures how much of their resources processes and volumes use: exact integrals over time, one
// record for each resource and interval (trace::ResourceUsed).
//
// A process states its use after each callback, between which it cannot change. Nothing here makes
// kernel events, so measuring changes no run. An interval is recorded before the first record after
// its end; what was not used has no record, but for the processor of the first process.
#pragma once

#include <vector>

#include "core_impl/runtime/context.h"
#include "sim/kernel.h"
#include "sim/tap.h"
#include "sim/topology.h"

namespace photon::sim {

class UseMeter final : public Sampler {
 public:
  UseMeter(const Kernel& kernel, const Topology& topology, Tap& tap);

  // Begins to measure, once, at the beginning of the run.
  void start(Duration interval);

  // After a callback of the process.
  void observe(const ProcessInfo& process, const Node& node);
  // It works from `begin` until `end`; `begin` is no earlier than the end of its work so far.
  void works(const ProcessInfo& process, SimTime begin, SimTime end);
  // That many deliveries wait for it.
  void waiting(const ProcessInfo& process, std::size_t deliveries);
  // Its life has ended: it uses nothing.
  void ended(const ProcessInfo& process);
  // Requests to the volume that are under way.
  void requests(VolumeId volume, std::size_t now);

  void sample(SimTime boundary) override;

 private:
  struct Gauge {
    ResourceUse now{};
    SimTime since{};       // up to then the sums are complete
    SimTime busy_until{};  // of a processor: the end of its work
    std::uint64_t used_sum = 0;
    std::uint64_t waiting_sum = 0;
    std::uint64_t full = 0;
    std::uint64_t used_max = 0;
    std::uint64_t waiting_max = 0;
  };
  class Reported;

  bool active() const { return interval_ > Duration::zero(); }
  static void advance(Gauge& gauge, SimTime to);
  static void set(Gauge& gauge, const ResourceUse& use, SimTime now);
  enum class Idle : std::uint8_t { left_out, recorded };
  void record(const Party& about, NodeId peer, Gauge& gauge, SimTime boundary, Idle idle);

  const Kernel& kernel_;
  const Topology& topology_;
  Tap& tap_;
  Duration interval_{};
  std::vector<std::vector<Gauge>> processes_;  // by id; the processor comes first
  std::vector<Gauge> volumes_;                 // by id
};

}  // namespace photon::sim
