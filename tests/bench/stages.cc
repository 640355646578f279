// Stages of a run on cores of their own: their gain, and that nothing but time depends on them.
//
//   stages [--rounds N] [--set KEY=VALUE]...     stack.toml with 1 and 2 workers, interleaved
//   stages --same FIRST LAST                     generated configurations of these seeds
//
// The first form prints medians of N rounds (5) of wall time and of processor time. The second runs
// every configuration with 1, 2 and 4 workers, and fails at the first whose result, fingerprint or
// marks differ; failing runs count like others.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/summary.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/bench/measure.h"

namespace {

namespace bench = photon::bench;
namespace scenarios = photonsim::scenarios;

int usage() {
  std::fprintf(stderr, "usage: stages [--rounds N] [--set KEY=VALUE]... | --same FIRST LAST\n");
  return 2;
}

// All that a run says, or why it said nothing.
std::string result_of(const scenarios::Config& config, unsigned workers) {
  scenarios::RunRequest request{&config, config.run.seed};
  request.workers = workers;
  const auto finished = scenarios::run_scenario(request);
  if (!finished) return "refused";
  const scenarios::RunOutcome& outcome = finished.assume_value();
  std::string text = photon::analysis::to_json(outcome.summary) + outcome.over_limit;
  if (outcome.failed_check) text += outcome.failed_check->text;
  for (const auto& [mark, hits] : outcome.marks) text += fmt::format(" {}:{}", mark, hits);
  return text;
}

int same(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const scenarios::Config config = scenarios::swarm::scenario({}, seed);
    const std::string alone = result_of(config, 1);
    for (const unsigned workers : {2U, 4U}) {
      if (result_of(config, workers) == alone) continue;
      fmt::print(stderr, "stages: the configuration of seed {} differs with {} workers\n", seed,
                 workers);
      return 1;
    }
  }
  fmt::print("{} configurations: the same with 1, 2 and 4 workers\n", last - first + 1);
  return 0;
}

struct Times {
  std::vector<double> wall;
  std::vector<double> user;
};

int gain(int rounds, const std::vector<std::string>& overrides) {
  const auto loaded = scenarios::load("tests/bench/stack.toml", overrides);
  if (!loaded) {
    std::fputs(scenarios::format(loaded.diagnostics()).c_str(), stderr);
    return 2;
  }
  bench::print_load("before");
  Times times[2];
  for (int round = 0; round < rounds; ++round) {
    for (unsigned workers = 1; workers <= 2; ++workers) {
      const auto began = std::chrono::steady_clock::now();
      const double worked = bench::user_seconds();
      result_of(loaded.config(), workers);
      const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
      times[workers - 1].wall.push_back(wall.count());
      times[workers - 1].user.push_back(bench::user_seconds() - worked);
    }
  }
  const double one = bench::median(times[0].wall);
  const double two = bench::median(times[1].wall);
  fmt::print(
      "1 worker:  {:.2f} s, user {:.2f} s\n2 workers: {:.2f} s, user {:.2f} s\ngain {:.2f}\n", one,
      bench::median(times[0].user), two, bench::median(times[1].user), one / two);
  bench::print_load("after");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "--same") {
    return same(std::strtoull(words[1].c_str(), nullptr, 10),
                std::strtoull(words[2].c_str(), nullptr, 10));
  }
  int rounds = 5;
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return usage();
    if (words[i] == "--rounds") {
      rounds = std::atoi(words[i + 1].c_str());
    } else if (words[i] == "--set") {
      overrides.push_back(words[i + 1]);
    } else {
      return usage();
    }
  }
  return rounds > 0 ? gain(rounds, overrides) : usage();
}
