// The part of a campaign's report on failed runs and on runs that did not take place.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/explain/wrapped.h"
#include "analysis/oracles/oracle_table.h"
#include "analysis/reports/report_text.h"
#include "campaigns/campaign.h"
#include "campaigns/triage.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

// The first failures of each scenario, so that one that always fails does not hide the others.
// Stands before the tables, which are long.
std::string CampaignSum::failure_list() const {
  constexpr std::uint64_t kShown = 10;
  std::string text;
  std::vector<std::uint64_t> shown(shares_.size());
  for (const auto& [key, each] : failures_) {
    const Share& share = shares_[each.scenario];
    const std::uint64_t number = ++shown[each.scenario];
    if (number <= kShown) {
      text += fmt::format("  {} (exit code {}): {}\n      {}\n", label_of(each), each.exit_code,
                          each.what, each.replay);
    } else if (number == share.failed) {
      text += fmt::format("  ... and {} more of {}; --json lists all\n",
                          analysis::grouped(share.failed - kShown), share.name);
    }
  }
  return text.empty() ? text : "\nfailed\n" + text;
}

// Failures by cause, the worst first; under the first cause that an oracle found, its rule.
std::string CampaignSum::cause_table() const {
  constexpr std::size_t kShownCauses = 20;
  constexpr std::string_view kRuleIndent = "            ";
  constexpr std::size_t kRuleWidth = 80 - kRuleIndent.size();
  std::set<std::string> explained;  // once for each oracle
  const std::vector<FailureGroup> groups = failure_groups(*this);
  if (groups.empty()) return {};
  std::string text =
      fmt::format("\n{}\n  {:>8}  what they have in common\n",
                  groups.size() == 1 ? "1 cause of failure"
                                     : analysis::grouped(groups.size()) + " causes of failure",
                  "runs");
  for (std::size_t i = 0; i < std::min(groups.size(), kShownCauses); ++i) {
    const FailureGroup& group = groups[i];
    const analysis::RunRecord& first = *group.runs.front();
    text += fmt::format("  {:>8}  {}; the first: {}\n", analysis::grouped(group.runs.size()),
                        group.cause.text(), label_of(first));
    const std::string& oracle = group.cause.found_by;
    const std::string rule = analysis::rule_text(oracle);
    if (rule.empty() || !explained.insert(oracle).second) continue;
    text +=
        analysis::wrapped(rule + " More: photonsim explain " + oracle, kRuleWidth, kRuleIndent) +
        "\n";
  }
  if (groups.size() > kShownCauses) {
    text += fmt::format("  ... and {} more; --json lists all\n",
                        analysis::grouped(groups.size() - kShownCauses));
  }
  return text;
}

// For a campaign that ended before all its runs had.
std::string CampaignSum::not_run_lines(const CampaignFrame& frame) const {
  const std::uint64_t planned = frame.last_seed - frame.first_seed + 1;
  if (frame.end != CampaignFrame::End::ended_early || planned <= runs_) return {};
  std::string text =
      fmt::format("{} did not take place\n", analysis::counted(planned - runs_, "run"));
  for (const std::string& each : frame.cut_off) {
    text += fmt::format("  {}: cut off, as the time was over; it counts as not run\n", each);
  }
  return text;
}

}  // namespace photonsim::campaigns
