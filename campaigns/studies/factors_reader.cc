#include "campaigns/studies/factors_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/condition.h"
#include "campaigns/studies/dimension.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

using scenarios::Member;
using scenarios::Value;

namespace {

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

std::vector<Factor> FactorsReader::read(const Value& over) {
  std::vector<Factor> factors;
  read_some(over, {}, factors);
  return factors;
}

void FactorsReader::read_some(const Value& over, const std::string& before,
                              std::vector<Factor>& factors) {
  for (const Member& member : over.members) {
    const std::string key = before.empty() ? member.name : before + "." + member.name;
    const bool table = member.value.type == Value::Type::kTable;
    if (table && !is_range(member.value)) {
      read_some(member.value, key, factors);
      continue;
    }
    axes_.claim(key, member.place);
    auto factor = table ? range_of(key, member) : choice_of(key, member);
    if (factor) factors.push_back(*std::move(factor));
  }
}

std::optional<Factor> FactorsReader::choice_of(const std::string& key, const Member& member) {
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

std::optional<Factor> FactorsReader::range_of(const std::string& key, const Member& member) {
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
  if (!check_range(*from, factor)) return std::nullopt;
  return factor;
}

bool FactorsReader::read_bounds(const Value& from, const Value& to, Factor& factor) {
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

bool FactorsReader::check_range(const Value& at, const Factor& factor) {
  if (!(factor.from < factor.to)) {
    tables_.report().add(at.place, fmt::format("the range of '{}' is empty", factor.key),
                         "`from` must be below `to`");
    return false;
  }
  if (factor.logarithmic && factor.from <= 0) {
    tables_.report().add(at.place,
                         fmt::format("the range of '{}' has a logarithmic scale", factor.key),
                         "so `from` must be above 0");
    return false;
  }
  return true;
}

}  // namespace photonsim::campaigns
