// The registry alone, one shard of five replicas with all oracles on (registry.toml).
//
//   registry [ROUNDS] [KEY=VALUE]...
//
// ROUNDS (5); prints commits and operations per second of user time, and the medians of the cost of
// each.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/bench/scenario_run.h"

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  if (rounds < 1) {
    std::fprintf(stderr, "usage: registry [ROUNDS] [KEY=VALUE]...\n");
    return 2;
  }
  std::vector<std::string> overrides;
  for (int i = 2; i < argc; ++i) overrides.emplace_back(argv[i]);
  photon::bench::print_load("before");
  photon::bench::RunCosts costs;
  for (int round = 0; round < rounds; ++round) {
    const auto cost = photon::bench::cost_of_run("tests/bench/registry.toml", overrides);
    if (!cost) return 1;
    costs.add(*cost);
  }
  const auto commits = static_cast<double>(costs.figures().transactions);
  const auto operations = static_cast<double>(costs.figures().operations);
  const double seconds = costs.user_seconds();
  std::printf("commits:    %9.0f a second of user time, %7.1f us each, %.1f operations each\n",
              commits / seconds, 1e6 * seconds / commits, operations / commits);
  std::printf(
      "operations: %9.0f a second of user time, %7.1f us each, %.1f events each; peak %.0f "
      "MiB\n",
      operations / seconds, 1e6 * seconds / operations,
      static_cast<double>(costs.figures().events) / operations, costs.peak_megabytes());
  photon::bench::print_load("after");
  return 0;
}
