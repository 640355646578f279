#include "campaigns/studies/study_keys.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/explain/wrapped.h"

namespace photonsim::campaigns {
namespace {

constexpr std::string_view kStated = "must be stated";
constexpr std::string_view kNone = "none";

constexpr std::array kStudyKeys{
    StudyKey{"", "base", "", kStated, "The scenario that all points vary, relative to the study."},
    StudyKey{"", "name", "", "the file's name", "The study's name in reports."},
    StudyKey{"", "question", "", kNone, "A sentence that reports print."},
    StudyKey{"", "where", "", kNone,
             "Conditions on keys of scenarios; combinations that miss one are left out."},
    StudyKey{"", "set", "", kNone,
             "A table of keys of scenarios with one value each, for all "
             "points."},
    StudyKey{"", "grid", "", kNone,
             "A table of keys with lists of values: each value with each of the other keys."},
    StudyKey{"", "zip", "", kNone,
             "A table of keys with lists of one length: the first values of all keys together, "
             "then the second ones, and so on."},
    StudyKey{
        "", "list", "", kNone,
        "[[list]]: each table is one choice of keys with values; `label` names it in reports."},
    StudyKey{"", "sample", "", kNone, "A table: points that a design draws from ranges."},
    StudyKey{"", "search", "", kNone,
             "A table: points that are chosen one after the other for what [answer] asks."},
    StudyKey{"", "replications", "", kNone, "A table: the seeds of each point."},
    StudyKey{"", "precision", "", kNone,
             "A table of figures, each with the half-width that its interval is to reach: a share "
             "of the mean such as \"10%\", or a value with its unit. Points get more seeds until "
             "then."},
    StudyKey{"", "rare", "", kNone, "A table: how likely rare losses are, at each point."},
    StudyKey{"", "gates", "", kNone, "A table: conditions that each point must meet."},
    StudyKey{"", "answer", "", kNone, "A table: which point is the answer."},
    StudyKey{"", "claim", "", kNone,
             "[[claim]]: each table is a claim of a publication, with the band in which it is "
             "reproduced."},
    StudyKey{"", "chart", "", kNone,
             "[[chart]]: each table is a chart of the study's points, for the terminal and for "
             "reports."},
    StudyKey{"sample", "design", "", kStated, "lhs, sobol, morris or saltelli."},
    StudyKey{"sample", "over", "", kStated,
             "A table of keys, each with a list of choices or a range such as {from = 8, to = 256, "
             "scale = \"log\"}."},
    StudyKey{"sample", "points", "lhs, sobol", kStated, "The number of points."},
    StudyKey{"sample", "trajectories", "morris", kStated,
             "The number of trajectories; each has one point more than there are keys."},
    StudyKey{"sample", "rows", "saltelli", kStated,
             "The number of rows, a multiple of 16; each has two points more than there are keys."},
    StudyKey{"sample", "levels", "morris", "4",
             "The number of values that each key takes, even, at most 64."},
    StudyKey{"sample", "seed", "", "1", "The seed of the design."},
    StudyKey{"search", "over", "", kStated, "The keys to choose, as in [sample.over]."},
    StudyKey{"search", "points", "", kStated, "The most points to evaluate, at most 500."},
    StudyKey{"search", "first", "", "2 for each key, and 6",
             "How many of them are drawn before the first model."},
    StudyKey{"search", "together", "", "1",
             "How many are chosen at a time, at most 256: as many runs can execute at once."},
    StudyKey{"search", "confirm", "", "3", "How many of the best points are repeated."},
    StudyKey{"search", "confirmations", "", "10", "With how many fresh seeds each."},
    StudyKey{"search", "seed", "", "1", "The seed of the first points."},
    StudyKey{"replications", "min", "", "5", "Seeds of each point; all points have the same."},
    StudyKey{"replications", "max", "", "`min`", "The most seeds, if [precision] asks for more."},
    StudyKey{"replications", "first_seed", "", "1", "The first of these seeds."},
    StudyKey{"rare", "method", "", kStated, "forced_crash or splitting."},
    StudyKey{"rare", "crashes_per_day", "forced_crash", "0.1",
             "The rate at which one joiner really crashes."},
    StudyKey{"rare", "restart_after", "forced_crash", "that of the scenario",
             "How long the joiner is down after the forced crash."},
    StudyKey{"rare", "strata", "forced_crash", "1",
             "Parts of the measured time: as many consecutive seeds have one crash in each."},
    StudyKey{"rare", "importance", "splitting", "that of the scenario",
             "What levels count: joiner_window, open_clicks or open_operations."},
    StudyKey{"rare", "levels", "splitting", kStated,
             "Whole numbers, ascending: about one path in five should go from one to the next."},
    StudyKey{"rare", "effort", "splitting", "that of the scenario", "Paths of each stage."},
    StudyKey{"gates", "expect", "", kNone,
             "Conditions on figures; the study ends with 1 if a point does not surely meet one."},
    StudyKey{"answer", "among", "", kNone, "Conditions on keys: the points that may be it."},
    StudyKey{"answer", "subject_to", "", kNone,
             "Conditions on figures that the answer surely meets."},
    StudyKey{"answer", "least", "", kNone,
             "Keys: the answer has the least of the first, then of the second, and so on."},
    StudyKey{"answer", "best", "", kNone, "Or a figure: the answer has the least of it."},
    StudyKey{"answer", "pareto", "", kNone,
             "Two figures or more: reports list the points that no other beats in all of them."},
    StudyKey{"answer", "metrics", "", kNone, "Figures to show besides those that it asks for."},
    StudyKey{"claim", "id", "", kStated, "The name of the claim, such as \"G-10\"."},
    StudyKey{"claim", "level", "", kStated,
             "E exact, M follows from the mechanism, C depends on calibrated inputs, T a trend "
             "alone, X refused."},
    StudyKey{"claim", "says", "", kStated, "What the publication says, in a few words."},
    StudyKey{"claim", "paper", "", kNone, "Its number, as in \"6 to 12 a second\"."},
    StudyKey{"claim", "source", "", kStated, "Where it says so."},
    StudyKey{
        "claim", "figure", "", "must be stated, but for X",
        "A figure, a product such as \"registry.transactions / load.seconds\", or a formula of "
        "figures."},
    StudyKey{"claim", "at", "", "all points",
             "Conditions on keys: the points that it is about. Of several the worst counts."},
    StudyKey{"claim", "beside", "", kNone,
             "Conditions on keys, of one point: the figure is divided by that of the same seed "
             "there."},
    StudyKey{"claim", "band", "", "must be stated, but for X",
             "A table such as {from = 6, to = 12}: the interval lies in it, ends included, or the "
             "claim is not reproduced."},
    StudyKey{"claim", "theory", "", kNone,
             "What theory says of the figure: a formula of figures, keys and closed forms."},
    StudyKey{"claim", "test", "", kNone,
             "In place of a figure: the test of this project that shows it, program and name."},
    StudyKey{"claim", "fixed", "", kNone, "What the publication fixes."},
    StudyKey{"claim", "open", "", kNone, "What it leaves open."},
    StudyKey{"claim", "reason", "", "must be stated for X",
             "Why nothing here can reproduce it, or what the band follows from."},
    StudyKey{
        "claim", "restated", "", kNone,
        "Why the band is not the one that was fixed before the first run; scorecards mark it."},
    StudyKey{"claim.band", "from", "", kNone, "The least value, in the unit of the figure."},
    StudyKey{"claim.band", "to", "", kNone, "The greatest value."},
    StudyKey{"claim.band", "share", "", kNone,
             "In their place: how far the ratio to theory may be from 1, such as \"3%\"."},
    StudyKey{"claim.band", "difference", "", kNone,
             "Or how far the figure may be from theory, in its unit."},
    StudyKey{"chart", "id", "", kStated, "The name of the chart, such as \"Fig 11\"."},
    StudyKey{"chart", "title", "", kStated, "What it shows, in a few words."},
    StudyKey{
        "chart", "x", "", kStated,
        "What its lines are drawn over: a formula of keys and figures, \"case\" for the labels "
        "of a [[list]], or a formula of \"time\", the seconds of a run (run.keep_series)."},
    StudyKey{"chart", "x_title", "", kNone, "What x is, in a few words."},
    StudyKey{"chart", "y_title", "", kNone, "What the lines are, in a few words."},
    StudyKey{"chart", "line", "", kStated,
             "[[chart.line]], or an array of tables: the figures that it draws."},
    StudyKey{"chart", "bound", "", kNone, "Curves over x: where all of them hold is shaded."},
    StudyKey{"chart.line", "label", "", kStated, "The line's name."},
    StudyKey{"chart.line", "figure", "", kStated,
             "A figure, a product, or a formula of figures, as in a claim."},
    StudyKey{"chart.line", "at", "", "all points", "Conditions on keys: the points of the line."},
    StudyKey{"chart.line", "beside", "", kNone,
             "Conditions on keys, of one point: the figure is divided by that of the same seed "
             "there."},
    StudyKey{"chart.line", "theory", "", kNone, "What theory says of the figure, drawn beside it."},
    StudyKey{"chart.bound", "label", "", kStated, "The bound's name."},
    StudyKey{"chart.bound", "formula", "", kStated, "A formula of \"x\"."},
    StudyKey{"chart.bound", "side", "", "below",
             "Where what holds lies: \"below\" the curve, or \"above\" it."},
};

// "sobol" is one of "lhs, sobol".
bool has(const StudyKey& key, std::string_view variant) {
  return key.variant.empty() || variant.empty() ||
         key.variant.find(variant) != std::string_view::npos;
}

}  // namespace

std::span<const StudyKey> study_keys() { return kStudyKeys; }

std::vector<std::string> keys_of(std::string_view table, std::string_view variant) {
  std::vector<std::string> names;
  for (const StudyKey& each : kStudyKeys) {
    if (each.table == table && has(each, variant)) names.emplace_back(each.name);
  }
  return names;
}

std::string full_name(const StudyKey& key) {
  return key.table.empty() ? std::string(key.name) : fmt::format("{}.{}", key.table, key.name);
}

std::vector<std::string> study_key_names() {
  std::vector<std::string> names;
  for (const StudyKey& each : kStudyKeys) names.push_back(full_name(each));
  return names;
}

std::optional<std::string> explain_study_key(std::string_view name) {
  constexpr std::size_t kColumns = 94;
  for (const StudyKey& each : kStudyKeys) {
    if (full_name(each) != name) continue;
    const std::string of = each.variant.empty() ? std::string() : fmt::format(", {}", each.variant);
    return fmt::format("{}: key of study files{}\n{}\n  default: {}\n", name, of,
                       photon::analysis::wrapped(std::string(each.meaning), kColumns, "  "),
                       each.fallback);
  }
  return std::nullopt;
}

std::string study_keys_text() {
  std::string text;
  for (const StudyKey& each : kStudyKeys) {
    const std::string of =
        each.variant.empty() ? std::string() : fmt::format(" ({})", each.variant);
    text += fmt::format("{}{}\n    {}\n    {}\n", full_name(each), of, each.fallback, each.meaning);
  }
  return text;
}

}  // namespace photonsim::campaigns
