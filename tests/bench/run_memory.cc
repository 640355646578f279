// Memory of a whole run by owner, and how it grows (docs/RESULTS.md).
//
//   run_memory [SCENARIO] [--minutes N] [--clicks N] [--judge on|off] [--set KEY=VALUE]...
//
// N minutes (4) of N clicks a minute (200,000) after one of warm-up, of scenarios/memory.toml. Once
// a simulated minute it prints the live bytes of each owner; at the end the slope of each, in bytes
// per click, over the second half of the run, so that caches are full. The registry's is that of
// the ids in every replica; its disks hold them once more, in snapshots. Growing tables double, so
// short runs see steps: the longer the better. --judge off removes the judge, which keeps tens of
// bytes per click.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/bench/owner_meter.h"

namespace {

using photon::bench::kOwners;
using photonsim::scenarios::Judging;
using photonsim::scenarios::RunObserver;
using photonsim::scenarios::StopRequest;

struct Sample {
  double minute = 0;
  std::uint64_t clicks = 0;
  std::array<std::int64_t, kOwners> live{};
  std::uint64_t disks = 0;  // of `volumes`: the contents of the replicas' disks
  std::uint64_t cells = 0;  // and the pipelines' cells
};

constexpr double kMiB = 1024.0 * 1024.0;

double difference(std::uint64_t to, std::uint64_t from) {
  return static_cast<double>(to) - static_cast<double>(from);
}

class Sampler final : public RunObserver {
 public:
  StopRequest on_progress(const Progress& progress) override {
    const double minute = progress.sim_seconds / 60;
    if (minute < next_ || progress.sim_seconds > progress.sim_seconds_planned)
      return StopRequest::go_on;
    next_ += 1;
    samples_.push_back({minute, progress.clicks, photon::bench::live_by_owner(),
                        progress.disk_bytes, progress.cell_bytes});
    print(samples_.back());
    return StopRequest::go_on;
  }

  void print_slopes() const {
    if (samples_.size() < 3) return;
    const Sample& from = samples_[samples_.size() / 2];
    const Sample& to = samples_.back();
    const auto clicks = static_cast<double>(to.clicks - from.clicks);
    std::printf("slope  B/click");
    for (std::size_t i = 0; i < kOwners; ++i) {
      std::printf(" %11.1f", static_cast<double>(to.live.at(i) - from.live.at(i)) / clicks);
    }
    std::printf(" %11.1f %11.1f", difference(to.disks, from.disks) / clicks,
                difference(to.cells, from.cells) / clicks);
    std::printf("\nfrom minute %.0f on, %.0f clicks\n", from.minute, clicks);
  }

  static void print_head() {
    std::printf("%6s %8s", "minute", "clicks");
    for (std::size_t i = 0; i < kOwners; ++i) {
      const auto name = photon::bench::name_of(static_cast<photon::bench::Owner>(i));
      std::printf(" %11.*s", static_cast<int>(name.size()), name.data());
    }
    std::printf(" %11s %11s   MiB\n", "(disks)", "(cells)");
  }

 private:
  static void print(const Sample& sample) {
    std::printf("%6.0f %8llu", sample.minute, static_cast<unsigned long long>(sample.clicks));
    for (const std::int64_t bytes : sample.live) {
      std::printf(" %11.2f", static_cast<double>(bytes) / kMiB);
    }
    std::printf(" %11.2f %11.2f\n", static_cast<double>(sample.disks) / kMiB,
                static_cast<double>(sample.cells) / kMiB);
    std::fflush(stdout);
  }

  double next_ = 1;
  std::vector<Sample> samples_;
};

struct Arguments {
  std::string scenario = "scenarios/memory.toml";
  std::uint64_t minutes = 4;
  std::uint64_t clicks = 200'000;
  Judging judging = Judging::full;
  std::vector<std::string> overrides{};
};

Arguments arguments_of(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--minutes") arguments.minutes = std::strtoull(value.c_str(), nullptr, 10);
    if (name == "--clicks") arguments.clicks = std::strtoull(value.c_str(), nullptr, 10);
    if (name == "--judge" && value == "off") arguments.judging = Judging::none;
    if (name == "--set") arguments.overrides.push_back(value);
    if (name.starts_with("--")) {
      ++i;
    } else {
      arguments.scenario = name;
    }
  }
  arguments.overrides.push_back("run.warm_up=1min");
  arguments.overrides.push_back("run.duration=" + std::to_string(arguments.minutes + 1) + "min");
  arguments.overrides.push_back("workload.synthetic.clicks=" +
                                std::to_string(arguments.minutes * arguments.clicks));
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = arguments_of(argc, argv);
  const auto loaded = photonsim::scenarios::load(arguments.scenario, arguments.overrides);
  if (!loaded) {
    std::fputs(photonsim::scenarios::format(loaded.diagnostics()).c_str(), stderr);
    return 2;
  }
  Sampler sampler;
  Sampler::print_head();
  const auto outcome = photonsim::scenarios::run_scenario(
      {&loaded.config(), 1, nullptr, &sampler, arguments.judging});
  if (!outcome || !outcome.assume_value().is_complete()) {
    std::fputs("the run failed; photonsim run gives the reason\n", stderr);
    return 1;
  }
  sampler.print_slopes();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto& result = outcome.assume_value();
  const std::uint64_t violations = result.safety_violations + result.liveness_violations;
  std::printf("peak of the process %.0f MiB; %llu events; ",
              static_cast<double>(usage.ru_maxrss) / 1024,
              static_cast<unsigned long long>(result.summary.events));
  if (arguments.judging == Judging::full) {
    std::printf("%llu violations\n", static_cast<unsigned long long>(violations));
  } else {
    std::printf("not judged\n");
  }
  return 0;
}
