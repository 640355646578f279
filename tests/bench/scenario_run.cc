#include "tests/bench/scenario_run.h"

#include <cstdio>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/bench/measure.h"

namespace photon::bench {
namespace {

RunFigures figures_of(const analysis::Summary& summary) {
  RunFigures figures;
  figures.events = summary.events;
  figures.clicks = summary.generated;
  figures.joined = summary.joined;
  figures.join_requests = summary.work.join_requests;
  figures.log_lookups = summary.work.query_log_lookups;
  figures.operations = summary.load.operations;
  figures.transactions = summary.registry.transactions;
  figures.violations = summary.violations_total;
  figures.sim_seconds = summary.sim_seconds;
  return figures;
}

// In the run's process; its exit code.
int run_and_send(const std::string& scenario, const std::vector<std::string>& overrides, int to) {
  const auto loaded = photonsim::scenarios::load(scenario, overrides);
  if (!loaded) {
    std::fputs(photonsim::scenarios::format(loaded.diagnostics()).c_str(), stderr);
    return 2;
  }
  const auto outcome = photonsim::scenarios::run_scenario({&loaded.config(), 1});
  if (!outcome || !outcome.assume_value().is_complete()) {
    std::fprintf(stderr, "the run of %s failed; photonsim run gives the reason\n",
                 scenario.c_str());
    return 1;
  }
  const RunFigures figures = figures_of(outcome.assume_value().summary);
  return write(to, &figures, sizeof figures) == sizeof figures ? 0 : 1;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

std::optional<RunCost> cost_of_run(const std::string& scenario,
                                   const std::vector<std::string>& overrides) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(run_and_send(scenario, overrides, ends[1]));
  close(ends[1]);
  RunCost cost;
  const bool complete = read(ends[0], &cost.figures, sizeof cost.figures) == sizeof cost.figures;
  close(ends[0]);
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0 || !complete) {
    return std::nullopt;
  }
  if (cost.figures.violations > 0) {
    std::fprintf(stderr, "the run of %s has violations\n", scenario.c_str());
    return std::nullopt;
  }
  cost.user_seconds = bench::user_seconds(usage);
  cost.system_seconds = seconds_of(usage.ru_stime);
  cost.peak_megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return cost;
}

void RunCosts::add(const RunCost& cost) {
  figures_ = cost.figures;
  user_.push_back(cost.user_seconds);
  system_.push_back(cost.system_seconds);
  peaks_.push_back(cost.peak_megabytes);
}

double RunCosts::user_seconds() const { return median(user_); }
double RunCosts::system_seconds() const { return median(system_); }
double RunCosts::peak_megabytes() const { return median(peaks_); }

}  // namespace photon::bench
