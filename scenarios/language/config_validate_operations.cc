#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/schema/config_validate_names.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::scenarios {
namespace {

// Operations run while clicks are generated.
void check_time(Validation& v, const std::string& path, Duration at) {
  const std::optional<Duration>& end = v.config().run.duration;
  if (!end || at < *end) return;
  v.refuse({path + ".at", "run.duration"},
           fmt::format("this operation begins at {}, but the run generates only until {}",
                       format_duration(at), format_duration(*end)),
           "an earlier time, or a longer run");
}

void check_group(Validation& v, const std::string& path, const std::string& group) {
  if (group_number(v.config(), group)) return;
  v.refuse({path + ".group", "registry.shards", "registry.sharding", "operations.reshard"},
           fmt::format("there is no group \"{}\"", group),
           fmt::format("shards are \"registry/0\" to \"registry/{}\"; \"sharding/0\" needs "
                       "registry.sharding = \"dynamic\"",
                       most_shards(v.config()) - 1));
}

void check_masters(Validation& v) {
  const Operations& operations = v.config().operations;
  for (std::size_t i = 0; i < operations.kills.size(); ++i) {
    const std::string path = fmt::format("operations.kill_master.{}", i);
    check_group(v, path, operations.kills[i].group);
    check_time(v, path, operations.kills[i].at);
  }
  for (std::size_t i = 0; i < operations.moves.size(); ++i) {
    const std::string path = fmt::format("operations.move_master.{}", i);
    check_group(v, path, operations.moves[i].group);
    check_time(v, path, operations.moves[i].at);
    const std::string& to = operations.moves[i].to;
    if (has_replica(v.config(), to)) continue;
    v.refuse({path + ".to", "registry.replicas"}, fmt::format("\"{}\" has no replica", to),
             suggest(to, v.config().registry.replicas));
  }
}

void check_forgets(Validation& v) {
  const auto& forgets = v.config().operations.forgets;
  for (std::size_t i = 0; i < forgets.size(); ++i) {
    const std::string path = fmt::format("operations.forget_state.{}", i);
    check_time(v, path, forgets[i].at);
    if (v.config().registry_only()) {
      v.refuse({path, "workload.kind"}, "a registry workload has no dispatchers",
               "workload.kind = \"synthetic\" has");
    } else if (check_datacenter(v, path + ".datacenter", forgets[i].datacenter)) {
      check_inhabited(v, path + ".datacenter", forgets[i].datacenter, true, false);
    }
  }
}

}  // namespace

void validate_operations(Validation& v) {
  check_masters(v);
  check_forgets(v);
  const auto& reshards = v.config().operations.reshards;
  for (std::size_t i = 0; i < reshards.size(); ++i) {
    const std::string path = fmt::format("operations.reshard.{}", i);
    if (v.config().registry.sharding == Sharding::kFixed) {
      v.refuse({path, "registry.sharding"}, "this registry cannot be resharded",
               "registry.sharding = \"dynamic\" gives it a configuration group");
    }
    check_time(v, path, reshards[i].at);
  }
}

}  // namespace photonsim::scenarios
