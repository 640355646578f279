#include "scenarios/faults/lowering.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/config/config_names.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;

bool is_meant(const Config& config, const PartyName& party, const sim::ProcessInfo& process,
              const sim::Topology& topology) {
  if (!party.place.empty()) {
    const std::vector<std::string> places = expand_name(config, party.place);
    const std::string& here = topology.datacenter(process.datacenter).name;
    if (std::ranges::find(places, here) == places.end()) return false;
  }
  if (party.role.empty()) return true;
  std::string pattern = "*/" + party.role;
  if (party.number) pattern += fmt::format("/{}", *party.number);
  return sim::matches_path(pattern, process.path);
}

}  // namespace

sim::Fault fault_of(const When& when, sim::Action action, std::string_view kind) {
  return {photon::SimTime(when.at), when.duration, std::move(action), kind};
}

std::vector<photon::DatacenterId> members(const std::vector<std::string>& names,
                                          const sim::Topology& topology) {
  std::vector<photon::DatacenterId> result;
  for (const std::string& name : names) {
    if (const auto datacenter = topology.find_datacenter(name)) {
      result.push_back(*datacenter);
      continue;
    }
    for (const sim::RegionInfo& region : topology.regions()) {
      if (region.name != name) continue;
      result.insert(result.end(), region.datacenters.begin(), region.datacenters.end());
    }
  }
  return result;
}

std::vector<photon::NodeId> parties(const Config& config, const std::vector<std::string>& names,
                                    const sim::Topology& topology) {
  std::set<photon::NodeId> meant;
  for (const std::string& name : names) {
    const std::optional<PartyName> party = parse_party(config, name);
    PHOTON_CHECK(party.has_value(), "the scenario was validated, so its names are known");
    for (const sim::ProcessInfo& process : topology.processes()) {
      if (is_meant(config, *party, process, topology)) meant.insert(process.id);
    }
  }
  return {meant.begin(), meant.end()};
}

}  // namespace photonsim::scenarios
