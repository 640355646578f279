// Reads `figure`, `at`, `beside` and `theory` of a table in a study file.
#pragma once

#include "campaigns/studies/study_figure.h"
#include "campaigns/studies/study_tables.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

class FigureReader {
 public:
  // `over_time`: names of series stand without the number of an interval (series_figures.h).
  explicit FigureReader(StudyTables& tables, bool over_time = false)
      : tables_(tables), over_time_(over_time) {}

  void read(const scenarios::Value& table, StudyFigure& figure);

 private:
  void figure(const scenarios::Value& value, StudyFigure& figure);
  void theory(const scenarios::Value& value, StudyFigure& figure);

  bool is_figure(const std::string& name) const;

  StudyTables& tables_;
  bool over_time_;
};

// Reads a formula; reports what is none. Nothing for an empty one too.
std::optional<Formula> read_formula(const scenarios::Value& value, StudyTables& tables);

}  // namespace photonsim::campaigns
