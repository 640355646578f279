// diff: two results files, or two traces.
#include <optional>
#include <string>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "analysis/results/result_reader.h"
#include "analysis/trace_files/trace_file.h"
#include "cli/commands/commands.h"
#include "cli/commands/exit_codes.h"
#include "cli/commands/output.h"
#include "report/change_gates.h"
#include "report/comparison.h"
#include "report/report_points.h"
#include "trace_views/divergence.h"

namespace photonsim::cli {
namespace {

namespace analysis = photon::analysis;

// Nothing after an error message; `code` is then the exit code.
std::optional<report::ReportPoints> points_of(const std::string& file, int& code) {
  const auto results = analysis::ResultReader::open(file);
  if (!results) {
    complain(results.assume_error().message());
    code = code_of_unreadable(results.assume_error());
    return std::nullopt;
  }
  auto points = report::read_points(results.assume_value());
  if (!points) {
    complain(points.assume_error().message());
    code = code_of_unreadable(points.assume_error());
    return std::nullopt;
  }
  if (points.assume_value().runs == 0) {
    complain(file + ": it has no runs; `photonsim run SCENARIO --out FILE` writes some");
    code = kUsage;
    return std::nullopt;
  }
  return std::move(points).assume_value();
}

int diff_results(const DiffCommand& command) {
  report::ChangeGates gates;
  if (!command.gates.empty()) gates = report::load_change_gates(command.gates);
  if (!gates.problems.empty()) {
    say(scenarios::format(gates.problems));
    return kUsage;
  }
  int code = kOk;
  const auto before = points_of(command.before, code);
  if (!before) return code;
  const auto after = points_of(command.after, code);
  if (!after) return code;
  const report::Comparison comparison = report::compare(*before, *after, gates.list);
  if (comparison.points.empty()) {
    complain(
        fmt::format("{} and {} have no configuration in common: compare runs of the same scenario "
                    "or study with the same keys set",
                    command.before, command.after));
    return kUsage;
  }
  code = comparison.fails() ? kGateMissed : kOk;
  const bool json = command.form == OutputForm::json;
  return print_and_exit_with(
      json ? boost::json::serialize(report::comparison_json(comparison)) + "\n"
           : report::comparison_text(comparison),
      code);
}

std::optional<analysis::TraceReader> trace_of(const std::string& file) {
  auto reader = analysis::TraceReader::open(file);
  if (reader) return std::move(reader).assume_value();
  complain(reader.assume_error().message());
  return std::nullopt;
}

int diff_traces(const DiffCommand& command) {
  auto first = trace_of(command.before);
  auto second = first ? trace_of(command.after) : std::nullopt;
  if (!first || !second) return kUsage;
  const auto& one = first->head();
  const auto& other = second->head();
  if (one.seed != other.seed || one.resolved_scenario != other.resolved_scenario) {
    say(fmt::format("note: these are traces of {}, seed {}, and {}, seed {}{}\n", one.scenario,
                    one.seed, other.scenario, other.seed,
                    one.seed == other.seed ? ", which are set differently" : ""));
  }
  const auto found = trace_views::first_divergence(*first, *second);
  if (!found) {
    complain(found.assume_error().message());
    return kEnvironment;
  }
  if (!found.assume_value()) {
    return print_and_exit_with(fmt::format("identical: {} records\n", first->records()), kOk);
  }
  return print_and_exit_with(trace_views::divergence_text(*found.assume_value(), *first, *second),
                             kGateMissed);
}

}  // namespace

int diff(const DiffCommand& command) {
  return command.traces ? diff_traces(command) : diff_results(command);
}

}  // namespace photonsim::cli
