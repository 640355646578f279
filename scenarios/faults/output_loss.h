// A cell loses joined records that are durable, drawn at random. They may return when the fault
// ends. Records: trace::OutputLost for each; a record that returns is durable again
// (sim/volumes.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/runtime/volume.h"
#include "core_impl/trace/pipeline.h"
#include "sim/fault_scene.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

struct LoseOutput {
  static constexpr std::string_view kName = "output_loss";
  enum class After : std::uint8_t { gone, returned };

  std::uint64_t seed = 0;  // of the run, and ...
  std::uint32_t key = 0;   // ... of its draws
  photon::DatacenterId datacenter{};
  photon::VolumeId cell{};
  std::uint64_t records = 0;
  After after = After::gone;

  struct Stored {
    photon::FileName file{};
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    photon::trace::OutputLost fact{};
    std::uint64_t rank = 0;
  };
  std::vector<Stored> lost{};  // filled in as it begins

  std::string text(const photon::sim::Topology& topology) const;
  photon::DatacenterId place(const photon::sim::Topology& /*topology*/) const { return datacenter; }
  photon::sim::Readiness ready(photon::sim::FaultScene& scene);
  // A loss that returns takes effect when the records return.
  void begin(photon::sim::FaultScene& scene) const;
  void end(photon::sim::FaultScene& scene) const;
  // Compares what is set before it begins.
  friend bool operator==(const LoseOutput& one, const LoseOutput& other) {
    return one.seed == other.seed && one.key == other.key && one.datacenter == other.datacenter &&
           one.cell == other.cell && one.records == other.records && one.after == other.after;
  }

 private:
  std::vector<Stored> stored_in(photon::sim::Volumes& volumes) const;
};

}  // namespace photonsim::scenarios
