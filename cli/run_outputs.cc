#include "cli/run_outputs.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <generated/model_version.h>
#include <sys/stat.h>
#include <unistd.h>

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

// A new empty file beside `target`; its name is nobody else's. Empty if there can be none.
std::string make_draft(const std::string& target) {
  std::string name = target + ".part-XXXXXX";
  const int file = ::mkstemp(name.data());
  if (file < 0) return {};
  // Whoever may read what this user writes may read the results.
  const mode_t hidden = ::umask(0);
  ::umask(hidden);
  ::fchmod(file, 0666 & ~hidden);
  ::close(file);
  return name;
}

void remove_draft(const std::string& draft) {
  if (draft.empty()) return;
  for (const std::string_view companion : kCompanions) {
    std::error_code error;
    fs::remove(draft + std::string(companion), error);
  }
}

// The store in `file`. Otherwise says why there is none, in terms of the `wanted` file.
std::optional<analysis::ResultStore> opened(const std::string& file, const std::string& wanted) {
  auto store = analysis::ResultStore::open(file);
  if (store) return std::move(store).assume_value();
  analysis::FileError error = std::move(store).assume_error();
  error.file = wanted;
  complain(error.message());
  return std::nullopt;
}

bool saved(analysis::ResultStore& store, const analysis::RunResult& result) {
  const auto done = store.save(result);
  if (!done) complain(done.assume_error().message());
  return done.has_value();
}

}  // namespace

RunOutputs::~RunOutputs() {
  results_.reset();
  remove_draft(draft_);
}

int RunOutputs::open(const RunCommand& command, const scenarios::Config& config) {
  if (!apart(command, config)) return kUsage;
  if (!command.results.empty()) {
    target_ = analysis::target_of(command.results);
    std::error_code error;
    if (!fs::exists(target_, error)) draft_ = make_draft(target_);
    results_ = opened(draft_.empty() ? command.results : draft_, command.results);
    if (!results_) return kEnvironment;
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
  if (!saved(*results_, result)) return kEnvironment;
  return draft_.empty() || publish(result) ? kOk : kEnvironment;
}

bool RunOutputs::publish(const analysis::RunResult& result) {
  results_.reset();  // what SQLite keeps beside the draft is in the draft now
  if (::link(draft_.c_str(), target_.c_str()) == 0) return true;
  if (errno != EEXIST) {
    complain(target_ + ": it cannot be written (" + std::strerror(errno) +
             "); choose another file with --out");
    return false;
  }
  // Another program has made it meanwhile: this run goes beside that program's.
  results_ = opened(target_, target_);
  return results_ && saved(*results_, result);
}

}  // namespace photonsim::cli
