#include "scenarios/world/event_limit.h"

#include <chrono>

#include <fmt/format.h>

#include "core_impl/base/time_text.h"

namespace photonsim::scenarios {

using photon::SimTime;

std::uint64_t event_limit(const Config& config, SimTime now, std::uint64_t clicks) {
  if (config.run.most_events > 0) return config.run.most_events;
  // A generated configuration takes some hundred thousand events, a click some hundred, an
  // operation of the registry fewer.
  constexpr std::uint64_t kAnyway = 100'000'000;
  constexpr std::uint64_t kEachSecond = 1'000'000;
  constexpr std::uint64_t kEachClick = 10'000;
  constexpr double kEachOperation = 1'000;
  const auto seconds = static_cast<std::uint64_t>((now - SimTime{}) / std::chrono::seconds(1));
  const double operations =
      config.registry_only() ? config.workload.registry.rate * static_cast<double>(seconds) : 0;
  return kAnyway + kEachSecond * seconds + kEachClick * clicks +
         static_cast<std::uint64_t>(kEachOperation * operations);
}

std::string event_limit_text(const Config& config, SimTime now, std::uint64_t events) {
  return fmt::format(
      "run.most_events: the run was given up (it took more kernel events than it may): {} until {} "
      "of its time, in {}; if it needs more: --set run.most_events={}, for generated "
      "configurations --most-events {}; otherwise a process sends endlessly: photonsim trace "
      "SCENARIO --seed N --around {} --window 1s --html FILE shows which; photonsim swarm prints "
      "the scenario of a generated configuration",
      events, photon::in_seconds(now - SimTime{}), config.scenario.name, 10 * events, 10 * events,
      photon::in_seconds(now - SimTime{}));
}

}  // namespace photonsim::scenarios
