// Faults of a datacenter: the outage of all of it or of a class of its components (SPEC A-25),
// or slowness.
#pragma once

#include <string>
#include <string_view>

#include "sim/fault_scene.h"
#include "sim/topology.h"

namespace photon::sim {

// Components of processes are killed (a host all of whose processes die crashes with them);
// components of volumes become unavailable.
struct Outage {
  static constexpr std::string_view kName = "outage";
  DatacenterId datacenter{};
  ComponentMask components = kAllComponents;

  bool hits(Component component) const { return (components & mask_of(component)) != 0; }
  bool hits(const VolumeInfo& volume) const;

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& /*topology*/) const { return datacenter; }
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const Outage&, const Outage&) = default;
};

// Everything in the datacenter takes longer by this factor (slowness.h).
struct SlowDatacenter {
  static constexpr std::string_view kName = "slow";
  DatacenterId datacenter{};
  std::uint64_t permille = 10'000;

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& /*topology*/) const { return datacenter; }
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const SlowDatacenter&, const SlowDatacenter&) = default;
};

}  // namespace photon::sim
