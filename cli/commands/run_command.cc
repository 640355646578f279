#include <chrono>
#include <new>
#include <string>

#include <sys/resource.h>

#include "analysis/reports/summary.h"
#include "campaigns/pool/child_process.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/run_files.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/gates.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/progress.h"
#include "cli/commands/version.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/predicted_figures.h"
#include "scenarios/language/scale.h"
#include "scenarios/world/baseline_run.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
using campaigns::kTwiceWord;
using campaigns::replay_line;
using campaigns::verdict_of;
using campaigns::violations_line;

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

class RunReport final : public ProgressReport {
 public:
  using ProgressReport::ProgressReport;
  void on_warnings(const std::vector<std::string>& warnings) override { warn(warnings); }
};

void explain_failure(const RunCommand& command, const scenarios::RunOutcome& outcome,
                     const std::string& replay) {
  if (const std::string ended = campaigns::early_end_line(outcome); !ended.empty()) complain(ended);
  if (outcome.is_complete()) {  // what a run that was cut off would have done is unknown
    for (const auto& each : campaigns::shortfalls(outcome.summary, outcome.expectations)) {
      complain(each);
    }
  } else if (!command.results.empty()) {
    complain("--out " + command.results + ": the run did not end, so nothing of it was kept");
  }
  // The text form already lists them.
  if (command.form == OutputForm::json && !outcome.summary.violations.empty()) {
    complain(violations_line(outcome.summary));
  }
  say("replay: " + replay + "\n");
}

// A message for each gate of --expect that the run does not meet.
std::vector<std::string> missed_gates(const RunCommand& command,
                                      const scenarios::RunOutcome& outcome) {
  std::vector<std::string> list;
  if (command.expected.empty()) return list;
  const analysis::RunRecord run = analysis::run_record_of(outcome.summary, outcome.histograms);
  for (const campaigns::Condition& gate : campaigns::parse_gates(command.expected).list) {
    std::string miss = campaigns::miss_of(gate, run);
    if (!miss.empty()) list.push_back(std::move(miss));
  }
  return list;
}

void add_baseline(const scenarios::Config& config, analysis::Summary& summary) {
  RunReport progress(config.scenario.name + " without faults");
  const std::string none =
      scenarios::run_baseline(config, config.run.seed, nullptr, &progress, summary);
  if (!none.empty()) say("--baseline: " + none + ", so there is nothing to compare\n");
}

auto simulate(const RunCommand& command, const scenarios::Config& config,
              photon::trace::Sink* trace) {
  RunReport progress(config.scenario.name);
  scenarios::RunRequest request{&config, config.run.seed, trace, &progress};
  request.workers = command.workers;
  request.pairs =
      !command.results.empty() && config.workload.kind == scenarios::WorkloadKind::kTrace;
  return scenarios::run_scenario(request);
}

int run_unlimited(const RunCommand& command, const scenarios::Config& config,
                  const std::string& replay) {
  watch_interrupts();  // from here on an interrupt must clean up files
  campaigns::RunFiles files;
  const int opened =
      files.open({command.results, command.trace},
                 {command.scenario, command.overrides, model_version(), version_text()}, config);
  if (opened != kOk) {
    complain(files.error());
    return opened;
  }

  const auto began = std::chrono::steady_clock::now();
  const double worked = campaigns::processor_seconds();
  auto finished = simulate(command, config, files.trace());
  if (!finished) {
    complain_of(finished.assume_error());
    return kUsage;
  }
  scenarios::RunOutcome& outcome = finished.assume_value();
  const auto wall = std::chrono::steady_clock::now() - began;
  const double took = campaigns::processor_seconds() - worked;
  std::string differs;
  if (command.twice && !outcome.interrupted) {
    differs =
        campaigns::rerun_difference(config, campaigns::seen_of(outcome), campaigns::kUsualMemory);
  }
  outcome.summary.wall_seconds = std::chrono::duration<double>(wall).count();
  outcome.summary.peak_rss_bytes = peak_rss_bytes();

  int verdict = verdict_of(outcome);
  if (!differs.empty()) {
    verdict = campaigns::worse_of(verdict, kNotDeterministic);
    complain(differs);
  }
  if (command.baseline && outcome.is_complete()) add_baseline(config, outcome.summary);
  outcome.summary.model_version = model_version();
  outcome.summary.overrides = command.overrides;
  outcome.summary.exit_code = verdict;
  if (outcome.is_complete()) scenarios::compare_with_theory(config, outcome.summary);
  scenarios::put_scale(config, outcome.summary);
  if (verdict == kInterrupted) {
    complain("interrupted; nothing of this run was kept");
    return interrupt_exit_code();
  }
  if (!outcome.is_complete()) {
    explain_failure(command, outcome, replay);
    return verdict;
  }
  outcome.summary.missed_gates = missed_gates(command, outcome);
  const bool missed = !outcome.summary.missed_gates.empty();
  if (verdict == kOk && missed) outcome.summary.exit_code = kGateMissed;
  if (const int saved = files.save(config, outcome, took); saved != kOk) {
    complain(files.error());
    return saved;
  }
  if (verdict != kOk) explain_failure(command, outcome, replay);
  if (const std::string damage = campaigns::damage_line(outcome); !damage.empty())
    say(damage + "\n");
  for (const std::string& each : outcome.summary.missed_gates) complain("--expect " + each);
  const int code = outcome.summary.exit_code;
  const std::string text = command.form == OutputForm::json
                               ? analysis::to_json(outcome.summary) + "\n"
                               : analysis::to_text(outcome.summary);
  return print_and_exit_with(text, code);
}

// Uses the command's memory limit. `replay`: the command that reproduces the run.
int run_once(const RunCommand& command, const scenarios::Config& config,
             const std::string& replay) {
  if (command.memory) campaigns::limit_memory(*command.memory);
  try {
    return run_unlimited(command, config, replay);
  } catch (const std::bad_alloc&) {
    complain(campaigns::out_of_memory(command.memory));
    return kEnvironment;
  }
}

}  // namespace

int run(const RunCommand& command) {
  if (const auto gates = campaigns::parse_gates(command.expected); !gates.problem.empty()) {
    complain("--expect: " + gates.problem);
    return kUsage;
  }
  const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
  if (!loaded) {
    say(scenarios::format(loaded.diagnostics()));
    return kUsage;
  }
  say(scenarios::format(loaded.warnings()));
  scenarios::Config config = loaded.config();
  config.run.seed = command.seed.value_or(config.run.seed);
  return run_once(command, config,
                  replay_line(command.scenario, command.overrides, config.run.seed) +
                      (command.twice ? kTwiceWord : ""));
}

int repro(const ReproCommand& command) {
  if (!command.scenario.empty()) {
    RunCommand again = command.run;
    again.scenario = command.scenario;
    return run(again);
  }
  const SwarmCommand& swarm = command.swarm;
  return run_once(command.run, scenarios::swarm::scenario(swarm.options, swarm.seed),
                  campaigns::swarm_replay_line(swarm.options, swarm.seed) +
                      (command.run.twice ? kTwiceWord : ""));
}

}  // namespace photonsim::cli
