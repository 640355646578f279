#include "campaigns/runs/run_spec.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/splitting_run.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/codec.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;
using analysis::RunEnd;

namespace {

// RunResult as a list of fields.
struct ResultFields {
  photon::Bytes record{};
  bool refused = false;
  photon::Bytes probe{};
  bool has_seen = false;
  SeenRun seen{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.record, self.refused, self.probe, self.has_seen, self.seen);
  }
};

RunResult refused_run(const RunSpec& spec, const photon::models::InputFaults& faults) {
  RunResult result;
  result.refused = true;
  result.record = unfinished_run(RunEnd::exception, faults_text(faults));
  result.record.exit_code = kUsage;
  result.record.scenario = static_cast<std::uint32_t>(spec.point.value_or(0));
  result.record.seed = spec.config.run.seed;
  return result;
}

std::vector<analysis::Metric> metrics_of(const SplittingRun& done) {
  analysis::RareFigures figures;
  figures.split = true;
  figures.probability = done.splitting.probability;
  figures.trials = done.splitting.trials();
  figures.replayed = done.replayed;
  figures.ancestors = done.splitting.stages.back().ancestors;
  figures.entrances_least = figures.trials;
  for (const analysis::SplittingStage& stage : done.splitting.stages) {
    figures.entrances_least = std::min(figures.entrances_least, stage.entrances);
    figures.reached.push_back(stage.reached);
  }
  return analysis::metrics_of(figures);
}

// Of a scenario with levels: all its paths are one run, as far as studies and results are
// concerned.
RunResult run_split(const RunSpec& spec, bool seen) {
  RunResult result;
  const double began = processor_seconds();
  const SplittingRun done = run_splitting(spec.config);
  const double took = processor_seconds() - began;
  if (done.refused) return refused_run(spec, *done.refused);
  analysis::RunRecord& record = result.record;
  if (done.failed) record = done.failed->record;
  record.metrics = done.failed ? std::vector<analysis::Metric>{} : metrics_of(done);
  record.cpu_microseconds = static_cast<std::uint64_t>(took * 1e6);
  record.scenario = static_cast<std::uint32_t>(spec.point.value_or(0));
  record.seed = spec.config.run.seed;
  record.events = done.events;
  if (seen) result.seen = SeenRun{.summary = done.paths};
  if (spec.scenario.empty() || !(done.failed || done.top)) return result;
  const PathState& path = done.failed ? done.failed->path : *done.top;
  std::vector<std::string> overrides = spec.overrides;
  for (std::string& each : overrides_of(path)) overrides.push_back(std::move(each));
  record.replay = replay_line(spec.scenario, overrides, path.seed);
  return result;
}

}  // namespace

RunResult run_one(const RunSpec& spec, const RunExtras& extras) {
  if (!spec.config.rare.levels.empty()) return run_split(spec, extras.seen);
  RunResult result;
  scenarios::RunRequest request{&spec.config, spec.config.run.seed, nullptr, nullptr};
  request.moments = extras.moments;
  request.watched = extras.watched;
  const double began = processor_seconds();
  const auto finished = scenarios::run_scenario(request);
  const double took = processor_seconds() - began;
  if (!finished) return refused_run(spec, finished.assume_error());
  const scenarios::RunOutcome& outcome = finished.assume_value();
  result.record = record_of(outcome);
  result.record.cpu_microseconds = static_cast<std::uint64_t>(took * 1e6);
  if (extras.probe) result.probe = extras.probe(outcome);
  if (extras.seen) result.seen = seen_of(outcome);
  result.record.scenario = static_cast<std::uint32_t>(spec.point.value_or(0));
  result.record.seed = spec.config.run.seed;
  return result;
}

analysis::RunRecord unfinished_run(RunEnd how, std::string what) {
  const bool limit = how == RunEnd::over_memory || how == RunEnd::over_time;
  analysis::RunRecord record;
  record.end = how;
  record.exit_code = limit ? kEnvironment : kInternal;
  record.what = std::move(what);
  return record;
}

photon::Bytes encode_result(const RunResult& result) {
  ResultFields fields;
  analysis::encode_record(result.record, fields.record);
  fields.refused = result.refused;
  fields.probe = result.probe;
  fields.has_seen = result.seen.has_value();
  if (result.seen) fields.seen = *result.seen;
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(fields);
  return bytes;
}

std::optional<RunResult> decode_result(const photon::Bytes& bytes) {
  ResultFields fields;
  photon::Decoder decode(std::span<const std::byte>(bytes.data(), bytes.size()));
  decode(fields);
  if (!decode.ok() || decode.remaining() > 0) return std::nullopt;
  auto record = analysis::decode_record({fields.record.data(), fields.record.size()});
  if (!record) return std::nullopt;
  RunResult result;
  result.record = *std::move(record);
  result.refused = fields.refused;
  result.probe = std::move(fields.probe);
  if (fields.has_seen) result.seen = std::move(fields.seen);
  return result;
}

}  // namespace photonsim::campaigns
