#include "analysis/corner_cases/corner_failures.h"

#include <algorithm>

namespace photon::analysis {

void CornerFailures::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::process_crashed) on_crash(fact);
  if (fact.header().kind == trace::Kind::master_elected) on_elected(fact);
}

void CornerFailures::on_crash(const Fact& fact) {
  const auto shard = groups_.group_of(fact.header().node);
  if (!shard) return;
  const GroupTerm& group = groups_.of(*shard);
  std::uint32_t down = 1;  // this one
  for (const NodeId replica : group.replicas)
    down += evidence_.join().node(replica).is_down ? 1 : 0;
  const auto& config = evidence_.config();
  const std::uint32_t needed = config.majority();
  const bool just_now = config.replicas_per_group - down + 1 == needed;
  if (just_now && !group.proposals.empty()) counts_.hit(Corner::bc23);
}

void CornerFailures::on_elected(const Fact& fact) {
  const GroupTerm& group = groups_.of(fact.as<trace::MasterElected>().group);
  const auto& regions = evidence_.config().regions;
  const auto master = std::ranges::find(group.replicas, group.master);
  if (regions.empty() || master == group.replicas.end()) return;
  const auto region_of = [&](DatacenterId place) {
    return place.value() < regions.size() ? regions[place.value()] : 0;
  };
  const auto lost =
      region_of(group.places[static_cast<std::size_t>(master - group.replicas.begin())]);
  std::size_t members = 0;
  for (std::size_t i = 0; i < group.replicas.size(); ++i) {
    if (region_of(group.places[i]) != lost) continue;
    if (!evidence_.join().node(group.replicas[i]).is_down) return;
    ++members;
  }
  if (members > 1) counts_.hit(Corner::bc24);
}

}  // namespace photon::analysis
