// The current master of each group, from the trace: for faults that crash masters.
//
// Reads only records of elections, ends of mastership and crashes, and none of the system's
// variables. A master that is cut off counts until it gives up or another is elected.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "core_impl/trace/record.h"
#include "sim/fault_injector.h"

namespace photonsim::scenarios {

class MasterWatch final : public photon::trace::Sink, public photon::sim::VictimChooser {
 public:
  void record(const photon::trace::Record& record) override;
  // The master of the group with the victim's number.
  std::optional<photon::NodeId> choose(const photon::sim::Victim& victim) override;
  // Was the node elected master of the group at that time or later?
  bool elected_since(std::uint32_t group, photon::NodeId node, photon::SimTime since) const;

 private:
  std::map<std::uint32_t, photon::NodeId> masters_;                                // by group
  std::map<std::pair<std::uint32_t, photon::NodeId>, photon::SimTime> elections_;  // the last ones
};

}  // namespace photonsim::scenarios
