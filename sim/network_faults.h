// Faults of the network: datacenters that cannot reach each other, and processes whose messages are
// lost, duplicated, late or held.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/samplers.h"
#include "core_impl/base/strong_id.h"
#include "sim/fault_scene.h"
#include "sim/message_faults.h"
#include "sim/topology.h"

namespace photon::sim {

enum class Direction : std::uint8_t { both, one_way };

// Datacenters of different sides cannot reach each other. One way: messages from the first side to
// the others are lost, and nothing else.
struct Partition {
  static constexpr std::string_view kName = "partition";
  std::vector<std::vector<DatacenterId>> sides{};  // at least two, disjoint, none of them empty
  Direction direction = Direction::both;

  std::string text(const Topology& topology) const;
  DatacenterId place(const Topology& /*topology*/) const { return sides.front().front(); }
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const Partition&, const Partition&) = default;
};

// Two sides: `side`, and all other datacenters.
std::vector<std::vector<DatacenterId>> against_all_others(std::vector<DatacenterId> side,
                                                          const Topology& topology);

// An effect on messages from `from` to `to`; those of a process to itself are exempt.
struct LinkFault {
  static constexpr std::string_view kName = "link";
  std::vector<NodeId> from{};
  std::vector<NodeId> to{};
  MessageFault effect{};
  std::string target{};  // both ends, for reports

  std::string text(const Topology& /*topology*/) const { return target; }
  DatacenterId place(const Topology& topology) const;
  void prepare(FaultScene& scene) const;
  void begin(FaultScene& scene) const;
  void end(FaultScene& scene) const;
  friend bool operator==(const LinkFault&, const LinkFault&) = default;
};

}  // namespace photon::sim
