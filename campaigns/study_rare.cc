// What a study with [rare] says of rare events, as text and as JSON.
#include <string>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/studies/rare_estimates.h"
#include "campaigns/study_report.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;
using analysis::Estimate;

constexpr double kMillion = 1e6;
constexpr double kPaperShare = 1e-6;  // section 3.3.3: below 0.0001 % of the joinable events

// "2.35 [1.54, 3.58]", times a factor.
std::string text_of(const Estimate& estimate, double factor = 1) {
  if (!estimate.interval) {
    const bool none = estimate.shortage == analysis::Shortage::no_event;
    return fmt::format("{:.3g} ({})", factor * estimate.value,
                       none ? fmt::format("in none of {}", estimate.n) : "n too small");
  }
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", factor * estimate.value,
                     factor * estimate.interval->low, factor * estimate.interval->high);
}

json::object object_of(const Estimate& estimate) {
  json::object object{{"mean", estimate.value}, {"low", nullptr}, {"high", nullptr}};
  object["n"] = estimate.n;
  if (estimate.interval) {
    object["low"] = estimate.interval->low;
    object["high"] = estimate.interval->high;
  }
  return object;
}

// How the share compares with the paper's bound, as far as the interval decides it.
std::string verdict_of(const Estimate& share) {
  if (!share.interval) return "not decided by these replications";
  if (share.interval->high < kPaperShare) return "met";
  return share.interval->low > kPaperShare ? "missed" : "not decided by these replications";
}

std::string crash_text(const CrashReport& report, const RareQuestion& question,
                       const scenarios::Config& config) {
  const analysis::ForcedCrashEstimates& found = report.estimates;
  std::string text =
      fmt::format("  at {:g} crashes a joiner and day, {} of {:.0f} clicks are lost ({})\n",
                  question.crashes_per_day, text_of(found.share, kMillion), kMillion,
                  analysis::counted(report.joiners, "joiner"));
  text += fmt::format("    the paper bounds it by 1 of {:.0f}: {}\n", kMillion,
                      verdict_of(found.share));
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
      "  {} crashes, {} of which found the joiner up, tell as much as {:.0f} of "
      "equal loss\n",
      report.runs, report.found_up, found.effective_sample);
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
                      report.least_roots, report.most_roots);
  text += report.died_out > 0 ? fmt::format("; in {} no path got there\n", report.died_out) : "\n";
  if (report.runs_needed > 0) {
    text += fmt::format("  {} kernel events; as much is told by {:.0f} plain runs\n",
                        analysis::grouped(report.events), report.runs_needed);
  }
  return text;
}

json::object crash_object(const CrashReport& report) {
  json::array tail;
  for (const auto& [least, share] : report.estimates.tail) {
    tail.push_back(json::object{{"least", least}, {"share", share}});
  }
  return {{"share", object_of(report.estimates.share)},
          {"share_at_end", object_of(report.share_at_end)},
          {"theory_share", report.theory_share},
          {"lost", object_of(report.estimates.lost)},
          {"window", object_of(report.estimates.window)},
          {"any", object_of(report.estimates.any)},
          {"most", report.estimates.most},
          {"cap", report.cap},
          {"joiners", report.joiners},
          {"crashes", report.runs},
          {"found_up", report.found_up},
          {"effective_sample", report.estimates.effective_sample},
          {"tail", std::move(tail)}};
}

json::object splitting_object(const SplittingReport& report) {
  json::array levels;
  for (const SplittingReport::Level& each : report.levels) {
    levels.push_back(
        json::object{{"at", each.at}, {"trials", each.trials}, {"reached", each.reached}});
  }
  return {{"probability", object_of(report.probability)},
          {"levels", std::move(levels)},
          {"roots_least", report.least_roots},
          {"roots_most", report.most_roots},
          {"died_out", report.died_out},
          {"events", report.events},
          {"plain_runs_needed", report.runs_needed}};
}

}  // namespace

std::string StudyReport::rare_text() const {
  if (!study_.rare) return {};
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
