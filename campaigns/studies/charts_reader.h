// Reads the [[chart]] tables of a study file.
#pragma once

#include "campaigns/studies/chart.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

class ChartsReader {
 public:
  ChartsReader(Study& study, StudyTables& tables) : study_(study), tables_(tables) {}

  void read(const scenarios::Value& list);

 private:
  void read_one(const scenarios::Value& table);
  void across(const scenarios::Value& value, Chart& chart);
  void line(const scenarios::Value& table, Chart& chart);
  void bound(const scenarios::Value& table, Chart& chart);
  void check(const scenarios::Value& table, const Chart& chart);

  Study& study_;
  StudyTables& tables_;
};

}  // namespace photonsim::campaigns
