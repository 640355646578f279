#include "scenarios/world/master_watch.h"

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"

namespace photonsim::scenarios {

namespace trace = photon::trace;

void MasterWatch::record(const trace::Record& record) {
  const photon::NodeId node = record.header.node;
  switch (record.header.kind) {
    case trace::Kind::master_elected: {
      const std::uint32_t group = record.as<trace::MasterElected>().group.value();
      masters_[group] = node;
      elections_[{group, node}] = record.header.at;
      return;
    }
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

bool MasterWatch::elected_since(std::uint32_t group, photon::NodeId node,
                                photon::SimTime since) const {
  const auto last = elections_.find({group, node});
  return last != elections_.end() && last->second >= since;
}

std::optional<photon::NodeId> MasterWatch::choose(const photon::sim::Victim& victim) {
  const auto found = masters_.find(victim.number);
  return found == masters_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace photonsim::scenarios
