#include "cli/run_outputs.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <generated/model_version.h>

#include "cli/exit_codes.h"
#include "cli/files.h"
#include "cli/output.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
namespace fs = std::filesystem;

// What SQLite keeps beside a database.
constexpr std::string_view kCompanions[] = {"", "-wal", "-shm", "-journal"};

// Says so and returns false if `file`, the value of `option`, is one that the run reads.
bool no_input(const RunCommand& command, const scenarios::Config& config, const std::string& option,
              const std::string& file) {
  std::vector<std::string> inputs{command.scenario};
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    inputs.push_back(config.workload.primary.file);
    inputs.push_back(config.workload.foreign.file);
  }
  for (const std::string& input : inputs) {
    if (file.empty() || !same_file(file, input)) continue;
    complain(option + " " + file + ": the run reads this file; choose another one with " + option);
    return false;
  }
  return true;
}

// Says so and returns false if a file that the run writes is one that it reads, or if both are one.
bool apart(const RunCommand& command, const scenarios::Config& config) {
  if (!no_input(command, config, "--out", command.results) ||
      !no_input(command, config, "--trace", command.trace)) {
    return false;
  }
  if (command.results.empty() || command.trace.empty()) return true;
  for (const std::string_view companion : kCompanions) {
    const std::string results = analysis::target_of(command.results).append(companion);
    if (!same_file(results, command.trace) &&
        !same_file(results, analysis::draft_of(command.trace))) {
      continue;
    }
    complain("--out " + command.results + " and --trace " + command.trace +
             ": these would be written to one and the same file; choose another file for one");
    return false;
  }
  return true;
}

// The resolved scenario; for a trace workload with a comment that names the contents of its files,
// so that a run of other contents under the same names is another run.
std::string resolved_text(const scenarios::Config& config) {
  std::string text = scenarios::to_toml(config);
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    text += fmt::format("# contents of the trace files: {:016x} {:016x}\n",
                        config.workload.primary.digest, config.workload.foreign.digest);
  }
  return text;
}

analysis::TraceHead head_of(const scenarios::Config& config) {
  analysis::TraceHead head;
  head.scenario = config.scenario.name;
  head.resolved_scenario = resolved_text(config);
  head.model_version = kModelVersion;
  head.seed = config.run.seed;
  head.judge = scenarios::judge_config_of(config);
  return head;
}

}  // namespace

RunOutputs::~RunOutputs() {
  if (fresh_.empty()) return;
  results_.reset();
  for (const std::string_view companion : kCompanions) {
    const fs::path file = fresh_ + std::string(companion);
    std::error_code error;
    if (fs::is_regular_file(fs::symlink_status(file, error))) fs::remove(file, error);
  }
}

int RunOutputs::open(const RunCommand& command, const scenarios::Config& config) {
  if (!apart(command, config)) return kUsage;
  if (!command.results.empty()) {
    const std::string target = analysis::target_of(command.results);
    std::error_code error;
    if (!fs::exists(target, error)) fresh_ = target;
    auto opened = analysis::ResultStore::open(command.results);
    if (!opened) {
      complain(opened.assume_error().message());
      return kEnvironment;
    }
    results_.emplace(std::move(opened).assume_value());
  }
  if (!command.trace.empty()) {
    auto created = analysis::TraceWriter::create(command.trace, head_of(config));
    if (!created) {
      complain(created.assume_error().message());
      return kEnvironment;
    }
    trace_ = std::move(created).assume_value();
  }
  return kOk;
}

int RunOutputs::save(const scenarios::Config& config, const scenarios::RunOutcome& outcome) {
  if (trace_) {
    const auto finished =
        trace_->finish(analysis::trace_end_of(outcome.summary, outcome.inert_faults));
    if (!finished) {
      complain(finished.assume_error().message());
      return kEnvironment;
    }
  }
  if (!results_) return kOk;
  analysis::RunResult result;
  result.resolved_scenario = resolved_text(config);
  result.model_version = kModelVersion;
  result.summary = outcome.summary;
  result.histograms = outcome.histograms;
  result.faults = outcome.faults;
  result.checkpoints = outcome.checkpoints;
  result.manifest = {{"program", "photonsim"}, {"compiler", __VERSION__}};
  const auto saved = results_->save(result);
  if (!saved) {
    complain(saved.assume_error().message());
    return kEnvironment;
  }
  fresh_.clear();
  return kOk;
}

}  // namespace photonsim::cli
