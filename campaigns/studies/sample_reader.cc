#include "campaigns/studies/sample_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "campaigns/studies/condition.h"
#include "campaigns/studies/dimension.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

using scenarios::Member;
using scenarios::Value;

namespace {

constexpr std::array kKinds{DesignKind::latin_hypercube, DesignKind::sobol, DesignKind::morris,
                            DesignKind::saltelli};
constexpr std::uint64_t kMostLevels = 64;
constexpr std::uint64_t kMostSeed = std::uint64_t{1} << 62U;

// How the size of a design is called.
std::string_view size_name(DesignKind kind) {
  switch (kind) {
    case DesignKind::morris:
      return "trajectories";
    case DesignKind::saltelli:
      return "rows";
    default:
      return "points";
  }
}

bool is_range(const Value& table) {
  return std::ranges::any_of(table.members, [](const Member& member) {
    return (member.name == "from" || member.name == "to") &&
           member.value.type != Value::Type::kTable;
  });
}

double number_of(const Value& value) {
  return value.type == Value::Type::kInteger ? static_cast<double>(value.integer) : value.real;
}

bool is_number(const Value& value) {
  return value.type == Value::Type::kInteger || value.type == Value::Type::kReal;
}

// Of a text such as "10ms", "4KiB" or "2%".
std::optional<Quantity> quantity_with_unit(const Value& value) {
  if (value.type != Value::Type::kString || !quantity_of(value.text)) return std::nullopt;
  const Dimension dimension = dimension_of_quantity(value.text);
  if (dimension == Dimension{.seconds = 1}) return Quantity::duration;
  if (dimension == Dimension{.bytes = 1}) return Quantity::bytes;
  return Quantity::real;
}

}  // namespace

void SampleReader::read(const Value& table) {
  place_ = table.place;
  if (table.type != Value::Type::kTable) return tables_.wrong(table, "a table");
  tables_.refuse_others(table, "sample",
                        {"design", "points", "trajectories", "rows", "seed", "levels", "over"});
  Sample sample;
  const std::size_t problems = tables_.report().diagnostics().size();
  read_design(table, sample);
  read_size(table, sample);
  tables_.count(table, "seed", kMostSeed, sample.seed);
  const Value* over = scenarios::find_member(table, "over");
  if (over == nullptr || over->type != Value::Type::kTable || over->members.empty()) {
    return tables_.report().add(table.place, "[sample] needs keys to draw",
                                "below [sample.over], as in \"registry.shards\" = [1, 2, 4], or "
                                "\"dispatcher.max_outstanding_lookups\" = {from = 8, to = 256}");
  }
  read_factors(*over, {}, sample);
  if (tables_.report().diagnostics().size() == problems) study_.sample = std::move(sample);
}

void SampleReader::read_design(const Value& table, Sample& sample) {
  const Value* design = scenarios::find_member(table, "design");
  std::vector<std::string> names;
  for (const DesignKind kind : kKinds) names.emplace_back(name_of(kind));
  const std::string listed = fmt::format("one of {}", fmt::join(names, ", "));
  if (design == nullptr) {
    return tables_.report().add(table.place, "[sample] needs a design", listed);
  }
  if (design->type != Value::Type::kString) return tables_.wrong(*design, "the name of a design");
  const auto kind = std::ranges::find(kKinds, design->text, name_of);
  if (kind == kKinds.end()) {
    return tables_.report().add(design->place, fmt::format("there is no design '{}'", design->text),
                                listed);
  }
  sample.kind = *kind;
}

void SampleReader::read_size(const Value& table, Sample& sample) {
  const std::string_view wanted = size_name(sample.kind);
  bool given = false;
  for (const std::string_view name : {"points", "trajectories", "rows"}) {
    const Value* value = scenarios::find_member(table, name);
    given = given || value != nullptr;
    if (value == nullptr || name == wanted) continue;
    tables_.report().add(value->place, fmt::format("{} has no '{}'", name_of(sample.kind), name),
                         fmt::format("it has {}", wanted));
  }
  tables_.count(table, wanted, kMostStudyPoints, sample.size);
  if (!given) {
    tables_.report().add(table.place, fmt::format("[sample] needs `{}`", wanted),
                         fmt::format("as in {} = 32", wanted));
  }
  if (sample.kind == DesignKind::saltelli && sample.size % kSaltelliDesigns != 0) {
    const Value* rows = scenarios::find_member(table, wanted);
    tables_.report().add(
        rows == nullptr ? table.place : rows->place,
        fmt::format("the number of rows must be a multiple of {}", kSaltelliDesigns),
        fmt::format("they are drawn as {} independent designs, which tell how "
                    "sure the shares are: 64, 128 and 256 are usual",
                    kSaltelliDesigns));
  }
  const Value* levels = scenarios::find_member(table, "levels");
  if (levels == nullptr) return;
  if (sample.kind != DesignKind::morris) {
    return tables_.report().add(levels->place,
                                fmt::format("{} has no levels", name_of(sample.kind)),
                                "leave them out; morris has them");
  }
  tables_.count(table, "levels", kMostLevels, sample.levels);
  if (sample.levels % 2 == 0) return;
  tables_.report().add(levels->place, "the number of levels must be even",
                       "then each is as likely as the others (Morris 1991): 4 is usual");
}

void SampleReader::read_factors(const Value& over, const std::string& before, Sample& sample) {
  for (const Member& member : over.members) {
    const std::string key = before.empty() ? member.name : before + "." + member.name;
    const bool table = member.value.type == Value::Type::kTable;
    if (table && !is_range(member.value)) {
      read_factors(member.value, key, sample);
      continue;
    }
    axes_.claim(key, member.place);
    auto factor = table ? range_of(key, member) : choice_of(key, member);
    if (factor) sample.factors.push_back(*std::move(factor));
  }
}

std::optional<Factor> SampleReader::choice_of(const std::string& key, const Member& member) {
  Factor factor{.key = key, .quantity = Quantity::choice, .place = member.place};
  if (member.value.type != Value::Type::kArray || member.value.items.size() < 2) {
    tables_.report().add(member.place,
                         fmt::format("'{}' needs a range, or two values or more", key),
                         "as in {from = 8, to = 256}, or [1, 2, 4]");
    return std::nullopt;
  }
  std::set<std::string> seen;
  for (const Value& item : member.value.items) {
    const auto text = tables_.override_text(item);
    if (!text) return std::nullopt;
    if (!seen.insert(*text).second) {
      tables_.report().add(item.place, fmt::format("'{}' is given {} twice", key, *text),
                           "all choices are equally likely");
      return std::nullopt;
    }
    factor.values.push_back(*text);
  }
  return factor;
}

std::optional<Factor> SampleReader::range_of(const std::string& key, const Member& member) {
  const Value& table = member.value;
  for (const Member& each : table.members) {
    if (each.name == "from" || each.name == "to" || each.name == "scale") continue;
    tables_.report().add(each.place, fmt::format("a range has no '{}'", each.name),
                         "it has from, to and scale");
    return std::nullopt;
  }
  const Value* from = scenarios::find_member(table, "from");
  const Value* to = scenarios::find_member(table, "to");
  if (from == nullptr || to == nullptr) {
    tables_.report().add(member.place, fmt::format("the range of '{}' needs both ends", key),
                         "as in {from = 8, to = 256}");
    return std::nullopt;
  }
  Factor factor{.key = key, .place = member.place};
  if (const Value* scale = scenarios::find_member(table, "scale")) {
    if (scale->type != Value::Type::kString || (scale->text != "log" && scale->text != "linear")) {
      tables_.report().add(scale->place, "a scale is \"linear\" or \"log\"");
      return std::nullopt;
    }
    factor.logarithmic = scale->text == "log";
  }
  if (!read_bounds(*from, *to, factor)) return std::nullopt;
  check_range(*from, factor);
  return factor;
}

bool SampleReader::read_bounds(const Value& from, const Value& to, Factor& factor) {
  if (is_number(from) && is_number(to)) {
    const bool whole = from.type == Value::Type::kInteger && to.type == Value::Type::kInteger;
    factor.quantity = whole ? Quantity::whole : Quantity::real;
    factor.from = number_of(from);
    factor.to = number_of(to);
    return true;
  }
  const auto first = quantity_with_unit(from), last = quantity_with_unit(to);
  if (!first || first != last) {
    tables_.report().add(
        from.place, fmt::format("the ends of the range of '{}' are not of one kind", factor.key),
        "two numbers, or two texts with units, as in {from = \"10ms\", to = "
        "\"2s\"}");
    return false;
  }
  factor.quantity = *first;
  factor.from = *quantity_of(from.text);
  factor.to = *quantity_of(to.text);
  return true;
}

void SampleReader::check_range(const Value& at, const Factor& factor) {
  if (!(factor.from < factor.to)) {
    tables_.report().add(at.place, fmt::format("the range of '{}' is empty", factor.key),
                         "`from` must be below `to`");
  } else if (factor.logarithmic && factor.from <= 0) {
    tables_.report().add(at.place,
                         fmt::format("the range of '{}' has a logarithmic scale", factor.key),
                         "so `from` must be above 0");
  }
}

void SampleReader::finish() {
  if (!study_.sample) return;
  Sample& sample = *study_.sample;
  if (!study_.axes.empty()) {
    tables_.report().add(place_, "[sample] stands beside [grid], [zip] or [[list]]",
                         "draw those keys too, each with its choices: \"a.b\" = [1, 2]");
    return;
  }
  if (sample.rows() > kMostStudyPoints) {
    tables_.report().add(
        place_,
        fmt::format("this design has {} points; {} is the most", sample.rows(), kMostStudyPoints),
        "ask for fewer, or draw fewer keys");
    return;
  }
  Axis axis{.choices = {}, .drawn = true};
  std::map<std::vector<std::string>, std::size_t> known;
  for (const std::vector<double>& row : rows_of(sample)) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < row.size(); ++i) {
      values.push_back(sample.factors[i].text_at(row[i]));
    }
    const auto [found, fresh] = known.try_emplace(values, axis.choices.size());
    sample.choice_of_row.push_back(found->second);
    if (!fresh) continue;
    Choice& choice = axis.choices.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) {
      choice.settings.push_back(
          {sample.factors[i].key, std::move(values[i]), sample.factors[i].place});
    }
  }
  study_.axes.push_back(std::move(axis));
}

}  // namespace photonsim::campaigns
