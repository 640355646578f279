// Overrides from the command line: each line is one `--set`, on a small scenario that has what
// overrides reach into: lists of tables, names, a registry, pipelines.
#include <string>
#include <vector>

#include "tests/fuzz/scenario_checks.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {
namespace {

constexpr std::string_view kBase = R"(
[scenario]
name = "fuzzed"
[run]
duration = "5min"
[topology]
pipelines = ["us-east1", "us-west1"]
[[topology.datacenter]]
name = "us-east1"
region = "east"
[[topology.datacenter]]
name = "us-west1"
region = "west"
[[topology.datacenter]]
name = "us-central1"
region = "central"
[registry]
replicas = ["us-east1", "us-west1", "us-central1"]
[[faults.random]]
kind = "process_crash"
target = "joiner"
mean_interval = "1min"
restart_after = "5s"
[[faults.outage]]
datacenter = "us-east1"
component = "all"
at = "10s"
for = "5s"
)";

}  // namespace

Outcome scenario_override(std::span<const std::byte> bytes) {
  constexpr std::size_t kMostOverrides = 8;
  std::vector<std::string> overrides;
  for (std::string_view rest = text_of(bytes); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
    if (overrides.size() < kMostOverrides) overrides.emplace_back(line);
  }
  return check_loaded(
      photonsim::scenarios::load_text(kBase, "scenarios/from_the_fuzzer.toml", overrides));
}

}  // namespace photon::fuzz
