#include "cli/run_outputs.h"

#include <filesystem>
#include <system_error>

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

// Says so and returns false if one of the files that the run writes is another one's, or an input.
bool apart(const RunCommand& command) {
  for (const auto& [option, file] : {std::pair("--out", &command.results),
                                     std::pair("--trace", &command.trace)}) {
    if (file->empty() || !same_file(*file, command.scenario)) continue;
    complain(std::string(option) + " " + *file +
             ": this is the scenario itself; choose another file with " + option);
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

analysis::TraceHead head_of(const scenarios::Config& config) {
  analysis::TraceHead head;
  head.scenario = config.scenario.name;
  head.resolved_scenario = scenarios::to_toml(config);
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
  if (!apart(command)) return kUsage;
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
  result.resolved_scenario = scenarios::to_toml(config);
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
