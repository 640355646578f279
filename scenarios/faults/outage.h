// [[faults.outage]]: a datacenter, a region, or a part of it is down.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

enum class OutageComponent : std::uint8_t {
  kAll,       // every process of the datacenter and its shared cell
  kRegistry,  // its registry replicas
  kPipeline,  // its dispatcher, joiners, EventStore
  kCell,      // its shared cell (the volumes; processes live on)
  kLogs,      // its copies of the input logs (SPEC A-25; processes live on)
};

struct OutageFault {
  static constexpr std::string_view kTable = "faults.outage";
  std::string datacenter{};  // or a region: all of its datacenters at once
  OutageComponent component{OutageComponent::kAll};
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const OutageFault&) const = default;
};

}  // namespace photonsim::scenarios
