#include "scenarios/language/scale.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/reports/report_text.h"

namespace photonsim::scenarios {
namespace {

// "1 of 90 shards (totals are times 90)".
std::string part_text(std::uint64_t simulated, std::uint64_t all, std::string_view what) {
  const double factor = static_cast<double>(all) / static_cast<double>(simulated);
  return fmt::format("{} of {} {} (their totals times {:.4g})",
                     photon::analysis::grouped(simulated), photon::analysis::grouped(all), what,
                     factor);
}

}  // namespace

std::uint64_t joiners_of(const Config& config) {
  return config.joiner.count * config.topology.pipelines.size();
}

std::string scale_text(const Config& config) {
  const Scale& scale = config.scale;
  std::vector<std::string> parts;
  if (scale.shards_of > config.registry.shards) {
    parts.push_back(part_text(config.registry.shards, scale.shards_of, "shards"));
  }
  if (scale.joiners_of > joiners_of(config)) {
    parts.push_back(part_text(joiners_of(config), scale.joiners_of, "joiners"));
  }
  if (scale.time > 1) {
    parts.push_back(fmt::format("days divided by {} (shares of N carry over, seconds do not)",
                                photon::analysis::grouped(scale.time)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void put_scale(const Config& config, photon::analysis::Summary& summary) {
  summary.scale = scale_text(config);
}

}  // namespace photonsim::scenarios
