#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core_impl/paxos/types.h"
#include "scenarios/config/config_names.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::scenarios {
namespace {

constexpr std::uint64_t kSingleProcesses = 3;  // reader, log store, incarnations

using Pair = std::pair<std::string, std::string>;

Pair unordered_pair(const std::string& a, const std::string& b) {
  return a < b ? Pair{a, b} : Pair{b, a};
}

void check_datacenters(Validation& v) {
  const auto& datacenters = v.config().topology.datacenters;
  if (datacenters.empty()) {
    v.refuse({"topology.datacenter"}, "there is no datacenter",
             "state at least one [[topology.datacenter]]");
  }
  std::set<std::string> seen;
  std::set<std::string> regions;
  for (const Datacenter& datacenter : datacenters) {
    regions.insert(datacenter.region);
  }
  for (std::size_t i = 0; i < datacenters.size(); ++i) {
    const std::string& name = datacenters[i].name;
    const std::string key = fmt::format("topology.datacenter.{}.name", i);
    if (!seen.insert(name).second) {
      v.refuse({key}, fmt::format("there are two datacenters \"{}\"", name),
               "[[topology.datacenter]] adds to included ones; datacenter = [...] replaces");
    }
    if (name.find_first_of("/@") != std::string::npos) {
      v.refuse({key}, fmt::format("a datacenter cannot be called \"{}\"", name),
               "/ and @ separate the parts of a process's name");
    }
    if (regions.count(name) != 0) {
      v.refuse({key, "topology.datacenter"},
               fmt::format("\"{}\" names a datacenter and a region", name),
               "partitions name either, so the names must differ");
    }
  }
}

// Names of datacenters that must exist and differ from each other.
void check_names(Validation& v, std::string_view key, const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string item = fmt::format("{}.{}", key, i);
    if (!has_datacenter(v.config(), names[i])) {
      v.refuse({item, key, "topology.datacenter"},
               fmt::format("{} names the unknown datacenter \"{}\"", key, names[i]),
               suggest(names[i], datacenter_names(v.config())));
    }
    if (!seen.insert(names[i]).second) {
      v.refuse({item, key}, fmt::format("{} names \"{}\" twice", key, names[i]),
               "a datacenter holds at most one");
    }
  }
}

// SPEC B-05 and L-08: a commit needs replicas of more than one region, and the loss of any one
// region leaves a majority. Both are the same condition: no region holds a majority.
void check_replicas(Validation& v) {
  const auto& replicas = v.config().registry.replicas;
  check_names(v, "registry.replicas", replicas);
  if (replicas.size() % 2 == 0) {
    v.refuse({"registry.replicas"},
             fmt::format("registry.replicas has {} entries, not 2f+1 of them", replicas.size()),
             "an odd number: 1, 3, 5, 7");
    return;
  }
  if (replicas.size() > photon::paxos::kMaxReplicas) {
    v.refuse({"registry.replicas"},
             fmt::format("registry.replicas has {} entries, more than {}", replicas.size(),
                         photon::paxos::kMaxReplicas),
             "five tolerate the loss of any two");
  }
  if (replicas.size() == 1) return;  // f = 0 tolerates no loss, in any place
  const std::size_t majority = replicas.size() / 2 + 1;
  std::map<std::string, std::size_t> per_region;
  for (const Datacenter& datacenter : v.config().topology.datacenters) {
    if (has_replica(v.config(), datacenter.name)) {
      ++per_region[datacenter.region];
    }
  }
  for (const auto& [region, count] : per_region) {
    if (count >= majority) {
      v.refuse({"registry.replicas", "topology.datacenter"},
               fmt::format("region \"{}\" holds {} of {} registry replicas, a majority "
                           "(SPEC B-05)",
                           region, count, replicas.size()),
               fmt::format("at most {} per region; Photon's five stand as 2-2-1", majority - 1));
    }
  }
}

// Each process is a host with an entry in every table of the simulator.
void check_size(Validation& v) {
  constexpr std::size_t kMostDatacenters = 256;
  constexpr std::uint64_t kMostProcesses = 100'000;
  const Config& c = v.config();
  if (c.topology.datacenters.size() > kMostDatacenters) {
    v.refuse({"topology.datacenter"},
             fmt::format("there are {} datacenters, more than {}", c.topology.datacenters.size(),
                         kMostDatacenters),
             "the paper's deployment has five");
  }
  const std::uint64_t pipeline =
      c.registry_only()
          ? c.workload.registry.clients + 1
          : c.joiner.count + c.event_store.cache_nodes + kSingleProcesses + c.dispatcher.workers +
                (c.verification.enabled ? c.verification.verifiers + 1 : 0);
  const std::uint64_t processes =
      most_shards(c) * c.registry.replicas.size() + c.topology.pipelines.size() * pipeline;
  if (processes > kMostProcesses) {
    v.refuse(
        {"registry.shards", "registry.replicas", "topology.pipelines", "joiner.count",
         "event_store.cache_nodes", "operations.reshard"},
        fmt::format("this deployment has {} processes, more than {}", processes, kMostProcesses),
        "fewer shards, pipelines or processes in a pipeline");
  }
}

void check_placement(Validation& v) {
  const Registry& r = v.config().registry;
  if (r.master_placement == MasterPlacement::kPinned &&
      !has_replica(v.config(), r.pinned_datacenter)) {
    v.refuse({"registry.pinned_datacenter", "registry.master_placement", "registry.replicas"},
             fmt::format("masters are pinned to \"{}\", which has no replica", r.pinned_datacenter),
             suggest(r.pinned_datacenter, r.replicas));
  }
}

std::set<Pair> check_links(Validation& v) {
  std::set<Pair> pairs;
  const auto& links = v.config().network.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string path = fmt::format("network.link.{}", i);
    for (const auto& [key, name] : {Pair{"from", links[i].from}, Pair{"to", links[i].to}}) {
      if (!has_datacenter(v.config(), name)) {
        v.refuse({fmt::format("{}.{}", path, key), "topology.datacenter"},
                 fmt::format("this link names the unknown datacenter \"{}\"", name),
                 suggest(name, datacenter_names(v.config())));
      }
    }
    if (links[i].from == links[i].to) {
      v.refuse({path}, "this link joins a datacenter to itself",
               "that is network.intra_datacenter_rtt");
    } else if (!pairs.insert(unordered_pair(links[i].from, links[i].to)).second) {
      v.refuse(
          {path},
          fmt::format("there are two links between \"{}\" and \"{}\"", links[i].from, links[i].to),
          "one link serves both directions");
    }
  }
  return pairs;
}

void check_distances(Validation& v, const std::set<Pair>& links) {
  std::set<std::string> used;
  for (const std::string& name : datacenter_names(v.config())) {
    if (has_pipeline(v.config(), name) || has_replica(v.config(), name)) {
      used.insert(name);
    }
  }
  const bool measured = v.config().network.wan == WanSource::kGcpUs2020;
  const auto in_matrix = [&](const std::string& name) {
    const auto& known = measured_datacenters();
    return measured && std::find(known.begin(), known.end(), name) != known.end();
  };
  for (const std::string& a : used) {
    for (const std::string& b : used) {
      if (!(a < b) || links.count({a, b}) != 0 || (in_matrix(a) && in_matrix(b))) {
        continue;
      }
      v.refuse({"network.wan", "network.link", "topology", "registry.replicas"},
               fmt::format("no round trip is known between \"{}\" and \"{}\"", a, b),
               fmt::format("add [[network.link]] from = \"{}\", to = \"{}\", rtt = ...{}", a, b,
                           measured ? fmt::format(", or use the names of \"gcp-us-2020\": {}",
                                                  fmt::join(measured_datacenters(), ", "))
                                    : std::string()));
    }
  }
}

// The core must be able to make progress: a stall is then a violation.
void check_core(Validation& v) {
  const Config& c = v.config();
  const std::vector<std::string>& core = c.run.core;
  if (core.empty()) return;
  check_names(v, "run.core", core);
  const auto count = [&](const std::vector<std::string>& of) {
    return std::ranges::count_if(
        core, [&](const std::string& name) { return std::ranges::find(of, name) != of.end(); });
  };
  if (c.registry_only()) {
    v.refuse({"run.core", "workload.kind"}, "a registry workload has no pipelines",
             "workload.kind = \"synthetic\"");
  }
  if (2 * count(c.registry.replicas) <= std::ssize(c.registry.replicas)) {
    v.refuse({"run.core", "registry.replicas"},
             "the core holds no majority of the replicas: nothing could be registered",
             "more of the datacenters of registry.replicas");
  }
  if (count(c.topology.pipelines) == 0) {
    v.refuse({"run.core", "topology.pipelines"}, "no datacenter of the core runs a pipeline",
             "one of topology.pipelines");
  }
  if (c.topology.datacenters.size() > 64) {
    v.refuse({"run.core", "topology.datacenter"},
             "a core can be chosen among 64 datacenters at most", "fewer datacenters, or no core");
  }
}

}  // namespace

void validate_topology(Validation& validation) {
  check_datacenters(validation);
  const auto& pipelines = validation.config().topology.pipelines;
  check_names(validation, "topology.pipelines", pipelines);
  if (pipelines.empty()) {
    validation.refuse({"topology.pipelines"}, "there is no pipeline",
                      "name at least one datacenter; Photon runs two");
  }
  check_replicas(validation);
  check_size(validation);
  check_placement(validation);
  check_core(validation);
  check_distances(validation, check_links(validation));
}

}  // namespace photonsim::scenarios
