// fuzz --guided: a guided campaign, reported as text and to CI.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/trace_files/draft_file.h"
#include "campaigns/guided/guided_campaign.h"
#include "campaigns/guided_report.h"
#include "campaigns/reduce/minimize.h"
#include "campaigns/reduce/shrink.h"
#include "campaigns/reduce/time_share.h"
#include "campaigns/runs/verdict.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/version.h"
#include "scenarios/language/loader.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;
namespace guided = scenarios::guided;
using campaigns::GuidedResult;
using SearchEnd = GuidedResult::End;

campaigns::PoolLimits limits_of(const GuidedCommand& command) {
  campaigns::PoolLimits limits;
  limits.jobs = command.jobs;
  limits.memory = command.memory;
  return limits;
}

// Prints why the search ended early, if it did; returns its exit code.
int explain_end(const GuidedResult& result) {
  for (const std::string& each : result.why) complain(each);
  switch (result.end) {
    case SearchEnd::complete:
      return result.verdict;
    case SearchEnd::interrupted:
      complain("interrupted; this is what the batches before it have shown");
      return interrupt_exit_code();
    case SearchEnd::refused:
      return kUsage;
    case SearchEnd::no_process:
      break;
  }
  return kEnvironment;
}

// Writes each failure as a complete scenario file, so that its replay does not depend on the swarm.
bool write_failures(const GuidedCommand& command, campaigns::GuidedReport& report) {
  if (report.result.failures.empty()) return true;
  std::error_code ignored;
  std::filesystem::create_directories(command.repro_folder, ignored);
  for (const campaigns::GuidedFailure& each : report.result.failures) {
    const std::string file =
        fmt::format("{}/guided-{}-{}.toml", command.repro_folder, command.first, each.run);
    const std::string text = scenarios::shrink::repro_text(
        each.candidate.config, {each.text, campaigns::repro_line(file)});
    const auto written = analysis::write_file(file, text);
    if (!written) {
      complain(written.assume_error().message());
      report.files.clear();
      return false;
    }
    report.files.push_back(file);
  }
  return true;
}

void name_first(const campaigns::GuidedReport& report) {
  if (report.result.failures.empty()) return;
  const campaigns::GuidedFailure& first = report.result.failures.front();
  complain(fmt::format("{} of {} failed. First failure: configuration {}: {}", report.result.failed,
                       analysis::counted(report.result.runs, "configuration"), first.run,
                       first.text));
  say("replay: " + report.replay_of(0) + "\n");
}

void minimize(const GuidedCommand& command, Console& console,
              campaigns::WallClock::time_point began, campaigns::GuidedReport& report) {
  const auto minimized = std::min<std::size_t>(command.shrunk, report.result.failures.size());
  const campaigns::TimeShare time(command.shrink_time, command.time, began, minimized);
  for (std::size_t i = 0; i < minimized; ++i) {
    const std::string file = report.files[i].substr(0, report.files[i].size() - 5) + "-small.toml";
    const auto repro =
        campaigns::minimize({report.result.failures[i].candidate.config, file, report.replay_of(i),
                             model_version(), limits_of(command), time.share(minimized - i)},
                            console);
    if (!repro) return complain(campaigns::repros_left_out(minimized - i, minimized));
    say("minimized: " + repro->line + "\n");
    report.minimized[i] = repro->file;
  }
}

}  // namespace

int guided_search(const GuidedCommand& command) {
  campaigns::GuidedSpec spec;
  spec.name = command.scenario.empty() ? "swarm" : command.scenario;
  spec.first = command.first;
  spec.most_runs = command.last - command.first + 1;
  spec.most_events = command.events;
  spec.limits = limits_of(command);
  spec.time = command.time;
  spec.fail_fast = command.fail_fast;
  spec.oracle = command.oracle;
  spec.search.seed = command.first;
  spec.search.feedback = command.feedback ? guided::Feedback::on : guided::Feedback::off;
  spec.search.generate = [&](std::uint64_t seed) {
    return scenarios::swarm::scenario(command.swarm, seed);
  };
  if (!command.scenario.empty()) {
    const scenarios::LoadResult loaded = scenarios::load(command.scenario, command.overrides);
    if (!loaded) {
      say(scenarios::format(loaded.diagnostics()));
      return kUsage;
    }
    if (const std::string lack = campaigns::not_searchable(loaded.config()); !lack.empty()) {
      complain(command.scenario + " cannot be searched with drawn faults: " + lack);
      return kUsage;
    }
    spec.search.generate = [config = loaded.config()](std::uint64_t seed) {
      return guided::with_generated_faults(config, seed);
    };
  }
  if (!command.ci.can_write_file()) return kEnvironment;
  watch_interrupts();
  const auto began = campaigns::WallClock::now();
  Console console("guided search");
  campaigns::GuidedReport report;
  report.name = spec.name;
  report.result = campaigns::run_guided(spec, console);
  report.minimized.resize(report.result.failures.size());
  console.clear();
  int code = report.exit_code = explain_end(report.result);
  const bool entry = write_failures(command, report);
  if (!entry) code = kEnvironment;
  name_first(report);
  const bool written = command.ci.write_file(report.ci());
  if (!written) code = kEnvironment;
  if (entry && command.shrunk > 0 && !report.result.failures.empty()) {
    minimize(command, console, began, report);
    if (written && !command.ci.write_file(report.ci())) code = kEnvironment;
  }
  command.ci.annotate(report.ci());
  return print_and_exit_with(command.form == OutputForm::json ? report.json() : report.text(),
                             code);
}

}  // namespace photonsim::cli
