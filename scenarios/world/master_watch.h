// Who is master of which group now, from the trace: the eye of those who kill masters.
//
// Sees what an observer sees, the records of elections, ends of mastership and crashes, and none of
// the system's variables. A master that was cut off counts until it gives up or another is elected.
#pragma once

#include <map>
#include <optional>

#include "core_impl/trace/record.h"
#include "sim/fault_injector.h"

namespace photonsim::scenarios {

class MasterWatch final : public photon::trace::Sink, public photon::sim::VictimChooser {
 public:
  void record(const photon::trace::Record& record) override;
  // The master of the group with the victim's number.
  std::optional<photon::NodeId> choose(const photon::sim::Victim& victim) override;

 private:
  std::map<std::uint32_t, photon::NodeId> masters_;  // by group
};

}  // namespace photonsim::scenarios
