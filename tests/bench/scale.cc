// What size costs: the kernel with 10 to 5,000 processes and 1,000 to 100,000 pending events, and a
// deployment of 1,000 shards and 2,000 workers (scale.toml).
//
//   scale [ROUNDS] [KEY=VALUE]...
//
// The kernel runs PHOLD in ROUNDS (9) interleaved rounds of 500,000 events; prints the median of
// user time an event, and the median of its ratio to the least of a round. ROUNDS = 0 leaves it
// out. The deployment runs once, with these keys set.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/bench/measure.h"
#include "tests/bench/peers/measured_run.h"
#include "tests/bench/peers/models.h"
#include "tests/bench/peers/photonsim_peer.h"
#include "tests/bench/scenario_run.h"

namespace {

using namespace photon::bench;

constexpr std::uint64_t kEvents = 500'000;

struct Size {
  std::uint32_t processes = 0;
  std::uint32_t pending = 0;
  double (*nanoseconds)(std::uint32_t pending) = nullptr;  // an event
  std::vector<double> times{};
  std::vector<double> ratios{};
};

template <std::uint32_t Processes>
double nanoseconds(std::uint32_t pending) {
  PhotonsimPeer<PholdOf<Processes>> simulator(pending);
  return 1e9 * measure_run(simulator, {pending, kEvents}).seconds / kEvents;
}

void measure_kernel(std::vector<Size> sizes, const char* what, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> times;
    for (const Size& size : sizes) times.push_back(size.nanoseconds(size.pending));
    const double least = *std::ranges::min_element(times);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sizes[i].times.push_back(times[i]);
      sizes[i].ratios.push_back(times[i] / least);
    }
  }
  for (const Size& size : sizes) {
    std::printf("%-9s %6u processes, %7u pending: %6.1f ns an event, ratio %.2f\n", what,
                size.processes, size.pending, median(size.times), median(size.ratios));
  }
}

bool measure_deployment(const std::vector<std::string>& keys) {
  const auto cost = cost_of_run("tests/bench/scale.toml", keys);
  if (!cost) return false;
  const auto events = static_cast<double>(cost->figures.events);
  std::printf(
      "scale.toml: %llu clicks joined, %.1f M events in %.1f simulated seconds; %.1f s of "
      "user time, %.1f of system time, %.0f ns an event; peak %.0f MiB\n",
      static_cast<unsigned long long>(cost->figures.joined), events / 1e6,
      cost->figures.sim_seconds, cost->user_seconds, cost->system_seconds,
      1e9 * cost->user_seconds / events, cost->peak_megabytes);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 9;
  if (rounds < 0) {
    std::fprintf(stderr, "usage: scale [ROUNDS] [KEY=VALUE]...\n");
    return 2;
  }
  std::vector<std::string> keys;
  for (int i = 2; i < argc; ++i) keys.emplace_back(argv[i]);
  print_load("before");
  if (rounds > 0) {
    measure_kernel({{10, 16'384, nanoseconds<10>},
                    {100, 16'384, nanoseconds<100>},
                    {1'000, 16'384, nanoseconds<1'000>},
                    {5'000, 16'384, nanoseconds<5'000>}},
                   "processes", rounds);
    measure_kernel({{1'024, 1'000, nanoseconds<1'024>},
                    {1'024, 10'000, nanoseconds<1'024>},
                    {1'024, 100'000, nanoseconds<1'024>}},
                   "pending", rounds);
  }
  const bool done = measure_deployment(keys);
  print_load("after");
  return done ? 0 : 1;
}
