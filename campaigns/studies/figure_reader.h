// Reads `figure`, `at`, `beside` and `theory` of a table in a study file.
#pragma once

#include "campaigns/studies/study_figure.h"
#include "campaigns/studies/study_tables.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::campaigns {

class FigureReader {
 public:
  explicit FigureReader(StudyTables& tables) : tables_(tables) {}

  void read(const scenarios::Value& table, StudyFigure& figure);

 private:
  void figure(const scenarios::Value& value, StudyFigure& figure);
  void theory(const scenarios::Value& value, StudyFigure& figure);

  StudyTables& tables_;
};

// Reads a formula; reports what is none. Nothing for an empty one too.
std::optional<Formula> read_formula(const scenarios::Value& value, StudyTables& tables);

}  // namespace photonsim::campaigns
