#include "tests/fuzz/targets.h"

#include <algorithm>
#include <array>

namespace photon::fuzz {
namespace {

constexpr std::array<Target, 10> kTargets{{
    {"cell_files", cell_files},
    {"latency_histogram", latency_histogram},
    {"message_codec", message_codec},
    {"paxos_disk", paxos_disk},
    {"raw_trace", raw_trace},
    {"record_codec", record_codec},
    {"scenario_override", scenario_override},
    {"scenario_text", scenario_text},
    {"state_snapshot", state_snapshot},
    {"trace_csv", trace_csv},
}};
static_assert(std::ranges::is_sorted(kTargets, {}, &Target::name));

}  // namespace

std::span<const Target> all_targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  return found == kTargets.end() ? nullptr : &*found;
}

}  // namespace photon::fuzz
