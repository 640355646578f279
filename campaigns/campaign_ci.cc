#include "campaigns/campaign_ci.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/reports/verdict.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kMostAnnotations = 10;

// Text of an attribute or an element. What XML cannot hold is shown as a question mark.
std::string xml(std::string_view text) {
  std::string result;
  for (const char each : text) {
    switch (each) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        const bool control =
            static_cast<unsigned char>(each) < 0x20 && each != '\n' && each != '\t';
        result += control ? '?' : each;
    }
  }
  return result;
}

// The message of a workflow command: one line.
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

// Of its properties, which end at a colon or a comma.
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

// What to do about it, and where it stands made small.
std::string advice(const CiFailure& failure) {
  return failure.story.empty() ? failure.remedy : failure.remedy + "\nmade small: " + failure.story;
}

std::string determinism_text(const DeterminismSums& sums) {
  return fmt::format("{} done twice, {} of them not the same", grouped(sums.same + sums.diverged),
                     grouped(sums.diverged));
}

}  // namespace

CiReport ci_report(const CampaignSum& sum, std::vector<CiFailure> demands,
                   const CampaignFrame& frame) {
  CiReport report;
  report.runs = sum.runs();
  report.passed = sum.runs() - sum.failed();
  for (const auto& [key, run] : sum.failures()) {
    const auto story = frame.stories.find(key);
    report.failures.push_back(
        {fmt::format("{}, seed {}", sum.scenario_name(run.scenario), run.seed), run.exit_code,
         run.what, run.replay, story == frame.stories.end() ? std::string() : story->second});
  }
  for (CiFailure& each : demands) report.failures.push_back(std::move(each));
  report.determinism = sum.determinism();
  report.wall_seconds = frame.wall_seconds;
  return report;
}

std::string junit(const CiReport& report) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\">\n",
      xml(report.suite), report.failures.size() + (report.passed > 0 ? 1 : 0),
      report.failures.size(), report.wall_seconds);
  text += fmt::format(
      "  <properties>\n    <property name=\"runs\" value=\"{}\"/>\n"
      "    <property name=\"runs without a failure\" value=\"{}\"/>\n"
      "    <property name=\"runs done twice\" value=\"{}\"/>\n"
      "    <property name=\"of them not the same\" value=\"{}\"/>\n  </properties>\n",
      report.runs, report.passed, report.determinism.same + report.determinism.diverged,
      report.determinism.diverged);
  if (report.passed > 0) {
    text += "  <testcase classname=\"photonsim.fuzz\" name=\"runs without a failure\"/>\n";
  }
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
  for (const CiFailure& each : report.failures) failures.push_back(&each);
  std::ranges::stable_sort(failures, {},
                           [](const CiFailure* each) { return rank_of(each->exit_code); });
  std::string text;
  for (std::size_t i = 0; i < std::min(failures.size(), kMostAnnotations); ++i) {
    text += fmt::format("::error title={}::{}\n", command_property(failures[i]->title),
                        command_data(failures[i]->what + "\n" + advice(*failures[i])));
  }
  const std::string suite = command_property(report.suite);
  if (failures.size() > kMostAnnotations) {
    text += fmt::format("::error title={}::and {}\n", suite,
                        counted(failures.size() - kMostAnnotations, "more failure"));
  }
  return text + fmt::format("::notice title={}::{}, {} without a failure; {}\n", suite,
                            counted(report.runs, "run"), grouped(report.passed),
                            determinism_text(report.determinism));
}

}  // namespace photon::analysis
