// Quiet days: the default deployment without clicks (quiet.toml).
//
//   quiet [HOURS] [ROUNDS] [KEY=VALUE]...
//
// ROUNDS (5) of HOURS (6) simulated hours; prints events per simulated second and medians of the
// processor time for a simulated day.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/bench/scenario_run.h"

int main(int argc, char** argv) {
  const int hours = argc > 1 ? std::atoi(argv[1]) : 6;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  if (hours < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: quiet [HOURS] [ROUNDS] [KEY=VALUE]...\n");
    return 2;
  }
  std::vector<std::string> overrides{"run.duration=" + std::to_string(hours) + "h"};
  for (int i = 3; i < argc; ++i) overrides.emplace_back(argv[i]);
  photon::bench::print_load("before");
  photon::bench::RunCosts costs;
  for (int round = 0; round < rounds; ++round) {
    const auto cost = photon::bench::cost_of_run("tests/bench/quiet.toml", overrides);
    if (!cost) return 1;
    costs.add(*cost);
  }
  const auto events = static_cast<double>(costs.figures().events);
  const double seconds = costs.figures().sim_seconds;
  std::printf(
      "%.1f events a simulated second; a day takes %.2f s of user time and %.2f of system "
      "time, %.0f ns an event; peak %.0f MiB\n",
      events / seconds, costs.user_seconds() * 86400 / seconds,
      costs.system_seconds() * 86400 / seconds, 1e9 * costs.user_seconds() / events,
      costs.peak_megabytes());
  photon::bench::print_load("after");
  return 0;
}
