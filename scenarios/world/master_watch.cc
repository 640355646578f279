#include "scenarios/world/master_watch.h"

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"

namespace photonsim::scenarios {

namespace trace = photon::trace;

void MasterWatch::record(const trace::Record& record) {
  const photon::NodeId node = record.header.node;
  switch (record.header.kind) {
    case trace::Kind::master_elected:
      masters_[record.as<trace::MasterElected>().group.value()] = node;
      return;
    case trace::Kind::master_ended: {
      const auto found = masters_.find(record.as<trace::MasterEnded>().group.value());
      if (found != masters_.end() && found->second == node) masters_.erase(found);
      return;
    }
    case trace::Kind::process_crashed:
      std::erase_if(masters_, [&](const auto& entry) { return entry.second == node; });
      return;
    default:
      return;
  }
}

std::optional<photon::NodeId> MasterWatch::choose(const photon::sim::Victim& victim) {
  const auto found = masters_.find(victim.number);
  return found == masters_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace photonsim::scenarios
