#include "scenarios/config/config_names.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "models/wan.h"

namespace photonsim::scenarios {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if (text.size() > 1 && text.front() == '0') {
    return std::nullopt;  // processes are found by name, and none is called "03"
  }
  return number;
}

}  // namespace

std::optional<std::uint64_t> server_number(std::string_view text) { return parse_number(text); }

std::uint64_t servers_of(const Config& config, LogKind log) {
  const Workload& workload = config.workload;
  const bool made_up = workload.kind == WorkloadKind::kSynthetic;
  if (log == LogKind::kQueries) {
    return made_up ? workload.synthetic.query_servers : workload.primary.servers;
  }
  return made_up ? workload.synthetic.click_servers : workload.foreign.servers;
}

std::vector<std::string> datacenter_names(const Config& config) {
  std::vector<std::string> names;
  for (const Datacenter& datacenter : config.topology.datacenters) {
    names.push_back(datacenter.name);
  }
  return names;
}

bool has_datacenter(const Config& config, std::string_view name) {
  return std::any_of(config.topology.datacenters.begin(), config.topology.datacenters.end(),
                     [&](const Datacenter& datacenter) { return datacenter.name == name; });
}

bool has_pipeline(const Config& config, std::string_view datacenter) {
  return contains(config.topology.pipelines, datacenter);
}

bool has_replica(const Config& config, std::string_view datacenter) {
  return contains(config.registry.replicas, datacenter);
}

std::uint64_t most_shards(const Config& config) {
  std::uint64_t most = config.registry.shards;
  for (const ReshardOperation& each : config.operations.reshards) {
    most = std::max(most, each.shards);
  }
  return most;
}

std::uint64_t window_bound(const Joiner& joiner) {
  return joiner.max_window == 0 ? joiner.max_outstanding_registry : joiner.max_window;
}

std::optional<std::uint64_t> group_number(const Config& config, std::string_view text) {
  const std::uint64_t shards = most_shards(config);
  if (text == "sharding/0") {
    return config.registry.sharding == Sharding::kDynamic ? std::optional{shards} : std::nullopt;
  }
  constexpr std::string_view kRegistry = "registry/";
  if (!text.starts_with(kRegistry)) return std::nullopt;
  const std::optional<std::uint64_t> shard = parse_number(text.substr(kRegistry.size()));
  return shard && *shard < shards ? shard : std::nullopt;
}

std::vector<std::string> expand_name(const Config& config, std::string_view name) {
  std::vector<std::string> result;
  for (const Datacenter& datacenter : config.topology.datacenters) {
    if (datacenter.name == name || datacenter.region == name) {
      result.push_back(datacenter.name);
    }
  }
  return result;
}

const std::vector<std::string>& measured_datacenters() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const photon::models::MeasuredRoundTrip& pair : photon::models::gcp_us_2020()) {
      for (const std::string_view name : {pair.from, pair.to}) {
        if (!contains(found, name)) found.emplace_back(name);
      }
    }
    return found;
  }();
  return names;
}

std::optional<ProcessName> parse_process(std::string_view text) {
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view head = text.substr(0, first);
  const std::string_view rest = text.substr(first + 1);
  const bool replica = head == "registry" || head == "sharding";
  const std::size_t cut = rest.find(replica ? '@' : '/');
  if (head.empty() || cut == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view left = rest.substr(0, cut);
  const std::string_view right = rest.substr(cut + 1);
  const std::optional<std::uint64_t> number = parse_number(replica ? left : right);
  if (!number || left.empty() || right.empty()) {
    return std::nullopt;
  }
  return replica ? ProcessName{std::string{right}, std::string{head}, *number}
                 : ProcessName{std::string{head}, std::string{left}, *number};
}

std::string datacenter_of(std::string_view where) {
  const std::optional<ProcessName> process = parse_process(where);
  return process ? process->datacenter : std::string(where);
}

std::optional<PartyName> parse_party(const Config& config, std::string_view text) {
  PartyName party;
  if (text == "any") return party;
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    party.place = text.substr(at + 1);
    text = text.substr(0, at);
    if (party.place.empty()) return std::nullopt;
  } else if (const std::string_view head = text.substr(0, text.find('/'));
             !expand_name(config, head).empty()) {
    party.place = head;
    if (head.size() == text.size()) return party;
    text = text.substr(head.size() + 1);
  }
  const std::size_t slash = text.find('/');
  party.role = text.substr(0, slash);
  if (slash != std::string_view::npos) {
    party.number = parse_number(text.substr(slash + 1));
    if (!party.number) return std::nullopt;
  }
  if (party.role.empty()) return std::nullopt;
  return party;
}

}  // namespace photonsim::scenarios
