#include "campaigns/studies/study.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/gate_checks.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/override_text.h"
#include "scenarios/config/units.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/language/schema.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {
namespace {

using scenarios::Member;
using scenarios::Place;
using scenarios::Report;
using scenarios::Value;

constexpr std::array kKeys{"base", "name", "question",  "where", "set",    "grid",
                           "zip",  "list", "precision", "gates", "answer", "replications"};

// Reads the tree of a study file. Every problem goes into the report.
class StudyReader {
 public:
  StudyReader(Study& study, Report& report) : study_(study), report_(report) {}

  void read(const Value& root) {
    // Its other keys would be refused one by one.
    const Value* scenario = scenarios::find_member(root, "scenario");
    if (scenario != nullptr && scenarios::find_member(root, "base") == nullptr) {
      return report_.add(
          scenario->place, "this is a scenario, not a study",
          "`photonsim check` checks it, `photonsim run` runs it; a study names it as "
          "its `base`");
    }
    if (const Value* set = scenarios::find_member(root, "set")) settings(*set, study_.common);
    for (const Member& member : root.members) top(member);
    if (scenarios::find_member(root, "base") == nullptr) {
      report_.add({0, 1, 1}, "a study needs a base scenario",
                  "write base = \"FILE.toml\", relative to the study file");
    }
    check_points();
    check_precision();
    check_gates(all_of(study_.gates, study_.subject_to), report_);
    check_answer();
  }

 private:
  void top(const Member& member) {
    const std::string& name = member.name;
    const Value& value = member.value;
    if (name == "base") return read_base(value);
    if (name == "name") return text(value, study_.name);
    if (name == "question") return text(value, study_.question);
    if (name == "where") return conditions(value, study_.where);
    if (name == "set") return;
    if (name == "grid") return grid(value);
    if (name == "zip") return zip(value);
    if (name == "list") return list(value);
    if (name == "replications") return replications(value);
    if (name == "precision") return precision(value);
    if (name == "gates") return gates(value);
    if (name == "answer") return answer(value);
    const std::vector<std::string> known(kKeys.begin(), kKeys.end());
    report_.add(member.place, fmt::format("a study has no key '{}'", name),
                scenarios::suggest(name, known));
  }

  void wrong(const Value& value, std::string_view wanted, std::string example = {}) {
    report_.add(value.place,
                fmt::format("this is {}, not {}", scenarios::type_name(value.type), wanted),
                std::move(example));
  }

  void text(const Value& value, std::string& to) {
    if (value.type != Value::Type::kString) return wrong(value, "a string");
    check_printable(value.text, value.place);
    to = value.text;
  }

  // A line break in a label or a question would make a line of its own in reports.
  void check_printable(const std::string& text, Place place) {
    if (scenarios::is_text(text, scenarios::Controls::kRefused)) return;
    report_.add(place, "this text holds a control character, such as a line break",
                "write it on one line, in one direction");
  }

  void read_base(const Value& value) {
    std::string name;
    text(value, name);
    if (name.empty()) return;
    study_.base = std::filesystem::path(study_.file).parent_path() / name;
    std::error_code unknown;
    if (std::filesystem::exists(study_.base, unknown)) return;
    report_.add(value.place, fmt::format("there is no base scenario {}", study_.base.string()),
                "a base is looked for in the folder of the study file");
  }

  // One in quotes, or an array of them.
  static std::span<const Value> one_or_more(const Value& value) {
    return value.type == Value::Type::kArray ? std::span(value.items) : std::span(&value, 1);
  }

  void conditions(const Value& value, std::vector<Condition>& to) {
    if (value.type != Value::Type::kArray && value.type != Value::Type::kString) {
      return wrong(value, "a comparison, or an array of them", R"(as in ["registry.shards <= 4"])");
    }
    if (one_or_more(value).empty()) {
      report_.add(value.place, "there is no comparison here",
                  R"(write one, as in ["registry.shards <= 4"], or leave the line out)");
    }
    for (const Value& item : one_or_more(value)) {
      if (item.type != Value::Type::kString) {
        wrong(item, "a comparison in quotes");
        continue;
      }
      auto parsed = Condition::parse(item.text);
      if (parsed.condition) {
        parsed.condition->line = item.place.line;
        parsed.condition->column = item.place.column;
        to.push_back(*std::move(parsed.condition));
      } else {
        report_.add(item.place, parsed.problem);
      }
    }
  }

  // A value as the text that --set takes. Reports what is none.
  std::optional<std::string> override_text(const Value& value) {
    auto text = campaigns::override_text(value);
    if (!text) wrong(value, "a value of a key");
    return text;
  }

  void settings(const Value& table, std::vector<Setting>& to) {
    each_key(table, {}, [&](const std::string& key, const Member& member) {
      if (const auto value = override_text(member.value)) {
        to.push_back({key, *value, member.place});
      }
    });
  }

  // Of the study itself, but written below the line of a table. Reports it.
  bool stands_above(const Member& member) {
    static constexpr std::array<std::string_view, 4> kAbove{"base", "name", "question", "where"};
    if (std::ranges::find(kAbove, member.name) == kAbove.end()) return false;
    report_.add(member.place, fmt::format("'{}' belongs to the study, not to a table", member.name),
                "write it above the first line such as [set] or [grid]");
    return true;
  }

  // Keys may be written "a.b" = 1, or a.b = 1.
  template <class Visitor>
  void each_key(const Value& table, const std::string& before, Visitor&& visit) {
    if (table.type != Value::Type::kTable) return wrong(table, "a table of keys");
    for (const Member& member : table.members) {
      if (before.empty() && stands_above(member)) continue;
      const std::string key = before.empty() ? member.name : before + "." + member.name;
      if (member.value.type == Value::Type::kTable) {
        each_key(member.value, key, visit);
      } else {
        visit(key, member);
      }
    }
  }

  // The choices of one key.
  std::vector<Setting> choices_of(const std::string& key, const Member& member) {
    std::vector<Setting> choices;
    if (member.value.type != Value::Type::kArray || member.value.items.empty()) {
      report_.add(member.place, fmt::format("'{}' needs an array of values", key),
                  "as in \"registry.shards\" = [1, 2, 4]");
      return choices;
    }
    for (const Value& item : member.value.items) {
      const auto value = override_text(item);
      if (!value) continue;
      choices.push_back({key, *value, item.place});
    }
    return choices;
  }

  void grid(const Value& table) {
    each_key(table, {}, [&](const std::string& key, const Member& member) {
      claim(key, member.place);
      Axis axis;
      std::set<std::string> seen;
      for (Setting& choice : choices_of(key, member)) {
        if (!seen.insert(choice.value).second) {
          report_.add(choice.place, fmt::format("'{}' is given {} twice", key, choice.value),
                      "each value is one point of the grid");
        }
        axis.choices.push_back({{}, {std::move(choice)}});
      }
      if (!axis.choices.empty()) study_.axes.push_back(std::move(axis));
    });
  }

  void zip(const Value& table) {
    Axis axis;
    std::string first;
    each_key(table, {}, [&](const std::string& key, const Member& member) {
      claim(key, member.place);
      std::vector<Setting> choices = choices_of(key, member);
      if (choices.empty()) return;
      if (axis.choices.empty()) {
        first = key;
        axis.choices.resize(choices.size());
      }
      if (choices.size() != axis.choices.size()) {
        report_.add(member.place,
                    fmt::format("'{}' has {} values and '{}' has {}: [zip] takes them together",
                                key, choices.size(), first, axis.choices.size()),
                    "give both as many, or use [grid]");
        return;
      }
      for (std::size_t i = 0; i < choices.size(); ++i) {
        axis.choices[i].settings.push_back(std::move(choices[i]));
      }
    });
    if (!axis.choices.empty()) study_.axes.push_back(std::move(axis));
  }

  void list(const Value& value) {
    if (value.type != Value::Type::kArray) return wrong(value, "[[list]] tables");
    Axis axis;
    std::set<std::string> keys;
    for (const Value& item : value.items) {
      Choice choice;
      settings(item, choice.settings);
      const auto label = std::ranges::find(choice.settings, "label", &Setting::key);
      if (label != choice.settings.end()) {
        choice.label = label->value;
        check_printable(choice.label, label->place);
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

  void claim(const std::string& key, Place place) {
    if (key == "run.seed") {
      report_.add(place, "the replications of a point have seeds of their own",
                  "leave run.seed out; first_seed in [replications] is the first of them");
    }
    const bool common = std::ranges::find(study_.common, key, &Setting::key) != study_.common.end();
    if (common) {
      report_.add(place, fmt::format("'{}' stands in [set] and varies too", key),
                  "leave it in one of the two");
    }
    if (claimed_.insert(key).second) return;
    report_.add(place, fmt::format("'{}' varies in two places of this study", key),
                "leave it in one of [grid], [zip] and [[list]]");
  }

  void count(const Value& table, std::string_view name, std::uint64_t most, std::uint64_t& to) {
    const Value* value = scenarios::find_member(table, name);
    if (value == nullptr) return;
    const bool whole = value->type == Value::Type::kInteger && value->integer >= 1 &&
                       static_cast<std::uint64_t>(value->integer) <= most;
    if (!whole) {
      return report_.add(value->place,
                         fmt::format("'{}' must be a whole number from 1 to {}", name, most));
    }
    to = static_cast<std::uint64_t>(value->integer);
  }

  void refuse_others(const Value& table, std::string_view where,
                     std::initializer_list<std::string_view> known) {
    for (const Member& member : table.members) {
      if (std::ranges::find(known, member.name) != known.end() || stands_above(member)) continue;
      const std::vector<std::string> names(known.begin(), known.end());
      report_.add(member.place, fmt::format("[{}] has no key '{}'", where, member.name),
                  scenarios::suggest(member.name, names));
    }
  }

  void replications(const Value& table) {
    if (table.type != Value::Type::kTable) return wrong(table, "a table");
    refuse_others(table, "replications", {"min", "max", "first_seed"});
    constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;
    const bool has_max = scenarios::find_member(table, "max") != nullptr;
    count(table, "min", kMostReplications, study_.least_replications);
    count(table, "max", kMostReplications, study_.most_replications);
    count(table, "first_seed", kMostSeed, study_.first_seed);
    if (!has_max) study_.most_replications = study_.least_replications;
    if (scenarios::find_member(table, "min") == nullptr) {
      study_.least_replications = std::min(study_.least_replications, study_.most_replications);
    }
    if (study_.least_replications > study_.most_replications) {
      report_.add(table.place,
                  fmt::format("min is {} and max is {}", study_.least_replications,
                              study_.most_replications),
                  "max must be at least min");
    }
  }

  void check_metric(const std::string& name, Place place) {
    if (is_metric(name)) return;
    report_.add(place, fmt::format("there is no metric '{}'", name),
                claimed_.contains(name)
                    ? std::string("it is a key: `among` and `where` compare keys")
                    : scenarios::suggest(name, metric_names()));
  }

  void precision(const Value& table) {
    precision_at_ = table.place;
    each_key(table, {}, [&](const std::string& key, const Member& member) {
      check_metric(key, member.place);
      const auto text = override_text(member.value);
      const auto half_width = text ? quantity_of(*text) : std::nullopt;
      if (!half_width || *half_width <= 0) {
        return report_.add(member.value.place,
                           fmt::format("the precision of '{}' must be above 0", key),
                           "as in \"5%\" of the mean, or \"100ms\"");
      }
      const bool relative = text->ends_with('%') || text->ends_with("ppm");
      if (!relative && is_metric(key) && !has_unit_of(*text, key)) {
        return report_.add(member.value.place,
                           fmt::format("the precision of '{}' has another unit than it", key),
                           "as in \"5%\" of the mean, or \"100ms\" of a latency");
      }
      study_.precision.push_back({key, *half_width, relative});
    });
  }

  void gates(const Value& table) {
    if (table.type != Value::Type::kTable) {
      return wrong(table, "a table",
                   R"(write [gates], below it expect = ["latency.own.p99 < 2s"])");
    }
    refuse_others(table, "gates", {"expect"});
    if (const Value* expect = scenarios::find_member(table, "expect")) {
      const std::size_t before = study_.gates.size();
      conditions(*expect, study_.gates);
      check_metrics(before, study_.gates, expect->place);
    }
  }

  void check_metrics(std::size_t from, const std::vector<Condition>& of, Place place) {
    for (std::size_t i = from; i < of.size(); ++i) {
      if (of[i].names().empty()) {
        report_.add(place, fmt::format("`{}` names no metric", of[i].text()),
                    "as in \"latency.own.p99 < 2s\"; photonsim explain metrics lists the names");
      }
      const auto unknown = [](const std::string& name) { return !is_metric(name); };
      const std::vector<std::string> names = of[i].names();
      for (const std::string& name : names) check_metric(name, place);
      if (std::ranges::any_of(names, unknown)) continue;
      if (const std::string misfit = misfit_of(of[i]); !misfit.empty()) report_.add(place, misfit);
    }
  }

  void names(const Value& value, std::vector<std::string>& to) {
    if (value.type != Value::Type::kArray && value.type != Value::Type::kString) {
      return wrong(value, "a name, or an array of names");
    }
    for (const Value& item : one_or_more(value)) {
      if (item.type != Value::Type::kString) {
        wrong(item, "a name in quotes");
      } else {
        to.push_back(item.text);
      }
    }
  }

  void answer(const Value& table) {
    if (table.type != Value::Type::kTable) return wrong(table, "a table");
    answer_at_ = table.place;
    refuse_others(table, "answer", {"among", "subject_to", "least", "best", "metrics"});
    for (const Member& member : table.members) {
      if (member.name == "among") {
        conditions(member.value, study_.among);
      } else if (member.name == "subject_to") {
        conditions(member.value, study_.subject_to);
        check_metrics(0, study_.subject_to, member.place);
      } else if (member.name == "least") {
        names(member.value, study_.least);
      } else if (member.name == "best") {
        text(member.value, study_.best);
        check_metric(study_.best, member.place);
      } else if (member.name == "metrics") {
        names(member.value, study_.metrics);
        for (const std::string& name : study_.metrics) check_metric(name, member.place);
      }
    }
  }

  void check_precision() {
    if (study_.precision.empty() || study_.least_replications >= 2) return;
    report_.add(precision_at_, "[precision] is about an interval, which needs two replications",
                "write min = 2 or more in [replications]");
  }

  void check_answer() {
    if (!study_.least.empty() && !study_.best.empty()) {
      report_.add(
          answer_at_, "[answer] has both `least` and `best`",
          "leave one out: the cheapest point that meets the terms, or the best by a metric");
    }
    // The loader names an unknown key of the grid, which may be the one that is missing here.
    if (!std::ranges::all_of(claimed_, scenarios::is_known)) return;
    for (const std::string& key : study_.least) {
      if (claimed_.contains(key)) {
        check_numbers(key);
        continue;
      }
      const std::vector<std::string> varied(claimed_.begin(), claimed_.end());
      report_.add(answer_at_, fmt::format("`least` names '{}', which does not vary here", key),
                  scenarios::suggest(key, varied));
    }
  }

  // The cheapest value of a key is the least one.
  void check_numbers(const std::string& key) {
    for (const Axis& axis : study_.axes) {
      for (const Choice& choice : axis.choices) {
        for (const Setting& each : choice.settings) {
          if (each.key != key || quantity_of(each.value)) continue;
          return report_.add(
              answer_at_,
              fmt::format("`least` names '{}', and its value {} has no order", key, each.value),
              "name keys with numbers, or ask for the `best` of a metric");
        }
      }
    }
  }

  void check_points() {
    const double points = study_.points();
    if (points <= static_cast<double>(kMostStudyPoints)) return;
    report_.add(
        {0, 1, 1},
        fmt::format("this study has {:.4g} points; {} is the most", points, kMostStudyPoints),
        "vary fewer keys, or give fewer values of each");
  }

  // Two choices of [[list]] with one label cannot be told apart in a report.
  void check_label(const std::string& label, Place place) {
    if (label.empty() || labels_.insert(label).second) return;
    report_.add(place, fmt::format("the label '{}' is there twice", label),
                "give each [[list]] a label of its own");
  }

  Study& study_;
  Report& report_;
  std::set<std::string> labels_{};
  std::set<std::string> claimed_{};
  Place precision_at_{0, 1, 1};
  Place answer_at_{};
};

}  // namespace

double Study::points() const {
  double product = 1;
  for (const Axis& axis : axes) product *= static_cast<double>(axis.choices.size());
  return product;
}

StudyResult load_study(const std::string& file) {
  StudyResult result;
  result.study.file = file;
  result.study.name = std::filesystem::path(file).stem().string();
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  if (!stream || std::filesystem::is_directory(file, error)) {
    result.problems.push_back({.file = file,
                               .message = "this study file cannot be read",
                               .hint = "give the path of a study file, as in "
                                       "scenarios/studies/registry.toml"});
    return result;
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  scenarios::Sources sources;
  const std::uint32_t source = sources.add(file, text);
  Report report(sources);
  const Value root = scenarios::parse_toml(text, source, report);
  if (report.empty()) StudyReader(result.study, report).read(root);
  result.problems = report.diagnostics();
  return result;
}

}  // namespace photonsim::campaigns
