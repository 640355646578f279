// The whole stack at a steady load with all oracles on (stack.toml), at each of several rates.
//
//   stack [--rounds N] [--seconds N] [--rates N,N,...] [--set KEY=VALUE]...
//
// N interleaved rounds (5) of N simulated seconds of clicks (15) at 1,000, 5,333 and 16,667 clicks
// a second. Prints medians. Fails if a click takes more than 1.1 join requests on average: below
// that the cost is that of joining, above it that of retries.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/bench/scenario_run.h"

namespace {

using photon::bench::RunCosts;
using photon::bench::RunFigures;

constexpr double kRequestsMost = 1.1;

struct Arguments {
  int rounds = 5;
  std::uint64_t seconds = 15;
  std::vector<std::uint64_t> rates{1'000, 5'333, 16'667};
  std::vector<std::string> overrides{};
};

bool parse(int argc, char** argv, Arguments& arguments) {
  if (argc % 2 == 0) return false;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--rounds") {
      arguments.rounds = std::atoi(value.c_str());
    } else if (name == "--seconds") {
      arguments.seconds = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--rates") {
      arguments.rates.clear();
      std::istringstream list(value);
      for (std::string rate; std::getline(list, rate, ',');) {
        arguments.rates.push_back(std::strtoull(rate.c_str(), nullptr, 10));
      }
    } else if (name == "--set") {
      arguments.overrides.push_back(value);
    } else {
      return false;
    }
  }
  return arguments.rounds > 0 && arguments.seconds > 5 && !arguments.rates.empty();
}

double requests_a_click(const RunFigures& figures) {
  return static_cast<double>(figures.join_requests) / static_cast<double>(figures.clicks);
}

bool measure_rate(const Arguments& arguments, std::uint64_t rate, RunCosts& costs) {
  std::vector<std::string> overrides = arguments.overrides;
  overrides.push_back("run.duration=" + std::to_string(arguments.seconds) + "s");
  overrides.push_back("workload.synthetic.clicks=" + std::to_string(arguments.seconds * rate));
  const auto cost = photon::bench::cost_of_run("tests/bench/stack.toml", overrides);
  if (!cost) return false;
  costs.add(*cost);
  if (requests_a_click(cost->figures) <= kRequestsMost) return true;
  std::fprintf(stderr,
               "stack: %.3f join requests a click at %llu/s, at most %.1f: it measures "
               "retries; raise the limits of stack.toml\n",
               requests_a_click(cost->figures), static_cast<unsigned long long>(rate),
               kRequestsMost);
  return false;
}

void print_rate(std::uint64_t rate, std::uint64_t seconds, const RunCosts& costs) {
  const RunFigures& figures = costs.figures();
  const auto clicks = static_cast<double>(figures.clicks);
  const double total = costs.user_seconds() + costs.system_seconds();
  std::printf("%8llu %9llu %9.1f %9.1f %9.1f %9.0f %10.2f %9.3f %9.0f %9.1f\n",
              static_cast<unsigned long long>(rate),
              static_cast<unsigned long long>(figures.clicks), 1e6 * costs.user_seconds() / clicks,
              1e6 * total / clicks, static_cast<double>(figures.events) / clicks,
              1e9 * costs.user_seconds() / static_cast<double>(figures.events),
              static_cast<double>(seconds) / costs.user_seconds(), requests_a_click(figures),
              costs.peak_megabytes(), 1e3 * costs.peak_megabytes() / clicks * 1.048576);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: stack [--rounds N] [--seconds N > 5] [--rates N,N,...] "
                 "[--set KEY=VALUE]...\n");
    return 2;
  }
  photon::bench::print_load("before");
  std::vector<RunCosts> costs(arguments.rates.size());
  for (int round = 0; round < arguments.rounds; ++round) {
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (!measure_rate(arguments, arguments.rates[i], costs[i])) return 1;
    }
  }
  std::printf("%8s %9s %9s %9s %9s %9s %10s %9s %9s %9s\n", "clicks/s", "clicks", "us/click",
              "with sys", "events", "ns/event", "sim s/s", "requests", "peak MiB", "kB/click");
  for (std::size_t i = 0; i < costs.size(); ++i) {
    print_rate(arguments.rates[i], arguments.seconds, costs[i]);
  }
  photon::bench::print_load("after");
  return 0;
}
