#include "campaigns/runs/points.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "campaigns/runs/resolved_text.h"
#include "scenarios/config/config_names.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {
namespace {

using photon::analysis::Parameter;
using photon::analysis::Point;
using photon::analysis::PointKind;

// Keys that decide nothing, or that have columns of their own.
constexpr std::array<std::string_view, 3> kOthers{"run.seed", "scenario.name",
                                                  "scenario.description"};

}  // namespace

Point point_of(const std::string& name, const scenarios::Config& config) {
  Point point{name, PointKind::scenario, {}, {}};
  scenarios::Config seedless = config;
  seedless.run.seed = 0;
  point.text = resolved_text(seedless);
  for (auto& [key, value] : scenarios::key_values(seedless)) {
    if (std::ranges::find(kOthers, key) != kOthers.end()) continue;
    point.parameters.push_back({key, value});
  }
  return point;
}

Point point_of(const scenarios::swarm::Options& options) {
  return {"swarm", PointKind::generated, swarm_words(options), swarm_parameters(options)};
}

std::vector<Parameter> swarm_parameters(const scenarios::swarm::Options& options) {
  std::vector<Parameter> parameters;
  if (options.profile == scenarios::swarm::Profile::deep) parameters.push_back({"profile", "deep"});
  if (options.tier) parameters.push_back({"tier", std::string(name_of(*options.tier))});
  if (options.most_events > 0) {
    parameters.push_back({"most-events", fmt::format("{}", options.most_events)});
  }
  return parameters;
}

std::string swarm_words(const scenarios::swarm::Options& options) {
  std::string words;
  for (const auto& [name, value] : swarm_parameters(options)) {
    words += fmt::format(" --{} {}", name, value);
  }
  return words;
}

}  // namespace photonsim::campaigns
