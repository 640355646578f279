#include "campaigns/studies/plan_checks.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "analysis/results/series_metrics.h"
#include "campaigns/studies/dimension.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/sensitivity.h"
#include "campaigns/studies/series_figures.h"
#include "scenarios/language/loader.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

using scenarios::Diagnostic;

PointValues::PointValues(const scenarios::Config& config) {
  for (auto& [key, value] : scenarios::key_values(config)) values_.emplace(key, value);
}

std::optional<Condition::Operand> PointValues::operator()(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return Condition::Operand{quantity_of(found->second), found->second};
}

std::optional<std::string> PointValues::text_of(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> PointValues::keys() const {
  std::vector<std::string> list;
  for (const auto& [key, value] : values_) list.push_back(key);
  return list;
}

void add_once(std::vector<Diagnostic>& list, Diagnostic each) {
  const bool known = std::ranges::any_of(list, [&](const Diagnostic& other) {
    return other.file == each.file && other.line == each.line && other.message == each.message;
  });
  if (!known) list.push_back(std::move(each));
}

Diagnostic about(const Study& study, std::string message, std::string hint) {
  return {.file = study.file, .message = std::move(message), .hint = std::move(hint)};
}

namespace {

Diagnostic about(const Study& study, const Condition& condition, std::string message,
                 std::string hint) {
  return {.file = study.file,
          .line = condition.line,
          .column = condition.column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

}  // namespace

std::optional<bool> all_hold(const std::vector<Condition>& conditions, const Study& study,
                             const PointValues& values, std::vector<Diagnostic>& problems) {
  for (const Condition& condition : conditions) {
    std::string problem;
    const auto holds = condition.evaluate(std::cref(values), problem);
    if (!holds) {
      add_once(problems, about(study, condition, problem,
                               "write keys as photonsim explain lists them, and units as in "
                               "scenarios"));
      return std::nullopt;
    }
    if (!*holds) return false;
  }
  return true;
}

namespace {

// Conditions on keys, before any point is planned: names, units and words.
class ConditionCheck {
 public:
  ConditionCheck(const Study& study, const PointValues& values, std::vector<Diagnostic>& problems)
      : study_(study), values_(values), problems_(problems) {}

  void all() {
    for (const auto* conditions : {&study_.where, &study_.among}) {
      for (const Condition& each : *conditions) check(each);
    }
    for (const StudyFigure* figure : study_.figures()) {
      for (const auto* conditions : {&figure->at, &figure->beside}) {
        for (const Condition& each : *conditions) check(each);
      }
    }
    for (const std::string& name : study_.least) {
      if (values_.knows(name)) continue;
      add_once(problems_, about(study_, fmt::format("answer.least: there is no key '{}'", name),
                                "photonsim explain lists the keys"));
    }
  }

 private:
  void check(const Condition& condition) {
    const std::vector<std::string> names = condition.names();
    const bool has_key =
        std::ranges::any_of(names, [&](const std::string& name) { return values_.knows(name); });
    for (const std::string& name : names) {
      // A word may be the value of the key on the other side.
      const bool word = has_key && name.find('.') == std::string::npos;
      if (values_.knows(name) || word) continue;
      return add_once(problems_,
                      about(study_, condition,
                            fmt::format("`{}`: there is no key '{}'", condition.text(), name),
                            suggestion(name)));
    }
    const std::string misfit = misfit_of(condition, [&](std::string_view word) {
      return dimension_of_quantity(values_.text_of(std::string(word)).value_or(std::string(word)));
    });
    if (!misfit.empty()) return add_once(problems_, about(study_, condition, misfit, {}));
    for (const auto& [one, other] : {std::pair(&condition.left(), &condition.right()),
                                     std::pair(&condition.right(), &condition.left())}) {
      if (one->size() == 1 && other->size() == 1) {
        check_word(condition, one->front().text, other->front().text);
      }
    }
  }

  std::string suggestion(const std::string& name) const {
    for (const std::string& key : values_.keys()) {
      if (key.ends_with("." + name)) return fmt::format("did you mean \"{}\"?", key);
    }
    return scenarios::suggest(name, values_.keys());
  }

  // A word beside a key must be one of its values, as --set takes them.
  void check_word(const Condition& condition, const std::string& key, const std::string& word) {
    if (key == kCase || !values_.knows(key) || values_.knows(word) || quantity_of(word)) return;
    const std::vector<std::string> overrides{key + "=" + word};
    const scenarios::LoadResult loaded = scenarios::load(study_.base, overrides);
    if (loaded) return;
    for (const Diagnostic& each : loaded.diagnostics()) {
      if (each.origin != scenarios::Origin::kOverride) continue;
      return add_once(problems_,
                      about(study_, condition,
                            fmt::format("`{}`: {}", condition.text(), each.message), each.hint));
    }
  }

  const Study& study_;
  const PointValues& values_;
  std::vector<Diagnostic>& problems_;
};

}  // namespace

void check_conditions(const Study& study, const PointValues& values,
                      std::vector<Diagnostic>& problems) {
  ConditionCheck(study, values, problems).all();
}

void check_measured(const Study& study, const scenarios::Config& config,
                    std::vector<Diagnostic>& problems) {
  const bool registry = config.registry_only();
  const auto refuse = [&](const std::string& name, std::uint32_t line, std::uint32_t column) {
    if (!is_metric(name)) return;
    if (photon::analysis::is_of_series(name) && !config.run.keep_series) {
      return add_once(problems, {.file = study.file,
                                 .line = line,
                                 .column = column,
                                 .message = fmt::format("no run of this study keeps {}", name),
                                 .hint = "set \"run.keep_series\" = true"});
    }
    if (is_measured(name, registry)) return;
    add_once(problems,
             {.file = study.file,
              .line = line,
              .column = column,
              .message = fmt::format("no run of this study measures {}", name),
              .hint = registry ? "a registry-only workload has latency.insert and latency.look_up"
                               : "latency.insert and load belong to a registry-only workload"});
  };
  for (const StudyFigure* figure : study.figures()) {
    const scenarios::Place place = figure->place;
    for (const std::string& each : figure->figure_names()) refuse(each, place.line, place.column);
    if (!figure->theory) continue;
    for (const std::string& name : figure->theory->names()) {
      if (is_metric(name)) refuse(name, place.line, place.column);
    }
  }
  for (const Chart& chart : study.charts) {
    if (chart.across != Chart::Across::time) continue;
    for (const ChartLine& line : chart.lines) {
      for (const std::string& name : line.figure_names()) {
        refuse(of_interval(name, 0), line.place.line, line.place.column);
      }
    }
  }
  for (const auto* conditions : {&study.gates, &study.subject_to}) {
    for (const Condition& each : *conditions) {
      for (const std::string& name : each.names()) refuse(name, each.line, each.column);
    }
  }
  for (const Precision& each : study.precision) refuse(each.metric, 0, 0);
  if (!study.best.empty()) refuse(study.best, 0, 0);
  for (const std::string& each : study.pareto) refuse(each, 0, 0);
}

void check_what_is_left(const Study& of, const std::vector<StudyPoint>& points,
                        std::uint64_t excluded, std::vector<Diagnostic>& problems) {
  if (of.sample && needs_all_points(of.sample->kind) && excluded > 0) {
    problems.push_back(
        about(of, of.where.front(),
              fmt::format("`where` leaves out {} points, and a {} design needs all of its points",
                          excluded, name_of(of.sample->kind)),
              "narrow the ranges in [sample.over] instead, or draw an lhs or sobol design"));
  } else if (points.empty()) {
    problems.push_back(about(of, of.where.front(),
                             fmt::format("`where` admits none of the {} combinations", excluded),
                             "loosen a condition, or add values to [grid]"));
  } else if (std::ranges::none_of(points, &StudyPoint::among)) {
    problems.push_back(about(
        of, of.among.front(), fmt::format("`among` admits none of the {} points", points.size()),
        "loosen a condition of it, or add the values that it names to [grid]"));
  }
}

}  // namespace photonsim::campaigns
