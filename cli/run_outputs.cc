#include "cli/run_outputs.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "campaigns/runs/resolved_text.h"
#include "campaigns/runs/verdict.h"
#include "cli/exit_codes.h"
#include "cli/files.h"
#include "cli/output.h"
#include "cli/version.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
namespace fs = std::filesystem;

// Prints an error and returns false if the run reads `file`, the value of `option`.
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

// Prints an error and returns false if the run reads one of its output files, or if both
// are the same.
bool apart(const RunCommand& command, const scenarios::Config& config) {
  if (!no_input(command, config, "--out", command.results) ||
      !no_input(command, config, "--trace", command.trace)) {
    return false;
  }
  if (command.results.empty() || command.trace.empty()) return true;
  if (!of_results(command.results, command.trace)) return true;
  complain("--out " + command.results + " and --trace " + command.trace +
           ": these would be written to one and the same file; choose another file for one");
  return false;
}

// Prints the error with the file name that the user gave, and returns nothing.
std::nullopt_t refused(analysis::FileError error, const std::string& named) {
  error.file = named;
  complain(error.message());
  return std::nullopt;
}

std::optional<analysis::ResultStore> opened(const std::string& file, const std::string& named) {
  auto store = analysis::ResultStore::open(file);
  if (store) return std::move(store).assume_value();
  return refused(std::move(store).assume_error(), named);
}

}  // namespace

analysis::TraceHead trace_head(const RunCommand& command, const scenarios::Config& config) {
  analysis::TraceHead head;
  head.scenario = config.scenario.name;
  head.resolved_scenario = campaigns::resolved_text(config);
  head.model_version = model_version();
  head.config_hash = fmt::format("{:016x}", scenarios::config_hash(config));
  head.overrides = command.overrides;
  head.seed = config.run.seed;
  head.judge = scenarios::judge_config_of(config);
  head.places = scenarios::places_of(config);
  return head;
}

analysis::TraceEnd trace_end(const scenarios::RunOutcome& outcome) {
  analysis::TraceEnd end = analysis::trace_end_of(outcome.summary);
  for (const analysis::FaultRow& row : outcome.faults) {
    end.faults.push_back({row.number, row.description, row.at_nanoseconds,
                          row.until_nanoseconds.value_or(analysis::TracedFault::kNever),
                          row.effective});
  }
  return end;
}

RunOutputs::~RunOutputs() { drop_results(); }

void RunOutputs::drop_results() {
  results_.reset();
  if (draft_) remove_companions(draft_->path());
  draft_.reset();
}

bool RunOutputs::open_results() {
  std::error_code error;
  const std::string target = analysis::target_of(named_);
  const fs::file_status found = fs::status(target, error);
  if (fs::exists(found) && !fs::is_regular_file(found)) {
    complain(named_ + ": this is no plain file; choose another file with --out");
    return false;
  }
  if (!fs::exists(found)) {
    auto draft = analysis::DraftFile::create(named_);
    if (!draft) {
      complain(draft.assume_error().message());
      return false;
    }
    draft_ = std::move(draft).assume_value();
  }
  results_ = opened(draft_ ? draft_->path() : target, named_);
  return results_.has_value();
}

int RunOutputs::open(const RunCommand& command, const scenarios::Config& config) {
  if (!apart(command, config)) return kUsage;
  named_ = command.results;
  replay_ = campaigns::replay_line(command.scenario, command.overrides, config.run.seed);
  if (!named_.empty() && !open_results()) return kEnvironment;
  if (!command.trace.empty()) {
    auto created = analysis::TraceWriter::create(command.trace, trace_head(command, config));
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
    const auto finished = trace_->finish(trace_end(outcome));
    if (!finished) {
      complain(finished.assume_error().message());
      return kEnvironment;
    }
  }
  if (!results_) return kOk;
  analysis::RunResult result;
  scenarios::Config point = config;
  point.run.seed = 0;  // runs with different seeds share a point
  result.resolved_scenario = campaigns::resolved_text(point);
  result.model_version = model_version();
  result.summary = outcome.summary;
  result.record = campaigns::record_of(outcome);
  result.record->exit_code = outcome.summary.exit_code;
  result.record->replay = replay_;
  result.histograms = outcome.histograms;
  result.faults = outcome.faults;
  result.checkpoints = outcome.checkpoints;
  result.manifest = {{"program", "photonsim"}, {"compiler", __VERSION__}};
  return save_results(result) ? kOk : kEnvironment;
}

bool RunOutputs::save_results(const analysis::RunResult& result) {
  if (auto done = results_->save(result); !done) {
    refused(std::move(done).assume_error(), named_);
    return false;
  }
  if (!draft_) return true;
  // The new name does not apply to the files that SQLite keeps beside the draft.
  if (auto done = results_->gather(); !done) {
    refused(std::move(done).assume_error(), named_);
    return false;
  }
  results_.reset();
  auto published = draft_->take_free_name();
  draft_.reset();
  if (!published) {
    complain(published.assume_error().message());
    return false;
  }
  if (published.assume_value()) return true;
  // Another program has created it meanwhile: add this run to its file.
  results_ = opened(analysis::target_of(named_), named_);
  return results_ && save_results(result);
}

}  // namespace photonsim::cli
