// Faults of one volume: a host's disk or a datacenter's shared cell. Their effects on stored bytes
// and requests: the fault model at the head of volumes.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/strong_id.h"
#include "sim/fault_scene.h"
#include "sim/topology.h"
#include "sim/volume_faults.h"

namespace photon::sim {

// Some requests to a volume fail or are slow while it lasts.
struct DiskFault {
  static constexpr std::string_view kName = "disk";
  VolumeId volume{};
  VolumeFault effect{};

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const DiskFault&, const DiskFault&) = default;
};

// One stored bit of a volume is wrong from then on, until its file is replaced or removed. While
// nothing is stored, the fault waits. It takes effect when the bit is read.
struct BitRot {
  static constexpr std::string_view kName = "disk.bit_rot";
  VolumeId volume{};

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  Readiness ready(FaultScene& scene) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& /*scene*/) const {}
  friend bool operator==(const BitRot&, const BitRot&) = default;
};

// A crash in the middle of an append, of which a part is written: of the disk's host, or of a
// process that writes to the cell. While no append is in flight, the fault waits; its duration is
// that of the crash.
struct TornWrite {
  static constexpr std::string_view kName = "disk.torn_write";
  VolumeId volume{};
  std::vector<NodeId> crashed{};  // filled in as it begins

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& topology) const;
  Readiness ready(FaultScene& scene);
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const TornWrite&, const TornWrite&) = default;
};

}  // namespace photon::sim
