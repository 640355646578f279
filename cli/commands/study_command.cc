// plan and sweep: studies.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/studies/gate_checks.h"
#include "campaigns/studies/gates.h"
#include "campaigns/study_engine.h"
#include "campaigns/study_report.h"
#include "campaigns/study_search.h"
#include "cli/cluster/launch.h"
#include "cli/commands/commands.h"
#include "cli/commands/console.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/log_check.h"
#include "cli/commands/output.h"
#include "cli/commands/progress.h"
#include "cli/commands/version.h"

namespace photonsim::cli {
namespace {

// Adds the gates of the command line. False after an error message.
bool add_gates(const StudyCommand& command, campaigns::Study& study) {
  campaigns::Gates gates = campaigns::parse_gates(command.expected);
  if (!gates.problem.empty()) {
    complain("--expect: " + gates.problem);
    return false;
  }
  if (gates.list.empty()) return true;
  study.gates.insert(study.gates.end(), gates.list.begin(), gates.list.end());
  scenarios::Sources sources;
  sources.add("--expect", "");
  scenarios::Report report(sources);
  campaigns::check_gates(campaigns::all_of(study.gates, study.subject_to), report);
  if (!report.empty()) say(scenarios::format(report.diagnostics()));
  return report.empty();
}

// Nothing after an error message.
std::optional<campaigns::StudyPlan> planned(const StudyCommand& command) {
  campaigns::StudyResult loaded = campaigns::load_study(command.study);
  if (!loaded.problems.empty()) {
    say(scenarios::format(loaded.problems));
    return std::nullopt;
  }
  if (!add_gates(command, loaded.study)) return std::nullopt;
  campaigns::PlanResult result = campaigns::plan_study(std::move(loaded.study));
  if (!result.problems.empty()) {
    say(scenarios::format(result.problems));
    return std::nullopt;
  }
  for (const scenarios::Diagnostic& each : result.warnings) say(scenarios::format(each));
  LogCheck logs;
  for (const campaigns::StudyPoint& point : result.plan.points()) {
    if (const auto read = logs.warn_of(point.config); !read) {
      complain_of(read.assume_error());
      return std::nullopt;
    }
  }
  return std::move(result.plan);
}

// Complains of an option that means nothing for this study.
bool options_fit(const StudyCommand& command, const campaigns::Study& study) {
  if (study.search && !command.share.is_whole()) {
    complain(
        "--shard: a search chooses each point by those before it, so it has no shares; "
        "run it as a whole");
    return false;
  }
  if (command.charts && study.charts.empty() && study.claims.empty()) {
    complain("--charts: " + command.study +
             " has no chart and no claim; leave --charts out, or state a [[chart]]");
    return false;
  }
  return true;
}

}  // namespace

int plan(const StudyCommand& command) {
  const auto plan = planned(command);
  if (!plan) return kUsage;
  const bool json = command.form == OutputForm::json;
  return print_and_exit_with(
      json ? campaigns::plan_json(*plan) + "\n" : campaigns::plan_text(*plan), kOk);
}

int sweep(const StudyCommand& command) {
  auto plan = planned(command);
  if (!plan || !options_fit(command, plan->study())) return kUsage;
  campaigns::ResultsFile results;
  if (!command.results.empty() && !results.open(command.results, plan->identity(model_version()))) {
    complain(results.error());
    return kEnvironment;
  }
  if (!results.about_others().empty()) say(results.about_others() + "\n");
  watch_interrupts();
  Console console("sweep");
  campaigns::PoolLimits limits;
  limits.jobs = command.jobs;
  limits.memory = command.memory;
  limits.cluster = launched_cluster();
  campaigns::StudyEngine engine(*std::move(plan), limits, results, console, command.share);
  if (!engine.load_results()) {
    complain(results.error());
    return kEnvironment;
  }
  if (engine.loaded() > 0) {
    say(fmt::format("{}: {} of this study are there already\n", command.results,
                    photon::analysis::counted(engine.loaded(), "run")));
  }
  if (!results.announce(campaigns::StudyReport(engine).announcement(version_text()))) {
    complain(results.error());
    return kEnvironment;
  }
  if (engine.plan().study().search) {
    campaigns::StudySearch(engine, [&] {
      return results.announce(campaigns::StudyReport(engine).announcement(version_text()));
    }).run();
  } else {
    engine.run();
  }
  console.clear();
  if (engine.error_code() == 0 && !results.error().empty()) {
    complain(results.error());
    return kEnvironment;
  }
  if (!engine.error().empty()) complain(engine.error());
  if (engine.error_code() != 0 && engine.done() == 0) return engine.error_code();
  const campaigns::StudyReport report(engine);
  const int code = engine.error_code() != 0 ? engine.error_code() : report.exit_code();
  // Of a share what was announced stays: the study as a whole concludes.
  const bool whole = engine.share().is_whole();
  if (whole && !results.conclude(report.outcome(code, version_text()))) {
    complain(results.error());
    return kEnvironment;
  }
  if (code == kGateMissed) complain("a gate is missed or undecided; the report names it");
  if (engine.share_is_done()) {
    say(
        fmt::format("sweep: share {} of {} is done; `photonsim db merge` puts the files of all "
                    "shares into one, and sweep with that file reports the study\n",
                    command.share.number, command.share.of));
  } else if (!engine.is_complete() && !command.results.empty()) {
    say("sweep: not complete; the same command goes on\n");
  }
  const bool json = command.form == OutputForm::json;
  const bool alone = command.charts && code == kOk && engine.is_complete();
  return print_and_exit_with(json    ? report.json(code) + "\n"
                             : alone ? report.claims_and_charts()
                                     : report.text(),
                             code);
}

}  // namespace photonsim::cli
