#include "campaigns/studies/study_plan.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "campaigns/runs/points.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/dimension.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/sensitivity.h"
#include "scenarios/language/config_warnings.h"
#include "scenarios/language/loader.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using scenarios::Diagnostic;

std::vector<std::string> overrides_of(const std::vector<Setting>& settings) {
  std::vector<std::string> overrides;
  overrides.reserve(settings.size());
  for (const Setting& each : settings) overrides.push_back(each.key + "=" + each.value);
  return overrides;
}

std::string line_of(const Study& study, std::uint32_t number) {
  std::ifstream file(study.file);
  std::string line;
  for (std::uint32_t at = 0; at < number && std::getline(file, line);) ++at;
  return line;
}

// A problem of an override is one of the study file: at the place of its key.
Diagnostic blame_study(Diagnostic problem, const Study& study,
                       const std::vector<Setting>& settings) {
  if (problem.origin != scenarios::Origin::kOverride) return problem;
  for (const Setting& each : settings) {
    const std::string override = each.key + "=" + each.value;
    if (problem.file.find(override) == std::string::npos) continue;
    problem.file = study.file;
    problem.line = each.place.line;
    problem.column = each.place.column;
    problem.source_line = line_of(study, each.place.line);
    problem.message = fmt::format("{}: {}", override, problem.message);
    problem.origin = scenarios::Origin::kFile;
    break;
  }
  return problem;
}

std::string keys_of(const Choice& choice) {
  std::string keys;
  for (const Setting& each : choice.settings) keys += (keys.empty() ? "" : ", ") + each.key;
  return keys;
}

// The keys of an axis and one choice of their values; "case" and a label where a choice of the axis
// has one, "settings" where its choices set unlike keys.
analysis::Parameter choice_of(const Axis& axis, std::size_t place) {
  const Choice& choice = axis.choices[place];
  const std::string keys = keys_of(choice);
  const auto labelled = [](const Choice& each) { return !each.label.empty(); };
  const auto unlike = [&](const Choice& each) { return keys_of(each) != keys; };
  const bool by_label = std::ranges::any_of(axis.choices, labelled);
  const bool named = by_label || std::ranges::any_of(axis.choices, unlike);
  if (labelled(choice)) return {"case", choice.label};
  std::string values;
  for (const Setting& each : choice.settings) {
    values += (values.empty() ? "" : ", ") + (named ? each.key + "=" + each.value : each.value);
  }
  return {by_label ? "case" : named ? std::string(kSettingsAxis) : keys, values};
}

// Counts through all combinations, the last axis fastest.
class Odometer {
 public:
  explicit Odometer(const std::vector<Axis>& axes) : axes_(axes), at_(axes.size()) {}

  std::vector<Setting> settings() const {
    std::vector<Setting> all;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const std::vector<Setting>& choice = axes_[i].choices[at_[i]].settings;
      all.insert(all.end(), choice.begin(), choice.end());
    }
    return all;
  }
  std::string label() const {
    std::string label;
    const auto add = [&](const std::string& part) { label += (label.empty() ? "" : ", ") + part; };
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Choice& choice = axes_[i].choices[at_[i]];
      if (!choice.label.empty()) {
        add(choice.label);
        continue;
      }
      for (const Setting& each : choice.settings) add(each.key + "=" + each.value);
    }
    return label.empty() ? "the base scenario" : label;
  }
  std::vector<analysis::Parameter> choices() const {
    std::vector<analysis::Parameter> list;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (!axes_[i].drawn) {
        list.push_back(choice_of(axes_[i], at_[i]));
        continue;
      }
      for (const Setting& each : axes_[i].choices[at_[i]].settings) {
        list.push_back({each.key, each.value});
      }
    }
    return list;
  }
  bool advance() {
    for (std::size_t i = axes_.size(); i-- > 0;) {
      if (++at_[i] < axes_[i].choices.size()) return true;
      at_[i] = 0;
    }
    return false;
  }

 private:
  const std::vector<Axis>& axes_;
  std::vector<std::size_t> at_;
};

// The values of a configuration by key.
class Values {
 public:
  explicit Values(const scenarios::Config& config) {
    for (auto& [key, value] : scenarios::key_values(config)) values_.emplace(key, value);
  }
  std::optional<Condition::Operand> operator()(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    return Condition::Operand{quantity_of(found->second), found->second};
  }
  bool knows(const std::string& name) const { return values_.contains(name); }
  std::optional<std::string> text_of(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> list;
    for (const auto& [key, value] : values_) list.push_back(key);
    return list;
  }

 private:
  std::map<std::string, std::string> values_{};
};

void add_once(std::vector<Diagnostic>& list, Diagnostic each) {
  const bool known = std::ranges::any_of(list, [&](const Diagnostic& other) {
    return other.file == each.file && other.line == each.line && other.message == each.message;
  });
  if (!known) list.push_back(std::move(each));
}

// One of those that differ in numbers only, and how many more there are.
std::vector<Diagnostic> without_alike(std::vector<Diagnostic> list) {
  const auto words = [](const Diagnostic& each) {
    std::string text = fmt::format("{}:{}:{}", each.file, each.line, each.column);
    std::ranges::copy_if(each.message, std::back_inserter(text),
                         [](char c) { return c < '0' || c > '9'; });
    return text;
  };
  std::vector<Diagnostic> kept;
  std::map<std::string, std::pair<std::size_t, std::size_t>> known;  // place in `kept`, and others
  for (Diagnostic& each : list) {
    const auto [found, fresh] = known.try_emplace(words(each), kept.size(), 0);
    if (fresh) {
      kept.push_back(std::move(each));
    } else {
      ++found->second.second;
    }
  }
  for (const auto& [text, place] : known) {
    if (place.second == 0) continue;
    kept[place.first].message +=
        fmt::format(" (and so, with other numbers, {})",
                    place.second == 1 ? std::string("another point")
                                      : fmt::format("{} more points", place.second));
  }
  return kept;
}

Diagnostic about(const Study& study, std::string message, std::string hint) {
  return {.file = study.file, .message = std::move(message), .hint = std::move(hint)};
}

Diagnostic about(const Study& study, const Condition& condition, std::string message,
                 std::string hint) {
  return {.file = study.file,
          .line = condition.line,
          .column = condition.column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

// Whether all conditions hold; nothing, and a problem, if one cannot be evaluated.
std::optional<bool> all_hold(const std::vector<Condition>& conditions, const Study& study,
                             const Values& values, std::vector<Diagnostic>& problems) {
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

// Conditions on keys, before any point is planned: names, units and words.
class ConditionCheck {
 public:
  ConditionCheck(const Study& study, const Values& values, std::vector<Diagnostic>& problems)
      : study_(study), values_(values), problems_(problems) {}

  void all() {
    for (const auto* conditions : {&study_.where, &study_.among}) {
      for (const Condition& each : *conditions) check(each);
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
    if (!values_.knows(key) || values_.knows(word) || quantity_of(word)) return;
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
  const Values& values_;
  std::vector<Diagnostic>& problems_;
};

// Gates, terms and targets on figures that this workload has not.
void check_measured(const Study& study, const scenarios::Config& config,
                    std::vector<Diagnostic>& problems) {
  const bool registry = config.registry_only();
  const auto refuse = [&](const std::string& name, std::uint32_t line, std::uint32_t column) {
    if (!is_metric(name) || is_measured(name, registry)) return;
    add_once(problems,
             {.file = study.file,
              .line = line,
              .column = column,
              .message = fmt::format("no run of this study measures {}", name),
              .hint = registry ? "a registry-only workload has latency.insert and latency.look_up"
                               : "latency.insert and load belong to a registry-only workload"});
  };
  for (const auto* conditions : {&study.gates, &study.subject_to}) {
    for (const Condition& each : *conditions) {
      for (const std::string& name : each.names()) refuse(name, each.line, each.column);
    }
  }
  for (const Precision& each : study.precision) refuse(each.metric, 0, 0);
  if (!study.best.empty()) refuse(study.best, 0, 0);
}

// A study without points, or without those that it is about.
void check_what_is_left(const StudyPlan& plan, std::vector<Diagnostic>& problems) {
  const Study& of = plan.study();
  if (of.sample && needs_all_points(of.sample->kind) && plan.excluded() > 0) {
    problems.push_back(
        about(of, of.where.front(),
              fmt::format("`where` leaves out {} points, and a {} design needs all of its points",
                          plan.excluded(), name_of(of.sample->kind)),
              "narrow the ranges in [sample.over] instead, or draw an lhs or sobol design"));
  } else if (plan.points().empty()) {
    problems.push_back(
        about(of, of.where.front(),
              fmt::format("`where` admits none of the {} combinations", plan.excluded()),
              "loosen a condition, or add values to [grid]"));
  } else if (std::ranges::none_of(plan.points(), &StudyPoint::among)) {
    problems.push_back(
        about(of, of.among.front(),
              fmt::format("`among` admits none of the {} points", plan.points().size()),
              "loosen a condition of it, or add the values that it names to [grid]"));
  }
}

}  // namespace

RunSpec StudyPlan::spec_of(std::uint64_t number) const {
  RunSpec spec{points_[point_of(number)].config, point_of(number), study_.base.string(),
               overrides_of_run(number)};
  spec.config.run.seed = seed_of(number);
  return spec;
}

std::vector<std::string> StudyPlan::overrides_of_run(std::uint64_t number) const {
  std::vector<std::string> overrides = overrides_of(study_.common);
  for (const auto& [name, value] : points_[point_of(number)].parameters) {
    overrides.push_back(name + "=" + value);
  }
  return overrides;
}

std::string StudyPlan::replay_of(std::uint64_t number) const {
  return replay_line(study_.base.string(), overrides_of_run(number), seed_of(number));
}

std::uint64_t StudyPlan::overloaded() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(points_, [](const StudyPoint& point) {
    return !point.predicted.empty() && point.predicted.front().cannot_keep_up();
  }));
}

StudyPlan::Cost StudyPlan::cost_of(const StudyPoint& point) {
  // Seconds of a core, from docs/RESULTS.md, "What a run costs".
  constexpr double kSecondsPerClick = 160e-6;
  constexpr double kSecondsPerOperation = 16e-6;
  constexpr double kSecondsPerSimulatedSecond = 0.2e-3;  // timers, heartbeats, scans
  constexpr double kBytesOfRegistryRun = 15e3, kBytesOfClickRun = 90e3;
  const bool registry = point.config.registry_only();
  const std::chrono::duration<double> length =
      point.config.run.duration.value_or(scenarios::Duration{0});
  const scenarios::Workload& workload = point.config.workload;
  const bool synthetic = workload.kind == scenarios::WorkloadKind::kSynthetic;
  const double load = synthetic ? static_cast<double>(workload.synthetic.clicks)
                                : scenarios::offered_per_second(point.config) * length.count();
  Cost cost;
  cost.replays_log = workload.kind == scenarios::WorkloadKind::kTrace;
  cost.bytes = registry ? kBytesOfRegistryRun : kBytesOfClickRun;
  cost.core_seconds = load * (registry ? kSecondsPerOperation : kSecondsPerClick) +
                      length.count() * kSecondsPerSimulatedSecond;
  return cost;
}

StudyPlan::Cost StudyPlan::cost(std::uint64_t replications) const {
  Cost sum;
  for (const StudyPoint& point : points_) {
    const Cost one = cost_of(point);
    sum.replays_log = sum.replays_log || one.replays_log;
    sum.bytes += one.bytes * static_cast<double>(replications);
    sum.core_seconds += one.core_seconds * static_cast<double>(replications);
  }
  return sum;
}

analysis::CampaignIdentity StudyPlan::identity(const std::string& model_version) const {
  analysis::CampaignIdentity identity;
  for (const StudyPoint& point : points_) {
    identity.points.push_back(campaigns::point_of(point.label, point.config));
  }
  identity.model_version = model_version;
  return identity;
}

PlanResult plan_study(Study study) {
  PlanResult result;
  StudyPlan& plan = result.plan;
  plan.study_ = std::move(study);
  const Study& of = plan.study_;
  Odometer odometer(of.axes);
  bool checked = false;
  std::map<std::string, std::string> labels;  // of points, by their configurations
  std::vector<Diagnostic> warnings;
  do {
    const std::vector<Setting> varied = odometer.settings();
    std::vector<Setting> all = of.common;
    all.insert(all.end(), varied.begin(), varied.end());
    const scenarios::LoadResult loaded = scenarios::load(of.base, overrides_of(all));
    if (!loaded) {
      for (const Diagnostic& each : loaded.diagnostics()) {
        add_once(result.problems, blame_study(each, of, all));
      }
      continue;
    }
    const Values values(loaded.config());
    if (!std::exchange(checked, true)) {
      ConditionCheck(of, values, result.problems).all();
      check_measured(of, loaded.config(), result.problems);
      if (!result.problems.empty()) return result;
    }
    const auto admits = all_hold(of.where, of, values, result.problems);
    if (!admits.value_or(false)) {
      ++plan.excluded_;
      continue;
    }
    StudyPoint point;
    for (const Setting& each : varied) point.parameters.push_back({each.key, each.value});
    point.label = odometer.label();
    point.choices = odometer.choices();
    point.config = loaded.config();
    point.among = all_hold(of.among, of, values, result.problems).value_or(false);
    point.predicted = scenarios::predicted_use(point.config);
    const auto [twin, fresh] = labels.emplace(scenarios::to_toml(point.config), point.label);
    if (!fresh) {
      add_once(result.problems, about(of,
                                      fmt::format("two points are one configuration: {}, and {}",
                                                  twin->second, point.label),
                                      "leave one of them out"));
    }
    plan.points_.push_back(std::move(point));
    for (const Diagnostic& each : loaded.warnings()) {
      if (each.message.starts_with(scenarios::kCannotKeepUp)) continue;  // the plan says it
      add_once(warnings, blame_study(each, of, all));
    }
  } while (odometer.advance());
  result.warnings = without_alike(std::move(warnings));
  result.problems = without_alike(std::move(result.problems));
  if (result.problems.empty()) check_what_is_left(plan, result.problems);
  return result;
}

}  // namespace photonsim::campaigns
