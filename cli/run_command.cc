#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <generated/model_version.h>
#include <sys/resource.h>

#include "analysis/result_store.h"
#include "analysis/trace_file.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// The one command that shows the same run again.
std::string replay_line(const RunCommand& command, std::uint64_t seed) {
  std::string line = "photonsim run " + command.scenario;
  for (const std::string& each : command.overrides) line += " --set '" + each + "'";
  return line + " --seed " + std::to_string(seed);
}

int verdict_of(const scenarios::RunOutcome& outcome) {
  if (outcome.interrupted) return kInterrupted;
  if (outcome.failed_check) return kInternal;
  if (outcome.safety_violations > 0) return kSafetyViolation;
  if (outcome.liveness_violations > 0) return kLivenessViolation;
  if (!outcome.inert_faults.empty()) return kInertFault;
  return kOk;
}

void explain_failure(const scenarios::RunOutcome& outcome, const std::string& replay) {
  if (outcome.failed_check) complain("a check of the code failed: " + outcome.failed_check->text);
  for (const std::string& each : outcome.inert_faults) {
    complain("this fault had no effect: " + each +
             "; move it to where it can bite, or take it out of the scenario");
  }
  fmt::print(stderr, "replay: {}\n", replay);
}

// Everything that must be known to be writable before hours of work are put in.
struct Outputs {
  std::optional<analysis::ResultStore> results{};
  std::unique_ptr<analysis::TraceWriter> trace{};
};

// False if something cannot be written; it has been said.
bool open_outputs(const RunCommand& command, const scenarios::Config& config, std::uint64_t seed,
                  Outputs& outputs) {
  if (!command.results.empty()) {
    auto opened = analysis::ResultStore::open(command.results);
    if (!opened) {
      complain(opened.assume_error().message());
      return false;
    }
    outputs.results.emplace(std::move(opened).assume_value());
  }
  if (!command.trace.empty()) {
    analysis::TraceHead head;
    head.scenario = config.scenario.name;
    head.resolved_scenario = scenarios::to_toml(config);
    head.model_version = kModelVersion;
    head.seed = seed;
    head.judge = scenarios::judge_config_of(config);
    auto created = analysis::TraceWriter::create(command.trace, head);
    if (!created) {
      complain(created.assume_error().message());
      return false;
    }
    outputs.trace = std::move(created).assume_value();
  }
  return true;
}

bool save(const scenarios::Config& config, const scenarios::RunOutcome& outcome, Outputs& outputs) {
  if (outputs.trace) {
    const auto finished = outputs.trace->finish();
    if (!finished) {
      complain(finished.assume_error().message());
      return false;
    }
  }
  if (!outputs.results) return true;
  analysis::RunResult result;
  result.resolved_scenario = scenarios::to_toml(config);
  result.model_version = kModelVersion;
  result.summary = outcome.summary;
  result.histograms = outcome.histograms;
  result.faults = outcome.faults;
  result.checkpoints = outcome.checkpoints;
  result.manifest = {{"program", "photonsim"}, {"compiler", __VERSION__}};
  const auto saved = outputs.results->save(result);
  if (!saved) complain(saved.assume_error().message());
  return saved.has_value();
}

}  // namespace

int run(const RunCommand& command) {
  const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
  if (!loaded) {
    fmt::print(stderr, "{}", scenarios::format(loaded.diagnostics()));
    return kUsage;
  }
  scenarios::Config config = loaded.config();
  config.run.seed = command.seed.value_or(config.run.seed);
  Outputs outputs;
  if (!open_outputs(command, config, config.run.seed, outputs)) return kEnvironment;

  watch_interrupts();
  const auto began = std::chrono::steady_clock::now();
  auto finished = [&] {
    ProgressReport progress(config.scenario.name);
    return scenarios::run_scenario({&config, config.run.seed, outputs.trace.get(), &progress});
  }();
  if (!finished) {
    for (const auto& fault : finished.assume_error()) complain(fault.text());
    return kUsage;
  }
  scenarios::RunOutcome& outcome = finished.assume_value();
  const auto wall = std::chrono::steady_clock::now() - began;
  outcome.summary.wall_seconds = std::chrono::duration<double>(wall).count();
  outcome.summary.peak_rss_bytes = peak_rss_bytes();

  const int verdict = verdict_of(outcome);
  const std::string replay = replay_line(command, config.run.seed);
  if (verdict == kInterrupted) {
    complain("interrupted; nothing of this run was kept");
    return verdict;
  }
  if (verdict == kInternal) {
    explain_failure(outcome, replay);
    return verdict;
  }
  if (!save(config, outcome, outputs)) return kEnvironment;
  if (verdict != kOk) explain_failure(outcome, replay);
  const std::string text = command.form == OutputForm::json
                               ? analysis::to_json(outcome.summary) + "\n"
                               : analysis::to_text(outcome.summary);
  return print_and_exit_with(text, verdict);
}

}  // namespace photonsim::cli
