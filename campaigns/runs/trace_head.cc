#include "campaigns/runs/trace_head.h"

#include <utility>

#include <fmt/format.h>

#include "campaigns/runs/resolved_text.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/event_names.h"

namespace photonsim::campaigns {
namespace {

TraceNames without(const std::string& cause) {
  return {{},
          fmt::format("events keep the ids of the run, because the log that it replayed {}; put "
                      "the log back where it was, and start in the same directory",
                      cause)};
}

}  // namespace

std::optional<scenarios::Config> config_of(const photon::analysis::TraceHead& head) {
  if (head.resolved_scenario.empty()) return std::nullopt;
  const scenarios::LoadResult loaded = scenarios::load_text(head.resolved_scenario, {});
  if (!loaded) return std::nullopt;
  scenarios::Config config = loaded.config();
  config.run.seed = head.seed;
  return config;
}

TraceNames names_of_trace(const photon::analysis::TraceHead& head) {
  if (head.resolved_scenario.find(kLogContents) == std::string::npos) return {};
  const auto config = config_of(head);
  if (!config) return without("cannot be read");
  if (resolved_text(*config) != head.resolved_scenario) return without("has changed");
  auto names = scenarios::event_names(*config, head.seed);
  if (!names) return without("cannot be read");
  return {std::move(names).assume_value(), {}};
}

}  // namespace photonsim::campaigns
