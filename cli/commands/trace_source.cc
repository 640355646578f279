#include "cli/commands/trace_source.h"

#include <utility>

#include "analysis/judge/judge.h"
#include "analysis/reports/event_names.h"
#include "campaigns/runs/run_files.h"
#include "campaigns/runs/verdict.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "cli/commands/progress.h"
#include "cli/commands/version.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
namespace trace = photon::trace;

int stopped() {
  complain("interrupted; nothing was written");
  return interrupt_exit_code();
}

// Hands each record to two sinks.
class Both final : public trace::Sink {
 public:
  Both(trace::Sink& one, trace::Sink& other) : one_(one), other_(other) {}
  void record(const trace::Record& record) override {
    one_.record(record);
    other_.record(record);
  }

 private:
  trace::Sink& one_;
  trace::Sink& other_;
};

class LastMoment final : public trace::Sink {
 public:
  void record(const trace::Record& record) override { at = record.header.at; }
  photon::SimTime at{};
};

class FileSource final : public TraceSource {
 public:
  explicit FileSource(analysis::TraceReader reader) : reader_(std::move(reader)) {}

  const analysis::TraceHead& head() const override { return reader_.head(); }

  int judge(trace::Sink& sink, Verdict& verdict) override {
    analysis::Judge judge(reader_.head().judge, reader_.head().places);
    Both both(judge, sink);
    if (const int read = read_all("judging", both); read != kOk) return read;
    judge.finish();
    verdict = {judge.violations().kept(), judge.violations().total(), reader_.end()};
    return kOk;
  }

  int replay(trace::Sink& sink) override { return read_all("reading", sink); }

 private:
  int read_all(const std::string& what, trace::Sink& sink) {
    ReplayProgress progress(what, sink, reader_.records());
    const auto replayed = reader_.replay(progress);
    if (!replayed) {
      complain(replayed.assume_error().message());
      return kUsage;
    }
    return interrupted() ? stopped() : kOk;
  }

  analysis::TraceReader reader_;
};

class RunSource final : public TraceSource {
 public:
  RunSource(const campaigns::RunOrigin& origin, scenarios::Config config)
      : config_(std::move(config)), head_(campaigns::trace_head(origin, config_)) {}

  const analysis::TraceHead& head() const override { return head_; }

  int judge(trace::Sink& sink, Verdict& verdict) override {
    LastMoment last;
    Both both(last, sink);
    scenarios::RunOutcome outcome;
    if (const int ran = go(both, outcome); ran != kOk) return ran;
    const analysis::Summary& summary = outcome.summary;
    verdict = {summary.violations, summary.violations_total, campaigns::trace_end(outcome)};
    // Such a run was not judged; what ended it is what to show.
    if (const std::string ended = campaigns::early_end_line(outcome); !ended.empty()) {
      analysis::Violation violation;
      violation.oracle = outcome.failed_check ? "check" : "limit";
      violation.at = last.at;
      violation.message = ended;
      verdict.violations = {std::move(violation)};
      verdict.violations_total = 1;
    }
    return kOk;
  }

  int replay(trace::Sink& sink) override {
    scenarios::RunOutcome outcome;
    return go(sink, outcome);
  }

 private:
  int go(trace::Sink& sink, scenarios::RunOutcome& outcome) {
    ProgressReport progress(config_.scenario.name);
    auto finished = scenarios::run_scenario({&config_, config_.run.seed, &sink, &progress});
    if (!finished) {
      complain_of(finished.assume_error());
      return kUsage;
    }
    outcome = std::move(finished).assume_value();
    return outcome.interrupted ? stopped() : kOk;
  }

  scenarios::Config config_;
  analysis::TraceHead head_;
};

std::unique_ptr<TraceSource> open_run(const TraceCommand& command) {
  const scenarios::LoadResult loaded = scenarios::load(command.input, command.overrides);
  if (!loaded) {
    say(scenarios::format(loaded.diagnostics()));
    return nullptr;
  }
  scenarios::Config config = loaded.config();
  config.run.seed = command.seed.value_or(config.run.seed);
  return std::make_unique<RunSource>(
      campaigns::RunOrigin{command.input, command.overrides, model_version()}, std::move(config));
}

}  // namespace

std::unique_ptr<TraceSource> open_source(const TraceCommand& command) {
  if (command.input.ends_with(".toml")) return open_run(command);
  if (command.seed || !command.overrides.empty()) {
    complain(command.input +
             ": a trace is what it is; --seed and --set go with a scenario (a "
             "file that ends with .toml)");
    return nullptr;
  }
  auto opened = analysis::TraceReader::open(command.input);
  if (opened) return std::make_unique<FileSource>(std::move(opened).assume_value());
  complain(opened.assume_error().message());
  return nullptr;
}

trace_views::Run run_of(const analysis::TraceHead& head, const TraceSource::Verdict& verdict,
                        const analysis::EventNames* names) {
  trace_views::Run run;
  run.names = names;
  run.scenario = head.scenario;
  run.seed = head.seed;
  run.model_version = head.model_version;
  run.overrides = head.overrides;
  run.fingerprint = verdict.end.fingerprint;
  run.calendar_epoch = head.judge.calendar_epoch;
  run.places = head.places;
  run.faults = verdict.end.faults;
  run.violations = verdict.violations;
  if (names != nullptr) {
    for (auto& each : run.violations) each.message = analysis::with_names(each.message, *names);
  }
  run.violations_total = verdict.violations_total;
  return run;
}

}  // namespace photonsim::cli
