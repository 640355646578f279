// Reads what a study is to find out: [precision], [gates] and [answer].
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "campaigns/studies/axes_reader.h"
#include "campaigns/studies/condition.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class GoalsReader {
 public:
  GoalsReader(Study& study, StudyTables& tables, const AxesReader& axes)
      : study_(study), tables_(tables), axes_(axes) {}

  void precision(const scenarios::Value& table);
  void gates(const scenarios::Value& table);
  void answer(const scenarios::Value& table);
  // Once all tables are read.
  void check() {
    check_precision();
    check_gates();
    check_answer();
  }
  // Reports a name that is no metric.
  void check_metric(const std::string& name, scenarios::Place place);

 private:
  void check_metrics(std::size_t from, const std::vector<Condition>& of, scenarios::Place place);
  void check_precision();
  void check_gates();
  void check_answer();
  void check_numbers(const std::string& key);

  Study& study_;
  StudyTables& tables_;
  const AxesReader& axes_;
  scenarios::Place precision_at_{0, 1, 1};
  scenarios::Place answer_at_{};
};

}  // namespace photonsim::campaigns
