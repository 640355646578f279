// Rules of [rare].

#include <fmt/format.h>

#include "scenarios/language/config_validate.h"

namespace photonsim::scenarios {
namespace {

void check_forced_crash(Validation& v) {
  if (v.config().rare.forced_crash == ForcedCrash::kNone || !v.config().registry_only()) return;
  v.refuse({"rare.forced_crash", "workload.kind"},
           "this workload has no pipelines, so there is no joiner to crash",
           "workload.kind = \"synthetic\"");
}

void check_levels(Validation& v) {
  const Rare& rare = v.config().rare;
  if (rare.levels.empty()) return;
  for (std::size_t i = 1; i < rare.levels.size(); ++i) {
    if (rare.levels[i - 1].at < rare.levels[i].at) continue;
    v.refuse({fmt::format("rare.level.{}.at", i), "rare.level"},
             fmt::format("level {} does not lie above level {}", rare.levels[i].at,
                         rare.levels[i - 1].at),
             "state them in ascending order");
  }
  const bool of_registry = rare.importance == Importance::kOpenOperations;
  if (of_registry == v.config().registry_only()) return;
  v.refuse({"rare.importance", "workload.kind"},
           of_registry ? "only a registry workload has operations of its own"
                       : "this workload has no clicks",
           of_registry ? "\"joiner_window\" or \"open_clicks\"" : "\"open_operations\"");
}

void check_lineage(Validation& v) {
  const std::vector<LineageStep>& steps = v.config().rare.lineage;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i - 1].event < steps[i].event) continue;
    v.refuse({fmt::format("rare.lineage.{}.event", i), "rare.lineage"},
             fmt::format("the change at event {} does not come after that at event {}",
                         steps[i].event, steps[i - 1].event),
             "state them in ascending order");
  }
}

}  // namespace

void validate_rare(Validation& validation) {
  check_forced_crash(validation);
  check_levels(validation);
  check_lineage(validation);
}

}  // namespace photonsim::scenarios
