#include "campaigns/runs/run_files.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/results/file_names.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/points.h"
#include "campaigns/runs/resolved_text.h"
#include "campaigns/runs/verdict.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;
namespace fs = std::filesystem;

analysis::TraceHead trace_head(const RunOrigin& origin, const scenarios::Config& config) {
  analysis::TraceHead head;
  head.scenario = config.scenario.name;
  head.resolved_scenario = resolved_text(config);
  head.model_version = origin.model_version;
  head.config_hash = fmt::format("{:016x}", scenarios::config_hash(config));
  head.overrides = origin.overrides;
  head.seed = config.run.seed;
  head.judge = scenarios::judge_config_of(config);
  head.places = scenarios::places_of(config);
  return head;
}

analysis::TraceEnd trace_end(const scenarios::RunOutcome& outcome) {
  return analysis::trace_end_of(outcome.summary);
}

RunFiles::~RunFiles() { drop_results(); }

bool RunFiles::refuse(std::string reason) {
  error_ = std::move(reason);
  return false;
}

bool RunFiles::refuse_results(analysis::FileError error) {
  error.file = named_;
  return refuse(error.message());
}

bool RunFiles::is_no_input(const std::string& option, const std::string& file,
                           const scenarios::Config& config) {
  std::vector<std::string> inputs{origin_.scenario};
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    for (const auto* files : {&config.workload.primary.files, &config.workload.foreign.files}) {
      inputs.insert(inputs.end(), files->begin(), files->end());
    }
  }
  for (const std::string& input : inputs) {
    if (file.empty() || !analysis::same_file(file, input)) continue;
    return refuse(option + " " + file + ": the run reads this file; choose another one with " +
                  option);
  }
  return true;
}

bool RunFiles::are_apart(const RunFileNames& names, const scenarios::Config& config) {
  if (!is_no_input("--out", names.results, config) ||
      !is_no_input("--trace", names.trace, config)) {
    return false;
  }
  if (names.results.empty() || names.trace.empty()) return true;
  if (!analysis::of_results(names.results, names.trace)) return true;
  return refuse("--out " + names.results + " and --trace " + names.trace +
                ": these would be written to one and the same file; choose another file for one");
}

void RunFiles::drop_results() {
  results_.reset();
  if (draft_) analysis::remove_companions(draft_->path());
  draft_.reset();
}

bool RunFiles::open_store(const std::string& file) {
  auto store = analysis::ResultStore::open(file);
  if (!store) return refuse_results(std::move(store).assume_error());
  results_ = std::move(store).assume_value();
  return true;
}

bool RunFiles::open_results() {
  std::error_code error;
  const std::string target = analysis::target_of(named_);
  const fs::file_status found = fs::status(target, error);
  if (fs::exists(found) && !fs::is_regular_file(found)) {
    return refuse(named_ + ": this is not a regular file; choose another file with --out");
  }
  if (!fs::exists(found)) {
    auto draft = analysis::DraftFile::create(named_);
    if (!draft) return refuse(draft.assume_error().message());
    draft_ = std::move(draft).assume_value();
  }
  return open_store(draft_ ? draft_->path() : target);
}

int RunFiles::open(const RunFileNames& names, const RunOrigin& origin,
                   const scenarios::Config& config) {
  origin_ = origin;
  if (!are_apart(names, config)) return kUsage;
  named_ = names.results;
  replay_ = replay_line(origin.scenario, origin.overrides, config.run.seed);
  if (!named_.empty() && !open_results()) return kEnvironment;
  if (names.trace.empty()) return kOk;
  auto created = analysis::TraceWriter::create(names.trace, trace_head(origin, config));
  if (!created) {
    refuse(created.assume_error().message());
    return kEnvironment;
  }
  trace_ = std::move(created).assume_value();
  return kOk;
}

int RunFiles::save(const scenarios::Config& config, const scenarios::RunOutcome& outcome,
                   double took) {
  if (trace_) {
    if (const auto finished = trace_->finish(trace_end(outcome)); !finished) {
      refuse(finished.assume_error().message());
      return kEnvironment;
    }
  }
  if (!results_) return kOk;
  analysis::RunDetails run;
  run.point = point_of(config.scenario.name, config);
  run.model_version = origin_.model_version;
  run.record = record_of(outcome);
  // A gate is missed by the figures of a run that has not failed: they count.
  const int code = outcome.summary.exit_code;
  run.record.exit_code = code == kGateMissed ? kOk : code;
  run.record.replay = replay_;
  run.record.cpu_microseconds = static_cast<std::uint64_t>(took * 1e6);
  run.summary = outcome.summary;
  run.checkpoints = outcome.checkpoints;
  run.pairs = &outcome.pairs;
  run.names = outcome.names.get();
  run.manifest = {{"program", origin_.program}};
  return save_results(run) ? kOk : kEnvironment;
}

bool RunFiles::save_results(const analysis::RunDetails& run) {
  if (auto done = results_->save(run); !done) {
    return refuse_results(std::move(done).assume_error());
  }
  if (!draft_) return true;
  // SQLite's companion files of the draft do not take the new name with it.
  if (auto done = results_->gather(); !done) return refuse_results(std::move(done).assume_error());
  results_.reset();
  auto published = draft_->take_free_name();
  draft_.reset();
  if (!published) return refuse(published.assume_error().message());
  if (published.assume_value()) return true;
  // Another program has made the file meanwhile: the run is added to it.
  return open_store(analysis::target_of(named_)) && save_results(run);
}

}  // namespace photonsim::campaigns
