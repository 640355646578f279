#include "campaigns/studies/study_plan.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "campaigns/runs/points.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/plan_checks.h"
#include "scenarios/language/config_warnings.h"
#include "scenarios/language/loader.h"

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
  if (labelled(choice)) return {std::string(kCase), choice.label};
  std::string values;
  for (const Setting& each : choice.settings) {
    values += (values.empty() ? "" : ", ") + (named ? each.key + "=" + each.value : each.value);
  }
  return {by_label ? std::string(kCase) : named ? std::string(kSettingsAxis) : keys, values};
}

// Counts through all combinations, the last axis fastest.
class Odometer {
 public:
  explicit Odometer(std::vector<Axis> axes) : axes_(std::move(axes)), at_(axes_.size()) {}

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
  std::vector<Axis> axes_;
  std::vector<std::size_t> at_;
};

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

// The scenario with these settings and those of all points. Nothing, and problems, if it is none.
std::optional<scenarios::Config> configured(const Study& study, const std::vector<Setting>& varied,
                                            std::vector<Diagnostic>& problems,
                                            std::vector<Diagnostic>& warnings) {
  std::vector<Setting> all = study.common;
  all.insert(all.end(), varied.begin(), varied.end());
  const scenarios::LoadResult loaded = scenarios::load(study.base, overrides_of(all));
  if (!loaded) {
    for (const Diagnostic& each : loaded.diagnostics()) {
      add_once(problems, blame_study(each, study, all));
    }
    return std::nullopt;
  }
  for (const Diagnostic& each : loaded.warnings()) {
    if (each.message.starts_with(scenarios::kCannotKeepUp)) continue;  // the plan says it
    add_once(warnings, blame_study(each, study, all));
  }
  return loaded.config();
}

StudyPoint planned_point(const std::vector<Setting>& varied, std::string label,
                         const scenarios::Config& config) {
  StudyPoint point;
  for (const Setting& each : varied) point.parameters.push_back({each.key, each.value});
  point.label = std::move(label);
  point.config = config;
  point.predicted = scenarios::predicted_use(point.config);
  return point;
}

// A search may go to any corner of its ranges: those of up to this many keys are tried at once.
void check_corners(const Study& study, std::vector<Diagnostic>& problems,
                   std::vector<Diagnostic>& warnings) {
  constexpr std::size_t kMostKeys = 6;
  const Search& search = *study.search;
  const std::size_t keys = std::min(search.factors.size(), kMostKeys);
  for (std::size_t corner = 0; corner < std::size_t{1} << keys; ++corner) {
    photon::analysis::SearchPoint point;
    for (std::size_t i = 0; i < search.factors.size(); ++i) {
      const bool high = ((corner >> (i % keys)) & 1U) != 0;
      point.push_back(high ? std::nextafter(1.0, 0.0) : 0.0);
    }
    (void)configured(study, choice_at(search, point).settings, problems, warnings);
  }
}

// As a comment: what a search looks for and how, apart from its size and its confirmations.
std::string search_settings(const Study& study) {
  std::vector<std::string> bounds;
  for (const Condition& term : study.subject_to) bounds.push_back(term.text());
  return fmt::format(
      "\n# search with seed {}, {} first, {} together, {} replications; best {}, least {}, "
      "pareto {}, subject to {}\n",
      study.search->seed, study.search->first, study.search->together, study.least_replications,
      study.best, fmt::join(study.least, ", "), fmt::join(study.pareto, ", "),
      fmt::join(bounds, ", "));
}

}  // namespace

std::vector<Diagnostic> StudyPlan::add(const std::vector<Choice>& choices) {
  std::vector<Diagnostic> problems, warnings;
  std::vector<StudyPoint> added;
  for (const Choice& choice : choices) {
    Axis axis{.choices = {choice}, .drawn = true};
    const Odometer odometer({std::move(axis)});
    const auto config = configured(study_, choice.settings, problems, warnings);
    if (!config) continue;
    StudyPoint& point =
        added.emplace_back(planned_point(choice.settings, odometer.label(), *config));
    point.choices = odometer.choices();
    point.among = all_hold(study_.among, study_, PointValues(*config), problems).value_or(false);
  }
  if (!problems.empty()) return problems;
  std::ranges::move(added, std::back_inserter(points_));
  return {};
}

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
  constexpr double kSecondsPerBusySecond = 0.2e-3;  // of simulated time: timers, heartbeats, scans
  constexpr double kSecondsPerIdleSecond = 1e-6;    // if heartbeats of idle shards are left out
  constexpr double kShareOfPath = 0.2;              // of a whole run
  constexpr double kBytesOfRegistryRun = 15e3, kBytesOfClickRun = 90e3;
  const bool registry = point.config.registry_only();
  const std::chrono::duration<double> length =
      point.config.run.duration.value_or(scenarios::Duration{0});
  const scenarios::Workload& workload = point.config.workload;
  const bool synthetic = workload.kind == scenarios::WorkloadKind::kSynthetic;
  const double load = synthetic ? static_cast<double>(workload.synthetic.clicks)
                                : scenarios::offered_per_second(point.config) * length.count();
  const scenarios::Network& network = point.config.network;
  const bool left_out =
      point.config.run.leave_out_rounds && network.loss == 0 && network.duplication == 0;
  // An operation keeps its shard busy for about a second.
  const double busy = left_out ? std::min(length.count(), load) : length.count();
  Cost cost;
  cost.replays_log = workload.kind == scenarios::WorkloadKind::kTrace;
  cost.bytes = registry ? kBytesOfRegistryRun : kBytesOfClickRun;
  cost.core_seconds = load * (registry ? kSecondsPerOperation : kSecondsPerClick) +
                      busy * kSecondsPerBusySecond +
                      (length.count() - busy) * kSecondsPerIdleSecond;
  const scenarios::Rare& rare = point.config.rare;
  if (!rare.levels.empty()) {
    // One replication is many paths, each of which ends at its level, or with the clicks.
    const auto paths = static_cast<double>(rare.levels.size() * rare.effort);
    cost.core_seconds *= paths * kShareOfPath;
  }
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

std::uint64_t StudyPlan::runs() const {
  const std::uint64_t least = study_.least_replications;
  if (!study_.search) return points_.size() * least;
  return study_.search->points * least + study_.search->confirm * study_.search->confirmations;
}

analysis::CampaignIdentity StudyPlan::identity(const std::string& model_version) const {
  analysis::CampaignIdentity identity;
  for (const StudyPoint& point : points_) {
    identity.points.push_back(campaigns::point_of(point.label, point.config));
  }
  // What chooses its points, too: another search that begins alike may go another way.
  if (study_.search && !identity.points.empty()) {
    identity.points.front().text += search_settings(study_);
  }
  identity.model_version = model_version;
  return identity;
}

namespace {

// Of the keys that a design draws, as the study has them without it.
std::map<std::string, std::string> undrawn_values(const Study& study) {
  std::map<std::string, std::string> values;
  if (!study.sample) return values;
  std::vector<Diagnostic> problems, warnings;
  const auto config = configured(study, {}, problems, warnings);
  if (!config) return values;
  const PointValues known(*config);
  for (const Factor& each : study.sample->factors) {
    if (const auto text = known.text_of(each.key)) values.emplace(each.key, *text);
  }
  return values;
}

}  // namespace

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
    std::vector<Diagnostic> of_point;
    const auto config = configured(of, varied, result.problems, of_point);
    if (!config) continue;
    const PointValues values(*config);
    if (!std::exchange(checked, true)) {
      PointValues known = values;
      known.put_case({});
      check_conditions(of, known, result.problems);
      check_measured(of, *config, result.problems);
      if (!result.problems.empty()) return result;
    }
    const auto admits = all_hold(of.where, of, values, result.problems);
    if (!admits.value_or(false)) {
      ++plan.excluded_;
      continue;
    }
    StudyPoint point = planned_point(varied, odometer.label(), *config);
    point.choices = odometer.choices();
    point.among = all_hold(of.among, of, values, result.problems).value_or(false);
    const auto [twin, fresh] = labels.emplace(scenarios::to_toml(point.config), point.label);
    if (!fresh) {
      add_once(result.problems, about(of,
                                      fmt::format("two points are one configuration: {}, and {}",
                                                  twin->second, point.label),
                                      "leave one of them out"));
    }
    plan.points_.push_back(std::move(point));
    for (Diagnostic& each : of_point) add_once(warnings, std::move(each));
  } while (odometer.advance());
  if (of.search && result.problems.empty()) check_corners(of, result.problems, warnings);
  result.warnings = without_alike(std::move(warnings));
  result.problems = without_alike(std::move(result.problems));
  if (result.problems.empty())
    check_what_is_left(of, plan.points_, plan.excluded_, result.problems);
  if (result.problems.empty()) {
    plan.undrawn_ = undrawn_values(of);
    plan.claims_ = claim_points(of, plan.points_, result.problems);
    plan.charts_ = chart_points(of, plan.points_, result.problems);
  }
  return result;
}

}  // namespace photonsim::campaigns
