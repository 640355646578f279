#include "campaigns/campaign_ci.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/oracles/oracle_table.h"
#include "analysis/reports/report_text.h"
#include "analysis/reports/verdict.h"
#include "campaigns/plan.h"
#include "campaigns/triage.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;
namespace {

constexpr std::size_t kMostAnnotations = 10;
constexpr std::size_t kMostInGroup = 20;  // failures that a group's case lists
constexpr const char* kGenerator = "campaigns/swarm/swarm.cc";  // of configurations without a file

// What stands for the character of `length` bytes in XML text.
std::string_view xml_character(std::string_view text, std::size_t at, std::size_t length) {
  switch (text[at]) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\n':
    case '\t':
      return text.substr(at, 1);
    default:
      const bool control = static_cast<unsigned char>(text[at]) < 0x20;
      return control || length == 0 ? "?" : text.substr(at, length);
  }
}

// XML text; bytes that are not UTF-8, and characters that XML cannot hold, become question marks.
std::string xml(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = scenarios::utf8_length(text, at);
    result += xml_character(text, at, length);
    at += std::max<std::size_t>(1, length);
  }
  return result;
}

// The message of a workflow command, on one line.
std::string command_data(std::string_view text) {
  std::string result;
  for (const char each : text) {
    if (each == '%') {
      result += "%25";
    } else if (each == '\r') {
      result += "%0D";
    } else if (each == '\n') {
      result += "%0A";
    } else {
      result += each;
    }
  }
  return result;
}

// A property of a workflow command: also escapes colons and commas.
std::string command_property(std::string_view text) {
  std::string result;
  for (const char each : command_data(text)) {
    if (each == ':') {
      result += "%3A";
    } else if (each == ',') {
      result += "%2C";
    } else {
      result += each;
    }
  }
  return result;
}

enum class Rule : std::uint8_t { stated, omitted };

// The remedy, the minimized repro, and the rule that is violated.
std::string advice(const CiFailure& failure, Rule stated = Rule::stated) {
  std::string text = failure.remedy;
  if (!failure.repro.empty()) text += "\nminimized: " + failure.repro;
  const std::string rule =
      stated == Rule::stated ? analysis::rule_text(failure.oracle) : std::string();
  return rule.empty() ? text : text + "\n" + rule;
}

// How many runs share the cause, the message of the first, and the remedy.
std::string text_of(const CiFailure& failure, Rule rule = Rule::stated) {
  const std::string shared =
      failure.runs > 1
          ? fmt::format("{} runs fail by this cause; the first: ", analysis::grouped(failure.runs))
          : std::string();
  return shared + failure.what + "\n" + advice(failure, rule);
}

std::string determinism_text(const DeterminismSums& sums) {
  return fmt::format("{} rerun, {} of them diverged", analysis::grouped(sums.same + sums.diverged),
                     analysis::grouped(sums.diverged));
}

// Where to look for what generated configurations, or this scenario, show.
std::string file_of(const std::string& scenario) {
  return scenario == kSwarmName ? kGenerator : scenario;
}

// A scenario that is given again has a case of its own: "a.toml (2)".
std::string case_name(const CampaignSum& sum, std::size_t scenario) {
  const std::string& name = sum.scenario_name(scenario);
  std::size_t before = 0;
  for (std::size_t i = 0; i < scenario; ++i) before += sum.scenario_name(i) == name ? 1 : 0;
  return before == 0 ? name : fmt::format("{} ({})", name, before + 1);
}

CiFailure failure_of(const analysis::RunRecord& run, const CampaignSum& sum,
                     const CampaignFrame& frame) {
  const std::string& name = sum.scenario_name(run.scenario);
  CiFailure failure{sum.label_of(run), run.exit_code, run.what, run.replay};
  const FailureCause cause = cause_of(run);
  if (analysis::find_oracle(cause.found_by) != nullptr) failure.oracle = cause.found_by;
  const auto repro = frame.repros.find({run.scenario, run.seed});
  if (repro != frame.repros.end()) failure.repro = repro->second;
  const auto file = frame.files.find({run.scenario, run.seed});
  if (file != frame.files.end()) {
    failure.file = file->second;
  } else if (name == kSwarmName && !run.check_site.empty()) {
    failure.file = run.check_site.substr(0, run.check_site.find(':'));  // it ends with the line
  } else {
    failure.file = file_of(name);
  }
  return failure;
}

void add_failures(const FailureGroup& failures, const CampaignSum& sum, const CampaignFrame& frame,
                  CiReport& report) {
  CiFailure first = failure_of(*failures.runs.front(), sum, frame);
  first.runs = failures.runs.size();
  report.causes.push_back(std::move(first));
  for (const analysis::RunRecord* run : failures.runs) {
    CiGroup& group = report.groups[sum.place_of_share(run->scenario, run->tier)];
    const bool worse = group.exit_code == 0 ||
                       analysis::rank_of(run->exit_code) < analysis::rank_of(group.exit_code);
    if (worse) group.exit_code = run->exit_code;
    if (group.failures.size() == kMostInGroup) continue;
    const CiFailure failure = failure_of(*run, sum, frame);
    const bool known = std::ranges::find(group.rules, failure.oracle) != group.rules.end();
    if (!known) group.rules.push_back(failure.oracle);
    group.failures.push_back(fmt::format("{} (exit code {}; cause: {}): {}", failure.title,
                                         failure.exit_code, failures.cause.text(),
                                         text_of(failure, known ? Rule::omitted : Rule::stated)));
  }
}

std::string case_of(const CiGroup& group) {
  const std::string head =
      fmt::format("  <testcase classname=\"photonsim.fuzz\" name=\"{}\" time=\"{:.3f}\"",
                  xml(group.name), group.seconds);
  if (group.failed == 0) return head + "/>\n";
  std::string body = fmt::format("{}", fmt::join(group.failures, "\n\n"));
  if (group.failed > group.failures.size()) {
    body += "\n\nand " + analysis::counted(group.failed - group.failures.size(), "more failure");
  }
  return head + fmt::format(
                    ">\n    <failure type=\"exit code {}\" message=\"{} of {} failed\">{}"
                    "</failure>\n  </testcase>\n",
                    group.exit_code, analysis::grouped(group.failed),
                    analysis::counted(group.runs, "run"), xml(body));
}

std::string properties_of(const CiReport& report) {
  std::string text = "  <properties>\n";
  const auto property = [&](std::string_view name, std::uint64_t value) {
    text += fmt::format("    <property name=\"{}\" value=\"{}\"/>\n", name, value);
  };
  property("runs", report.runs);
  property("runs without a failure", report.passed);
  property("runs that did not take place", report.not_run);
  property("causes of failure", report.causes.size());
  property("runs rerun", report.determinism.same + report.determinism.diverged);
  property("of them diverged", report.determinism.diverged);
  return text + "  </properties>\n";
}

}  // namespace

CiReport ci_report(const CampaignSum& sum, std::vector<CiFailure> obligations,
                   const CampaignFrame& frame) {
  CiReport report;
  if (frame.corpus_and_features) report.suite += " --guided";
  report.runs = sum.runs();
  report.passed = sum.runs() - sum.failed();
  const std::uint64_t planned = frame.last_seed - frame.first_seed + 1;
  report.not_run = planned > sum.runs() ? planned - sum.runs() : 0;
  report.file = file_of(sum.scenario_name(0));
  for (const auto& [key, share] : sum.shares_by_tier()) {
    const auto& [scenario, tier] = key;
    CiGroup& group = report.groups.emplace_back();
    group.name = case_name(sum, scenario);
    if (tier != analysis::RunTier::within)
      group.name += fmt::format(", tier {}", analysis::name_of(tier));
    group.runs = share.runs;
    group.failed = share.failed;
    group.seconds = share.cpu_seconds;
  }
  for (const FailureGroup& each : failure_groups(sum)) add_failures(each, sum, frame, report);
  report.failures = std::move(obligations);
  report.determinism = sum.determinism();
  report.wall_seconds = frame.wall_seconds;
  return report;
}

std::string junit(const CiReport& report) {
  const auto failed = static_cast<std::size_t>(
      std::ranges::count_if(report.groups, [](const CiGroup& each) { return each.failed > 0; }));
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\">\n",
      xml(report.suite), report.groups.size() + report.failures.size(),
      failed + report.failures.size(), report.wall_seconds);
  text += properties_of(report);
  for (const CiGroup& each : report.groups) text += case_of(each);
  for (const CiFailure& each : report.failures) {
    text += fmt::format(
        "  <testcase classname=\"photonsim.fuzz\" name=\"{}\">\n"
        "    <failure type=\"exit code {}\" message=\"{}\">{}</failure>\n  </testcase>\n",
        xml(each.title), each.exit_code, xml(each.what), xml(advice(each)));
  }
  return text + "</testsuite>\n";
}

std::string github_annotations(const CiReport& report) {
  std::vector<const CiFailure*> failures;
  for (const CiFailure& each : report.causes) failures.push_back(&each);
  for (const CiFailure& each : report.failures) failures.push_back(&each);
  std::ranges::stable_sort(
      failures, {}, [](const CiFailure* each) { return analysis::rank_of(each->exit_code); });
  std::string text;
  for (std::size_t i = 0; i < std::min(failures.size(), kMostAnnotations); ++i) {
    const CiFailure& each = *failures[i];
    const std::string& own = each.repro.empty() ? each.file : each.repro;
    const std::string& file = own.empty() ? report.file : own;
    text += fmt::format("::error file={},title={}::{}\n", command_property(file),
                        command_property(each.title), command_data(text_of(each)));
  }
  const std::string suite = command_property(report.suite);
  if (failures.size() > kMostAnnotations) {
    text += fmt::format("::error title={}::and {}\n", suite,
                        analysis::counted(failures.size() - kMostAnnotations, "more failure"));
  }
  return text + fmt::format("::notice title={}::{}, {} without a failure; {}\n", suite,
                            analysis::counted(report.runs, "run"), analysis::grouped(report.passed),
                            determinism_text(report.determinism));
}

}  // namespace photonsim::campaigns
