#include "campaigns/studies/figure_points.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/plan_checks.h"
#include "campaigns/studies/series_figures.h"
#include "campaigns/studies/study_plan.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {
namespace {

using scenarios::Diagnostic;

// What a figure is called in messages, and the formulas that are of its points.
struct Asked {
  std::string name{};  // "claim G-10"
  const StudyFigure* figure = nullptr;
  std::vector<const Formula*> formulas{};
  bool over_time = false;
};

class PointsOfFigures {
 public:
  PointsOfFigures(const Study& study, const std::vector<StudyPoint>& points,
                  std::vector<Diagnostic>& problems)
      : study_(study), points_(points), problems_(problems) {}

  FigurePoints of(const Asked& asked) {
    FigurePoints found;
    const StudyFigure& figure = *asked.figure;
    if (figure.figure.empty()) return found;
    std::vector<std::size_t> others;
    for (std::size_t point = 0; point < points_.size(); ++point) {
      PointValues values(points_[point].config);
      for (const auto& [name, value] : points_[point].choices) {
        if (name == kCase) values.put_case(value);
      }
      const bool beside =
          !figure.beside.empty() && all_hold(figure.beside, study_, values, problems_) == true;
      if (beside) others.push_back(point);
      if (all_hold(figure.at, study_, values, problems_) != true) continue;
      found.at.push_back(point);
      found.keys.push_back(keys_of(asked, values));
    }
    if (!figure.beside.empty()) {
      if (others.size() != 1) {
        complain(asked, fmt::format("`beside` admits {} points; it is about one", others.size()));
        return found;
      }
      found.beside = others.front();
      leave_out(found, others.front());
    }
    if (found.at.empty()) complain(asked, "`at` admits no point");
    if (asked.over_time && found.at.size() > 1) {
      complain(asked,
               fmt::format("`at` admits {} points; over time a line is of one", found.at.size()));
    }
    return found;
  }

 private:
  // A point does not stand beside itself.
  static void leave_out(FigurePoints& points, std::size_t point) {
    const auto itself = std::ranges::find(points.at, point);
    if (itself == points.at.end()) return;
    points.keys.erase(points.keys.begin() + (itself - points.at.begin()));
    points.at.erase(itself);
  }

  // Of the names of its formulas those that are keys.
  std::map<std::string, double> keys_of(const Asked& asked, const PointValues& values) {
    std::map<std::string, double> keys;
    if (asked.over_time) {
      for (const std::string_view key : {kRunWarmUp, kRunDuration}) {
        const auto time = values(std::string(key));
        if (time && time->number) keys.emplace(key, *time->number);
      }
    }
    for (const Formula* formula : asked.formulas) {
      for (const std::string& name : formula->names()) {
        if (is_metric(name)) continue;
        if (asked.over_time && (name == kTime || is_metric(of_interval(name, 0)))) continue;
        const auto operand = values(name);
        if (operand && operand->number) {
          keys.emplace(name, *operand->number);
        } else {
          complain(asked,
                   fmt::format("`{}`: '{}' is no figure, and no key with a number", formula->text(),
                               name),
                   name_hint(name, values));
        }
      }
    }
    return keys;
  }

  // The nearest figure or key.
  static std::string name_hint(const std::string& name, const PointValues& values) {
    const std::string metric = closest_metric(name);
    const std::string key = scenarios::closest(name, values.keys());
    const bool has_metric =
        !metric.empty() && (key.empty() || scenarios::edit_distance(name, metric) <=
                                               scenarios::edit_distance(name, key));
    const std::string& near = has_metric ? metric : key;
    return near.empty() ? "`photonsim explain metrics` lists figures, `photonsim explain` keys"
                        : fmt::format("did you mean \"{}\"?", near);
  }

  void complain(const Asked& asked, std::string message,
                std::string hint = "`photonsim plan` lists the points of a study") {
    add_once(problems_, {.file = study_.file,
                         .line = asked.figure->place.line,
                         .column = asked.figure->place.column,
                         .message = fmt::format("{}: {}", asked.name, std::move(message)),
                         .hint = std::move(hint)});
  }

  const Study& study_;
  const std::vector<StudyPoint>& points_;
  std::vector<Diagnostic>& problems_;
};

std::vector<const Formula*> stated(std::initializer_list<const std::optional<Formula>*> formulas) {
  std::vector<const Formula*> list;
  for (const auto* each : formulas) {
    if (*each) list.push_back(&**each);
  }
  return list;
}

// Where days are divided, a time of the run is none of the deployment (SPEC G-00e): a claim is
// about a share, or about the distance from theory.
void check_time_scale(const Study& study, const std::vector<StudyPoint>& points, const Claim& claim,
                      const FigurePoints& of_claim, std::vector<Diagnostic>& problems) {
  const bool divided = std::ranges::any_of(
      of_claim.at, [&](std::size_t point) { return points[point].config.scale.time > 1; });
  const bool by_theory =
      claim.against != Claim::Against::figure && claim.theory && !claim.theory->names().empty();
  const bool carries_over = by_theory || !claim.beside.empty() || dimension_of(claim).seconds == 0;
  if (!divided || carries_over) return;
  add_once(
      problems,
      {.file = study.file,
       .line = claim.place.line,
       .column = claim.place.column,
       .message = fmt::format("claim {}: `{}` is a time or a rate, and scale.time divides the "
                              "days of this run",
                              claim.id, claim.figure),
       .hint =
           "divide it by another time, state a band around a theory of figures or keys, or leave "
           "scale.time out"});
}

}  // namespace

std::vector<FigurePoints> claim_points(const Study& study, const std::vector<StudyPoint>& points,
                                       std::vector<Diagnostic>& problems) {
  std::vector<FigurePoints> list;
  PointsOfFigures search(study, points, problems);
  for (const Claim& claim : study.claims) {
    list.push_back(search.of({"claim " + claim.id, &claim, stated({&claim.theory})}));
    check_time_scale(study, points, claim, list.back(), problems);
  }
  return list;
}

std::vector<std::vector<FigurePoints>> chart_points(const Study& study,
                                                    const std::vector<StudyPoint>& points,
                                                    std::vector<Diagnostic>& problems) {
  std::vector<std::vector<FigurePoints>> list;
  PointsOfFigures search(study, points, problems);
  for (const Chart& chart : study.charts) {
    std::vector<FigurePoints>& of_chart = list.emplace_back();
    for (const ChartLine& line : chart.lines) {
      of_chart.push_back(
          search.of({fmt::format("chart {}, {}", chart.id, line.label), &line,
                     stated({&line.theory, &chart.x}), chart.across == Chart::Across::time}));
    }
  }
  return list;
}

}  // namespace photonsim::campaigns
