// The quickstart as a benchmark: events per second, events per click, clicks per second, memory,
// and the allocations between 50 % and 90 % of generation.
//
//   quickstart [SCENARIO] [--seed N]     one run per call; repeat it and take the median
//
// Counting replaces operator new for this program only. Recycled blocks are not counted, so the
// figure is what the operating system's allocator receives: growth of tables.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include <sys/resource.h>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"

namespace {

std::uint64_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }

namespace {

using photonsim::scenarios::RunObserver;
using photonsim::scenarios::StopRequest;

// Notes the counts at 50 % and at 90 % of generation.
class Window final : public RunObserver {
 public:
  StopRequest on_progress(const Progress& progress) override {
    const double share = progress.sim_seconds / progress.sim_seconds_planned;
    if (share <= 0.5) begin_ = {allocations, progress.events};
    if (share <= 0.9) end_ = {allocations, progress.events};
    return StopRequest::go_on;
  }
  std::uint64_t allocated() const { return end_.allocations - begin_.allocations; }
  std::uint64_t events() const { return end_.events - begin_.events; }

 private:
  struct Mark {
    std::uint64_t allocations = 0;
    std::uint64_t events = 0;
  };
  Mark begin_;
  Mark end_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string scenario = "scenarios/quickstart.toml";
  std::uint64_t seed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      scenario = argument;
    }
  }
  const auto loaded = photonsim::scenarios::load(scenario);
  if (!loaded) {
    std::fputs(photonsim::scenarios::format(loaded.diagnostics()).c_str(), stderr);
    return 2;
  }
  Window window;
  const auto began = std::chrono::steady_clock::now();
  const auto outcome =
      photonsim::scenarios::run_scenario({&loaded.config(), seed, nullptr, &window});
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  if (!outcome || !outcome.assume_value().is_complete()) {
    std::fputs("the run failed; photonsim run gives the reason\n", stderr);
    return 1;
  }
  const auto& summary = outcome.assume_value().summary;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto events = static_cast<double>(summary.events);
  const auto clicks = static_cast<double>(summary.generated);
  std::printf("wall %.2f s  events %.3f M/s  events per click %.1f  clicks %.0f /s  peak %.0f MB\n",
              wall.count(), events / wall.count() / 1e6, events / clicks, clicks / wall.count(),
              static_cast<double>(usage.ru_maxrss) / 1024);
  std::printf("allocations between 50 %% and 90 %%: %llu in %llu events, %.5f per event\n",
              static_cast<unsigned long long>(window.allocated()),
              static_cast<unsigned long long>(window.events()),
              static_cast<double>(window.allocated()) / static_cast<double>(window.events()));
  return 0;
}
