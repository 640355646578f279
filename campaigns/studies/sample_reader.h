// Reads [sample]: keys with ranges or choices, and the design that draws points from them.
//
//   [sample]
//   design = "sobol"      # or lhs, morris, saltelli
//   points = 64           # of morris `trajectories`, of saltelli `rows`
//   seed = 1              # of the design
//   levels = 4            # of morris: values of each key
//   [sample.over]         # factors_reader.h
#pragma once

#include "campaigns/studies/axes_reader.h"
#include "campaigns/studies/factors_reader.h"
#include "campaigns/studies/sample.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class SampleReader {
 public:
  SampleReader(Study& study, StudyTables& tables, AxesReader& axes)
      : study_(study), tables_(tables), factors_(tables, axes) {}

  void read(const scenarios::Value& table);
  // Once all tables are read: draws the points, and makes an axis of them.
  void finish();

 private:
  void read_design(const scenarios::Value& table, Sample& sample);
  void read_size(const scenarios::Value& table, Sample& sample);

  Study& study_;
  StudyTables& tables_;
  FactorsReader factors_;
  scenarios::Place place_{0, 1, 1};
};

}  // namespace photonsim::campaigns
