// The part of a study's report on rare events ([rare]), as text and as JSON.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/estimate_text.h"
#include "campaigns/point_columns.h"
#include "campaigns/studies/rare_estimates.h"
#include "campaigns/study_report.h"
#include "campaigns/text_table.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;
using analysis::Estimate;

constexpr double kMillion = 1e6;
constexpr double kPaperShare = 1e-6;  // section 3.3.3: below 0.0001 % of the joinable events

// "2.35 [1.54, 3.58]", times a factor.
std::string text_of(const Estimate& estimate, double factor = 1) {
  return estimate_text(estimate,
                       [factor](double value) { return fmt::format("{:.3g}", factor * value); });
}

// How the share compares with the paper's bound, as far as the interval decides it.
std::string verdict_of(const analysis::ForcedCrashEstimates& found) {
  constexpr double kLeastSample = 10;  // below it the spread of the losses is hardly known
  const Estimate& share = found.share;
  if (share.value > 0 && found.effective_sample < kLeastSample) {
    return "not decided: too few crashes tell what one loses; raise replications.min";
  }
  if (!share.interval) return "not decided by these replications";
  if (share.interval->high < kPaperShare) return "met";
  return share.interval->low > kPaperShare ? "missed" : "not decided by these replications";
}

std::string crash_text(const CrashReport& report, const RareQuestion& question,
                       const scenarios::Config& config) {
  const analysis::ForcedCrashEstimates& found = report.estimates;
  std::string text =
      fmt::format("  at {:g} crashes a joiner and day, {} of 1,000,000 clicks are lost ({})\n",
                  question.crashes_per_day, text_of(found.share, kMillion),
                  analysis::counted(report.joiners, "joiner"));
  text += fmt::format("    the paper bounds it by 1 of 1,000,000: {}\n", verdict_of(found));
  if (config.verification.enabled) {
    text += fmt::format("    {} stay lost: recovery had not returned them when the run ended\n",
                        text_of(report.share_at_end, kMillion));
  }
  text += fmt::format("    theory, joiners x crashes x mean window / clicks: {:.3g}\n",
                      kMillion * report.theory_share);
  text += fmt::format("  a crash loses {} clicks, of {} in the joiner's window\n",
                      text_of(found.lost), text_of(found.window));
  text += fmt::format("    {} % of crashes lose any; the most was {:.0f}, the cap is {}\n",
                      text_of(found.any, 100), found.most, report.cap);
  for (const auto& [least, share] : found.tail) {
    text += fmt::format("    {:>6} or more {:>7.3g} %\n", least, 100 * share);
  }
  text += fmt::format(
      "  {} of {} crashes hit a joiner that had received clicks; effective sample size {:.0f}\n",
      report.found_clicks, report.runs, found.effective_sample);
  return text;
}

std::string splitting_text(const SplittingReport& report, const scenarios::Config& config) {
  const std::string_view what = name_of(config.rare.importance);
  std::string text = fmt::format("  probability that {} reaches {}: {}\n", what,
                                 config.rare.levels.back().at, text_of(report.probability));
  std::uint64_t before = 0;
  for (const SplittingReport::Level& each : report.levels) {
    const double share =
        each.trials == 0 ? 0 : static_cast<double>(each.reached) / static_cast<double>(each.trials);
    text += fmt::format("    {:>6} from {:<6} {:>6.3g} %  ({} of {})\n", each.at,
                        before == 0 ? std::string("start") : fmt::format("{}", before), 100 * share,
                        each.reached, each.trials);
    before = each.at;
  }
  text += fmt::format("  the last paths of a replication descend from {} to {} first ones",
                      report.least_ancestors, report.most_ancestors);
  text += report.died_out > 0 ? fmt::format("; in {} no path got there\n", report.died_out) : "\n";
  if (report.runs_needed > 0) {
    text += fmt::format("  {} kernel events; {} plain runs would give as narrow an interval\n",
                        analysis::grouped(report.events),
                        analysis::grouped(static_cast<std::uint64_t>(report.runs_needed)));
  }
  return text;
}

constexpr std::array kCrashHeaders{"are lost", "lost by a crash", "% lose any", "stay lost"};

std::vector<std::string> crash_cells(const CrashReport& report) {
  return {text_of(report.estimates.share, kMillion), text_of(report.estimates.lost),
          text_of(report.estimates.any, 100), text_of(report.share_at_end, kMillion)};
}

constexpr std::array kSplittingHeaders{"probability", "ancestors", "died out", "as plain runs"};

std::vector<std::string> splitting_cells(const SplittingReport& report) {
  return {text_of(report.probability),
          fmt::format("{} to {}", report.least_ancestors, report.most_ancestors),
          fmt::format("{}", report.died_out), fmt::format("{:.0f}", report.runs_needed)};
}

json::object crash_object(const CrashReport& report) {
  json::array tail;
  for (const auto& [least, share] : report.estimates.tail) {
    tail.push_back(json::object{{"least", least}, {"share", share}});
  }
  return {{"share", estimate_object(report.estimates.share)},
          {"share_at_end", estimate_object(report.share_at_end)},
          {"theory_share", report.theory_share},
          {"lost", estimate_object(report.estimates.lost)},
          {"window", estimate_object(report.estimates.window)},
          {"any", estimate_object(report.estimates.any)},
          {"most", report.estimates.most},
          {"cap", report.cap},
          {"joiners", report.joiners},
          {"crashes", report.runs},
          {"found_clicks", report.found_clicks},
          {"effective_sample", report.estimates.effective_sample},
          {"tail", std::move(tail)}};
}

json::object splitting_object(const SplittingReport& report) {
  json::array levels;
  for (const SplittingReport::Level& each : report.levels) {
    levels.push_back(
        json::object{{"at", each.at}, {"trials", each.trials}, {"reached", each.reached}});
  }
  return {{"probability", estimate_object(report.probability)},
          {"levels", std::move(levels)},
          {"ancestors_least", report.least_ancestors},
          {"ancestors_most", report.most_ancestors},
          {"died_out", report.died_out},
          {"events", report.events},
          {"plain_runs_needed", report.runs_needed}};
}

}  // namespace

// Few points each have a paragraph, many a row.
std::string StudyReport::rare_text() const {
  constexpr std::size_t kMostParagraphs = 3;
  if (!study_.rare) return {};
  if (points_.size() > kMostParagraphs) return rare_table();
  std::string text;
  for (const PointReport& each : points_) {
    if (each.estimates.replications() == 0) continue;
    text += fmt::format("\n{} ({})\n", each.point->label,
                        analysis::counted(each.estimates.replications(), "replication"));
    text += study_.rare->method == RareQuestion::Method::forced_crash
                ? crash_text(crash_report(each.estimates.used(), each.point->config, *study_.rare),
                             *study_.rare, each.point->config)
                : splitting_text(splitting_report(each.estimates.used(), each.point->config),
                                 each.point->config);
  }
  return text;
}

std::string StudyReport::rare_table() const {
  const PointColumns columns(engine_.plan().points());
  const bool crash = study_.rare->method == RareQuestion::Method::forced_crash;
  std::vector<std::string> headers{""};
  for (std::string& each : columns.headers()) headers.push_back(std::move(each));
  // Without recovery all that is lost stays lost.
  const bool recovers = std::ranges::any_of(
      points_, [](const PointReport& each) { return each.point->config.verification.enabled; });
  const std::size_t shown = kCrashHeaders.size() - (crash && !recovers ? 1 : 0);
  for (std::size_t i = 0; i < shown; ++i) {
    headers.emplace_back(crash ? kCrashHeaders[i] : kSplittingHeaders[i]);
  }
  TextTable table(std::move(headers));
  for (const std::size_t i : order()) {
    const PointReport& each = points_[i];
    std::vector<std::string> cells{""};
    for (std::string& cell : columns.cells(*each.point)) cells.push_back(std::move(cell));
    const auto used = each.estimates.used();
    std::vector<std::string> figures =
        used.empty() ? std::vector<std::string>{"no replication"}
        : crash      ? crash_cells(crash_report(used, each.point->config, *study_.rare))
                     : splitting_cells(splitting_report(used, each.point->config));
    if (figures.size() > shown) figures.resize(shown);
    for (std::string& cell : figures) cells.push_back(std::move(cell));
    table.row(std::move(cells));
  }
  const std::string title =
      crash ? fmt::format("\nat {:g} crashes a joiner and day, of 1,000,000 clicks\n",
                          study_.rare->crashes_per_day)
            : std::string("\nprobabilities of the last level\n");
  return title + table.text();
}

json::array StudyReport::rare_array() const {
  json::array list;
  for (const PointReport& each : points_) {
    const bool crash = study_.rare->method == RareQuestion::Method::forced_crash;
    json::object object =
        crash ? crash_object(crash_report(each.estimates.used(), each.point->config, *study_.rare))
              : splitting_object(splitting_report(each.estimates.used(), each.point->config));
    object["label"] = each.point->label;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace photonsim::campaigns
