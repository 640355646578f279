// The text of a plan: its cost, and one row for each point with the limit that is used most.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/point_columns.h"
#include "campaigns/study_report.h"
#include "campaigns/text_table.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

constexpr const char* kNotPredicted =
    "mean use, without faults; what waits (searches of logs, retries of clicks whose query is "
    "late) adds to it, and only runs show that\n";

std::string use_text(const StudyPoint& point) {
  if (point.predicted.empty()) return "";
  const scenarios::PredictedUse& first = point.predicted.front();
  const bool range = first.utilisation_most > first.utilisation;
  return fmt::format(
      "{:.0f}{} % of {}", 100 * first.utilisation,
      range ? fmt::format(" to {:.0f}", 100 * first.utilisation_most) : std::string(), first.name);
}

// "12 points, 2 to 5 replications each: 24 runs to 60"
std::string size_text(const StudyPlan& plan) {
  const Study& study = plan.study();
  const std::uint64_t points = plan.points().size(), least = study.least_replications;
  if (study.search) {
    const Search& search = *study.search;
    return fmt::format(
        "a search of at most {}, {} replications each, and {} more of the {} best: {} runs\nits "
        "first "
        "{} stand below; those decide where it goes on",
        analysis::counted(search.points, "point"), least, search.confirmations, search.confirm,
        plan.runs(), points);
  }
  const bool fixed = study.most_replications == least;
  return fmt::format(
      "{}, {}{} replications each: {} runs{}", analysis::counted(points, "point"), least,
      fixed ? std::string() : fmt::format(" to {}", study.most_replications), points * least,
      fixed ? std::string() : fmt::format(" to {}", points * study.most_replications));
}

}  // namespace

std::string plan_text(const StudyPlan& plan) {
  const Study& study = plan.study();
  std::string text = fmt::format("{}: {}\n", study.name, size_text(plan));
  if (!study.question.empty()) text += study.question + "\n";
  StudyPlan::Cost cost = plan.cost(study.least_replications);
  // Points that a search will choose cost what its first ones do.
  const double share = static_cast<double>(plan.runs()) /
                       static_cast<double>(plan.points().size() * study.least_replications);
  cost.core_seconds *= share;
  cost.bytes *= share;
  text += cost.replays_log
              ? std::string("how long a replayed log takes is not known before a run")
              : fmt::format("about {} on one core", analysis::spoken(cost.core_seconds));
  text += fmt::format(", and {:.1f} MB of results\n", cost.bytes / 1e6);
  if (plan.overloaded() > 0) {
    text += fmt::format("{} CANNOT KEEP UP, by theory\n",
                        analysis::counted(plan.overloaded(), "point"));
  }
  if (plan.excluded() > 0) {
    text += fmt::format("`where` excludes {}\n", analysis::counted(plan.excluded(), "combination"));
  }
  const PointColumns columns(plan.points());
  std::vector<std::string> headers = columns.headers();
  headers.emplace_back("predicted use");
  headers.emplace_back("where");
  headers.emplace_back("");
  TextTable table(std::move(headers));
  for (const StudyPoint& point : plan.points()) {
    std::vector<std::string> cells = columns.cells(point);
    if (point.predicted.empty()) {
      cells.emplace_back("not known before the run");
    } else {
      const scenarios::PredictedUse& first = point.predicted.front();
      cells.push_back(use_text(point));
      cells.push_back(first.where);
      cells.emplace_back(first.cannot_keep_up()       ? "CANNOT KEEP UP"
                         : first.cannot_at_its_peak() ? "CANNOT KEEP UP at its peak"
                         : first.may_not_keep_up()    ? "may not keep up"
                                                      : "");
    }
    table.row(std::move(cells));
  }
  return text + "\n" + table.text() + kNotPredicted;
}

}  // namespace photonsim::campaigns
