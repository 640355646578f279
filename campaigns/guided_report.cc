#include "campaigns/guided_report.h"

#include <utility>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/runs/verdict.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;
using End = GuidedResult::End;

std::string GuidedReport::replay_of(std::size_t failure) const {
  return files.empty() ? "run the same search again" : repro_line(files[failure]);
}

std::string GuidedReport::text() const {
  using analysis::grouped;
  const char* const cut_short = result.end == End::interrupted ? "INTERRUPTED after "
                                : result.end == End::complete  ? ""
                                                               : "ABORTED after ";
  std::string text = fmt::format(
      "{}{} configurations, {} kernel events, a corpus of {} configurations with {} features\n",
      cut_short, grouped(result.runs), grouped(result.events), grouped(result.corpus),
      grouped(result.features));
  text += result.failures.empty() ? "no run failed\n" : fmt::format("{} failed\n", result.failed);
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const GuidedFailure& each = result.failures[i];
    text += fmt::format("configuration {}, after {} events: {}\n  replay: {}\n", grouped(each.run),
                        grouped(each.events), each.text, replay_of(i));
  }
  return text;
}

std::string GuidedReport::json() const {
  boost::json::array failures;
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const GuidedFailure& each = result.failures[i];
    failures.push_back(boost::json::object{
        {"run", each.run},
        {"events", each.events},
        {"exit_code", each.exit_code},
        {"what", each.text},
        {"file", files.empty() ? "" : files[i]},
        {"repro", minimized[i].empty() ? boost::json::value() : boost::json::value(minimized[i])}});
  }
  return boost::json::serialize(boost::json::object{{"runs", result.runs},
                                                    {"events", result.events},
                                                    {"failed", result.failed},
                                                    {"corpus", result.corpus},
                                                    {"features", result.features},
                                                    {"failures", std::move(failures)}}) +
         "\n";
}

analysis::CiReport GuidedReport::ci() const {
  analysis::CiReport report;
  report.suite = "photonsim fuzz --guided";
  report.runs = result.runs;
  report.passed = result.runs - result.failed;
  report.wall_seconds = result.wall_seconds;
  analysis::CiGroup& group = report.groups.emplace_back();
  group.name = name + ", guided";
  group.runs = result.runs;
  group.failed = result.failed;
  group.seconds = result.wall_seconds;
  group.exit_code = result.verdict;
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    const GuidedFailure& each = result.failures[i];
    analysis::CiFailure failure{fmt::format("configuration {}", each.run), each.exit_code,
                                each.text, replay_of(i), minimized[i]};
    failure.file = files.empty() ? std::string() : files[i];
    group.failures.push_back(
        fmt::format("{} (exit code {}): {}\n{}{}", failure.title, failure.exit_code, failure.what,
                    failure.remedy, failure.repro.empty() ? "" : "\nminimized: " + failure.repro));
    report.causes.push_back(std::move(failure));
  }
  if (result.failed > result.failures.size()) {
    report.failures.push_back(
        {"more configurations", result.verdict,
         fmt::format("{} more failed", result.failed - result.failures.size()),
         "fix the first ones and run the search again"});
  }
  if (result.end == End::interrupted) {
    report.failures.push_back({"the search", exit_code, "it was interrupted", "run it again"});
  } else if (!result.why.empty()) {
    report.failures.push_back({"the search", exit_code, result.why.front(), result.why.back()});
  }
  return report;
}

}  // namespace photonsim::campaigns
