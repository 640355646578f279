#include "analysis/campaign_ci.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/report_text.h"
#include "analysis/verdict.h"

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

std::string title_of(const CampaignSum& sum, const CampaignRun& run) {
  return fmt::format("{}, seed {}", sum.scenario_name(run.scenario), run.seed);
}

}  // namespace

std::string junit(const CampaignSum& sum, const CampaignFrame& frame) {
  const std::uint64_t passed = sum.runs() - sum.failed();
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuite name=\"photonsim fuzz\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "time=\"{:.3f}\">\n",
      sum.failed() + (passed > 0 ? 1 : 0), sum.failed(), frame.wall_seconds);
  if (passed > 0) {
    text += fmt::format(
        "  <testcase classname=\"photonsim.fuzz\" name=\"{} runs without a failure\"/>\n",
        grouped(passed));
  }
  for (const auto& [key, run] : sum.failures()) {
    text += fmt::format(
        "  <testcase classname=\"photonsim.fuzz\" name=\"{}\">\n"
        "    <failure type=\"exit code {}\" message=\"{}\">{}</failure>\n  </testcase>\n",
        xml(title_of(sum, run)), run.exit_code, xml(run.what), xml(run.replay));
  }
  return text + "</testsuite>\n";
}

std::string github_annotations(const CampaignSum& sum) {
  std::vector<const CampaignRun*> runs;
  for (const auto& [key, run] : sum.failures()) runs.push_back(&run);
  std::ranges::stable_sort(runs, {},
                           [](const CampaignRun* run) { return rank_of(run->exit_code); });
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kMostAnnotations); ++i) {
    text += fmt::format("::error title={}::{}\n", command_property(title_of(sum, *runs[i])),
                        command_data(runs[i]->what + "\n" + runs[i]->replay));
  }
  if (runs.size() > kMostAnnotations) {
    text += fmt::format("::error title=photonsim fuzz::and {} more failures\n",
                        grouped(runs.size() - kMostAnnotations));
  }
  return text;
}

}  // namespace photon::analysis
