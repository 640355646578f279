#include "scenarios/faults/checks.h"

#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"
#include "scenarios/faults/log.h"
#include "scenarios/schema/config_validate_names.h"

namespace photonsim::scenarios {

void check_start(Validation& v, const std::string& path, Duration at) {
  const std::optional<Duration>& end = v.config().run.duration;
  if (end && at >= *end) {
    v.refuse({path, "run.duration"},
             fmt::format("this fault begins at {}, but the run generates until {} only",
                         format_duration(at), format_duration(*end)),
             "faults end when generation ends (SPEC J-P0)");
  }
}

void check_has_configuration(Validation& v, const std::string& path) {
  if (v.config().registry.sharding == Sharding::kDynamic) return;
  v.refuse({path, "registry.sharding"},
           "the number of shards is fixed, so there is no configuration to learn",
           "registry.sharding = \"dynamic\"");
}

void check_log_place(Validation& v, const std::string& path, const std::string& datacenter) {
  if (v.config().registry_only()) {
    v.refuse({path, "workload.kind"}, "a registry workload has no logs and no output",
             "workload.kind = \"synthetic\" or \"trace\"");
  } else if (!datacenter.empty() && check_datacenter(v, path + ".datacenter", datacenter)) {
    check_inhabited(v, path + ".datacenter", datacenter, true, false);
  }
}

void check_log_server(Validation& v, const std::string& path, LogKind log,
                      const std::string& name) {
  const std::optional<std::uint64_t> server = server_number(name);
  const std::uint64_t servers = servers_of(v.config(), log);
  if (name == "any" || (server && *server < servers)) return;
  v.refuse({path + ".server", "workload"}, fmt::format("there is no server \"{}\"", name),
           fmt::format("\"any\", or a number from 0 to {}", servers - 1));
}

}  // namespace photonsim::scenarios
