// Reads what varies in a study: [set], [grid], [zip] and [[list]].
#pragma once

#include <set>
#include <string>
#include <vector>

#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class AxesReader {
 public:
  AxesReader(Study& study, StudyTables& tables) : study_(study), tables_(tables) {}

  // For all points; before the others.
  void set(const scenarios::Value& table) { tables_.settings(table, study_.common); }
  void grid(const scenarios::Value& table);
  void zip(const scenarios::Value& table);
  void list(const scenarios::Value& value);
  // Reports a key that varies twice, or cannot.
  void claim(const std::string& key, scenarios::Place place);
  // The keys that vary.
  const std::set<std::string>& claimed() const { return claimed_; }

 private:
  std::vector<Setting> choices_of(const std::string& key, const scenarios::Member& member);
  void check_label(const std::string& label, scenarios::Place place);

  Study& study_;
  StudyTables& tables_;
  std::set<std::string> labels_{};
  std::set<std::string> claimed_{};
};

}  // namespace photonsim::campaigns
