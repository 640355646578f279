#include "campaigns/runs/resolved_text.h"

#include <fmt/format.h>

#include "scenarios/language/loader.h"

namespace photonsim::campaigns {

std::string resolved_text(const scenarios::Config& config) {
  std::string text = scenarios::to_toml(config);
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    text += fmt::format("{}{:016x} {:016x}\n", kLogContents, config.workload.primary.digest,
                        config.workload.foreign.digest);
  }
  return text;
}

}  // namespace photonsim::campaigns
