#include "campaigns/studies/rare_reader.h"

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

using scenarios::Place;
using scenarios::Value;

namespace {

bool is_positive(const Value& value) {
  return (value.type == Value::Type::kInteger && value.integer > 0) ||
         (value.type == Value::Type::kReal && value.real > 0 && std::isfinite(value.real));
}

}  // namespace

void RareReader::read(const Value& table) {
  if (table.type != Value::Type::kTable) return tables_.wrong(table, "a table");
  const Value* method = scenarios::find_member(table, "method");
  const bool named = method != nullptr && method->type == Value::Type::kString;
  if (named && method->text == "forced_crash") return read_crash(table);
  if (named && method->text == "splitting") return read_splitting(table);
  tables_.report().add(method == nullptr ? table.place : method->place, "[rare] needs a method",
                       "method = \"forced_crash\", or method = \"splitting\"");
}

void RareReader::read_crash(const Value& table) {
  tables_.refuse_others(table, "rare", "forced_crash");
  RareQuestion question{.method = RareQuestion::Method::forced_crash};
  if (const Value* rate = scenarios::find_member(table, "crashes_per_day")) {
    if (!is_positive(*rate)) {
      return tables_.report().add(rate->place, "crashes_per_day must be a finite number above zero",
                                  "it is the rate of one joiner: 0.1 is a crash in ten days");
    }
    question.crashes_per_day =
        rate->type == Value::Type::kInteger ? static_cast<double>(rate->integer) : rate->real;
  }
  set("rare.forced_crash", "joiner", table.place);
  set(table, "restart_after");
  set(table, "strata");
  study_.rare = question;
}

void RareReader::read_splitting(const Value& table) {
  tables_.refuse_others(table, "rare", "splitting");
  const Value* levels = scenarios::find_member(table, "levels");
  if (levels == nullptr || levels->type != Value::Type::kArray || levels->items.empty()) {
    return tables_.report().add(levels == nullptr ? table.place : levels->place,
                                "a splitting needs levels",
                                "as in levels = [8, 16, 24]: each so that about one run in five "
                                "reaches it from the one before");
  }
  std::string list;
  for (const Value& each : levels->items) {
    if (each.type != Value::Type::kInteger || each.integer < 1) {
      return tables_.report().add(each.place, "a level is a whole number above zero");
    }
    list += fmt::format("{}{{at={}}}", list.empty() ? "" : ",", each.integer);
  }
  set("rare.level", "[" + list + "]", levels->place);
  set(table, "importance");
  set(table, "effort");
  study_.rare = RareQuestion{.method = RareQuestion::Method::splitting};
}

void RareReader::set(const Value& table, std::string_view name) {
  const Value* value = scenarios::find_member(table, name);
  if (value == nullptr) return;
  if (auto text = tables_.override_text(*value)) {
    set(fmt::format("rare.{}", name), *std::move(text), value->place);
  }
}

void RareReader::set(std::string_view key, std::string value, Place place) {
  study_.common.push_back({std::string(key), std::move(value), place});
}

}  // namespace photonsim::campaigns
