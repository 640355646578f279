// plan and sweep: studies.
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/studies/gates.h"
#include "campaigns/study_engine.h"
#include "campaigns/study_report.h"
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
  study.gates.insert(study.gates.end(), gates.list.begin(), gates.list.end());
  return true;
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

// The worst of what a study that came to its end may report.
int verdict_of(const campaigns::StudyReport& report) {
  int code = kOk;
  for (const campaigns::PointReport& point : report.points()) {
    code = std::max(code, point.estimates.worst_exit_code());
  }
  if (code != kOk) return code;
  if (report.gate_missed()) return kGateMissed;
  return report.is_imprecise() ? kIncomplete : kOk;
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
  if (!plan) return kUsage;
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
  campaigns::StudyEngine engine(*std::move(plan), limits, results, console);
  if (!engine.load_results()) {
    complain(results.error());
    return kEnvironment;
  }
  if (engine.loaded() > 0) {
    say(fmt::format("{}: {} of this study are there already\n", command.results,
                    photon::analysis::counted(engine.loaded(), "run")));
  }
  engine.run();
  console.clear();
  if (!engine.error().empty()) complain(engine.error());
  if (engine.error_code() != 0 && engine.done() == 0) return engine.error_code();
  const campaigns::StudyReport report(engine);
  const int code = engine.error_code() != 0 ? engine.error_code() : verdict_of(report);
  const bool json = command.form == OutputForm::json;
  return print_and_exit_with(json ? report.json(code) + "\n" : report.text(), code);
}

}  // namespace photonsim::cli
