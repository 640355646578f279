// What all readers of a study file's tables need: messages at their places, and keys that are
// written "a.b" = 1, or a.b = 1.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/studies/condition.h"
#include "campaigns/studies/study.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

// Every problem goes into the report.
class StudyTables {
 public:
  using Visitor = std::function<void(const std::string& key, const scenarios::Member& member)>;

  explicit StudyTables(scenarios::Report& report) : report_(report) {}

  scenarios::Report& report() const { return report_; }

  // "this is a string, not `wanted`".
  void wrong(const scenarios::Value& value, std::string_view wanted,
             std::string example = {}) const;
  // A string on one line.
  void text(const scenarios::Value& value, std::string& to) const;
  // A line break in a label or a question would make a line of its own in reports.
  void check_printable(const std::string& text, scenarios::Place place) const;
  // A value as the text that --set takes; reports what is none.
  std::optional<std::string> override_text(const scenarios::Value& value) const;
  // A whole number from 1 to `most`, if the table has that key.
  void count(const scenarios::Value& table, std::string_view name, std::uint64_t most,
             std::uint64_t& to) const;
  void conditions(const scenarios::Value& value, std::vector<Condition>& to) const;
  // One name in quotes, or an array of them.
  void names(const scenarios::Value& value, std::vector<std::string>& to) const;
  // Keys of a scenario with one value each.
  void settings(const scenarios::Value& table, std::vector<Setting>& to) const;
  // Visits the keys of a table, those of the tables in it too.
  void each_key(const scenarios::Value& table, const Visitor& visit) const;
  // Visits the tables of a list: [[where]], or an array of tables in one line.
  void each_table(const scenarios::Value& list, std::string_view where,
                  const std::function<void(const scenarios::Value&)>& visit) const;
  // Reports the keys of table [where] that studies do not have (study_keys.h), or other variants
  // have.
  void refuse_others(const scenarios::Value& table, std::string_view where,
                     std::string_view variant = {}) const;

 private:
  bool stands_above(const scenarios::Member& member) const;
  void each_key(const scenarios::Value& table, const std::string& before,
                const Visitor& visit) const;

  scenarios::Report& report_;
};

// One in quotes, or an array of them.
std::span<const scenarios::Value> one_or_more(const scenarios::Value& value);

}  // namespace photonsim::campaigns
