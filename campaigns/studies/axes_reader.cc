#include "campaigns/studies/axes_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

using scenarios::Member;
using scenarios::Place;
using scenarios::Value;

// The choices of one key.
std::vector<Setting> AxesReader::choices_of(const std::string& key, const Member& member) {
  std::vector<Setting> choices;
  if (member.value.type != Value::Type::kArray || member.value.items.empty()) {
    tables_.report().add(member.place, fmt::format("'{}' needs an array of values", key),
                         "as in \"registry.shards\" = [1, 2, 4]");
    return choices;
  }
  for (const Value& item : member.value.items) {
    const auto value = tables_.override_text(item);
    if (!value) continue;
    choices.push_back({key, *value, item.place});
  }
  return choices;
}

void AxesReader::grid(const Value& table) {
  tables_.each_key(table, [&](const std::string& key, const Member& member) {
    claim(key, member.place);
    Axis axis;
    std::set<std::string> seen;
    for (Setting& choice : choices_of(key, member)) {
      if (!seen.insert(choice.value).second) {
        tables_.report().add(choice.place, fmt::format("'{}' is given {} twice", key, choice.value),
                             "each value is one point of the grid");
      }
      axis.choices.push_back({{}, {std::move(choice)}});
    }
    if (!axis.choices.empty()) study_.axes.push_back(std::move(axis));
  });
}

void AxesReader::zip(const Value& table) {
  Axis axis;
  std::string first;
  tables_.each_key(table, [&](const std::string& key, const Member& member) {
    claim(key, member.place);
    std::vector<Setting> choices = choices_of(key, member);
    if (choices.empty()) return;
    if (axis.choices.empty()) {
      first = key;
      axis.choices.resize(choices.size());
    }
    if (choices.size() != axis.choices.size()) {
      tables_.report().add(
          member.place,
          fmt::format("'{}' has {} values and '{}' has {}: [zip] takes them together", key,
                      choices.size(), first, axis.choices.size()),
          "give both as many, or use [grid]");
      return;
    }
    for (std::size_t i = 0; i < choices.size(); ++i) {
      axis.choices[i].settings.push_back(std::move(choices[i]));
    }
  });
  if (!axis.choices.empty()) study_.axes.push_back(std::move(axis));
}

void AxesReader::list(const Value& value) {
  if (value.type != Value::Type::kArray) return tables_.wrong(value, "[[list]] tables");
  Axis axis;
  std::set<std::string> keys;
  for (const Value& item : value.items) {
    Choice choice;
    tables_.settings(item, choice.settings);
    const auto label = std::ranges::find(choice.settings, "label", &Setting::key);
    if (label != choice.settings.end()) {
      choice.label = label->value;
      tables_.check_printable(choice.label, label->place);
      check_label(choice.label, label->place);
      choice.settings.erase(label);
    }
    for (const Setting& each : choice.settings) {
      if (keys.insert(each.key).second) claim(each.key, each.place);
    }
    axis.choices.push_back(std::move(choice));
  }
  if (!axis.choices.empty()) study_.axes.push_back(std::move(axis));
}

void AxesReader::claim(const std::string& key, Place place) {
  if (key == "run.seed") {
    tables_.report().add(place, "the replications of a point have seeds of their own",
                         "leave run.seed out; first_seed in [replications] is the first of them");
  }
  const bool common = std::ranges::find(study_.common, key, &Setting::key) != study_.common.end();
  if (common) {
    tables_.report().add(place, fmt::format("'{}' stands in [set] and varies too", key),
                         "leave it in one of the two");
  }
  if (claimed_.insert(key).second) return;
  tables_.report().add(place, fmt::format("'{}' varies in two places of this study", key),
                       "leave it in one of [grid], [zip] and [[list]]");
}

// Two choices of [[list]] with one label cannot be told apart in a report.
void AxesReader::check_label(const std::string& label, Place place) {
  if (label.empty() || labels_.insert(label).second) return;
  tables_.report().add(place, fmt::format("the label '{}' is there twice", label),
                       "give each [[list]] a label of its own");
}

}  // namespace photonsim::campaigns
