// Reads [search]: keys with ranges or choices, and how many points to evaluate in search of what
// [answer] asks for.
//
//   [search]
//   points = 60           # evaluated at the most
//   first = 20            # of them, Sobol' points before the first model
//   together = 4          # chosen at a time
//   seed = 1              # of the first points
//   confirm = 3           # points confirmed at the end
//   confirmations = 10    # with so many fresh seeds each
//   [search.over]         # factors_reader.h
#pragma once

#include "campaigns/studies/axes_reader.h"
#include "campaigns/studies/factors_reader.h"
#include "campaigns/studies/search.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class SearchReader {
 public:
  SearchReader(Study& study, StudyTables& tables, AxesReader& axes)
      : study_(study), tables_(tables), factors_(tables, axes) {}

  void read(const scenarios::Value& table);
  // Once all tables are read: draws the first points, and makes an axis of them.
  void finish();

 private:
  void read_counts(const scenarios::Value& table, Search& search);
  // What a search cannot have beside it, and what it must.
  bool check_beside() const;

  Study& study_;
  StudyTables& tables_;
  FactorsReader factors_;
  scenarios::Place place_{0, 1, 1};
};

}  // namespace photonsim::campaigns
