#include "scenarios/schema/config_validate_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::scenarios {
namespace {

// A role of processes: its count per pipeline or per replica's datacenter, and how to enable it if
// it is zero.
struct RoleCount {
  std::string name;
  std::uint64_t count = 0;
  std::string_view remedy{};
};

std::vector<RoleCount> roles_of(const Config& config) {
  constexpr std::string_view kPipelines =
      "a registry workload runs no pipelines; workload.kind = \"synthetic\" does";
  const bool joins = !config.registry_only();
  const auto pipeline = [&](const char* name, std::uint64_t count) {
    return RoleCount{name, joins ? count : 0, kPipelines};
  };
  const auto audits = [&](const char* name, std::uint64_t count) {
    return RoleCount{name, joins && config.verification.enabled ? count : 0,
                     "verification.enabled = true gives each pipeline some"};
  };
  const bool resharded = config.registry.sharding == Sharding::kDynamic;
  return {pipeline("joiner", config.joiner.count),
          pipeline("dispatcher", config.dispatcher.workers),
          pipeline("cache", config.event_store.cache_nodes),
          pipeline("reader", 1),
          pipeline("event_store", 1),
          {"incarnations", 1},
          audits("verifier", config.verification.verifiers),
          audits("auditor", 1),
          {"mirror", joins && config.joiner.output_copies ? 1U : 0U,
           "joiner.output_copies = true gives each pipeline one"},
          {"registry", most_shards(config)},
          {"sharding", resharded ? 1U : 0U, "registry.sharding = \"dynamic\" makes one"},
          {"client", joins ? 0 : config.workload.registry.clients,
           "only workload.kind = \"registry\" has clients"}};
}

void refuse_role(Validation& v, const std::string& path, const std::string& role,
                 const std::vector<RoleCount>& roles) {
  std::vector<std::string> present;
  for (const RoleCount& each : roles) {
    if (each.count > 0) present.push_back(each.name);
    if (each.name != role) continue;
    v.refuse({path, "registry.sharding", "workload.kind"},
             fmt::format("this run has no process called \"{}\"", role), each.remedy);
    return;
  }
  v.refuse({path}, fmt::format("no process is called \"{}\"", role), suggest(role, present));
}

}  // namespace

bool check_datacenter(Validation& v, const std::string& path, const std::string& name) {
  if (has_datacenter(v.config(), name)) {
    return true;
  }
  v.refuse({path, "topology.datacenter"}, fmt::format("there is no datacenter \"{}\"", name),
           suggest(name, datacenter_names(v.config())));
  return false;
}

std::vector<std::string> check_place(Validation& v, const std::string& path,
                                     const std::string& name) {
  std::vector<std::string> expanded = expand_name(v.config(), name);
  if (expanded.empty()) {
    std::vector<std::string> known = datacenter_names(v.config());
    for (const Datacenter& datacenter : v.config().topology.datacenters) {
      known.push_back(datacenter.region);
    }
    v.refuse({path, "topology.datacenter"},
             fmt::format("there is no datacenter or region \"{}\"", name), suggest(name, known));
  }
  return expanded;
}

void check_inhabited(Validation& v, const std::string& path, const std::string& datacenter,
                     bool needs_pipeline, bool needs_replica) {
  if (needs_pipeline && !has_pipeline(v.config(), datacenter)) {
    v.refuse({path, "topology"}, fmt::format("\"{}\" runs no pipeline", datacenter),
             suggest(datacenter, v.config().topology.pipelines));
  }
  if (needs_replica && !has_replica(v.config(), datacenter)) {
    v.refuse({path, "topology.datacenter", "registry.replicas"},
             fmt::format("\"{}\" has no registry replica", datacenter),
             suggest(datacenter, v.config().registry.replicas));
  }
}

void check_process(Validation& v, const std::string& path, const std::string& text) {
  const std::optional<ProcessName> process = parse_process(text);
  if (!process) {
    v.refuse({path}, fmt::format("\"{}\" is not the name of a process", text),
             "as in \"us-east1/joiner/3\" or \"registry/2@us-east4\"");
    return;
  }
  const std::vector<RoleCount> roles = roles_of(v.config());
  const auto role = std::ranges::find(roles, process->role, &RoleCount::name);
  const std::uint64_t count = role == roles.end() ? 0 : role->count;
  if (count == 0) {
    refuse_role(v, path, process->role, roles);
  } else if (process->number >= count) {
    v.refuse({path, "joiner.count", "dispatcher.workers", "event_store.cache_nodes",
              "registry.shards", "workload.registry.clients"},
             fmt::format("there is no {} {}", process->role, process->number),
             fmt::format("they are numbered from 0 to {}", count - 1));
  }
  if (check_datacenter(v, path, process->datacenter)) {
    const bool replica = process->role == "registry" || process->role == "sharding";
    check_inhabited(v, path, process->datacenter, !replica, replica);
  }
}

void check_party(Validation& v, const std::string& path, const std::string& text) {
  const std::optional<PartyName> party = parse_party(v.config(), text);
  if (!party) {
    return v.refuse({path, "topology.datacenter"}, fmt::format("\"{}\" names no processes", text),
                    "as in \"any\", \"us-east1\", \"joiner\", \"us-east1/joiner/3\", "
                    "\"registry/2@us-east4\"");
  }
  std::vector<std::string> places;
  if (!party->place.empty()) places = check_place(v, path, party->place);
  if (party->role.empty()) return;
  const std::vector<RoleCount> roles = roles_of(v.config());
  const auto role = std::ranges::find(roles, party->role, &RoleCount::name);
  if (role == roles.end() || role->count == 0) return refuse_role(v, path, party->role, roles);
  if (party->number && *party->number >= role->count) {
    v.refuse({path, "registry.shards", "joiner.count"},
             fmt::format("there is no {} {}", party->role, *party->number),
             fmt::format("they are numbered from 0 to {}", role->count - 1));
  }
  const bool replica = party->role == "registry" || party->role == "sharding";
  if (places.size() == 1) check_inhabited(v, path, places.front(), !replica, replica);
}

std::set<std::string> check_side(Validation& v, const std::string& path,
                                 const std::vector<std::string>& names) {
  std::set<std::string> result;
  if (names.empty()) {
    v.refuse({path}, "one side of this partition is empty", "name datacenters or regions");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string> place = check_place(v, fmt::format("{}.{}", path, i), names[i]);
    result.insert(place.begin(), place.end());
  }
  return result;
}

}  // namespace photonsim::scenarios
