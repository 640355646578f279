// Reads [sample]: keys with ranges or choices, and the design that draws points from them.
//
//   [sample]
//   design = "sobol"      # or lhs, morris, saltelli
//   points = 64           # of morris `trajectories`, of saltelli `rows`
//   seed = 1              # of the design
//   levels = 4            # of morris: values of each key
//   [sample.over]
//   "registry.max_batch_operations" = {from = 16, to = 512, scale = "log"}
//   "dispatcher.lookup_timeout" = {from = "10ms", to = "2s"}
//   "registry.shards" = [1, 2, 4, 8]
#pragma once

#include <optional>
#include <string>

#include "campaigns/studies/axes_reader.h"
#include "campaigns/studies/sample.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class SampleReader {
 public:
  SampleReader(Study& study, StudyTables& tables, AxesReader& axes)
      : study_(study), tables_(tables), axes_(axes) {}

  void read(const scenarios::Value& table);
  // Once all tables are read: draws the points, and makes an axis of them.
  void finish();

 private:
  void read_design(const scenarios::Value& table, Sample& sample);
  void read_size(const scenarios::Value& table, Sample& sample);
  void read_factors(const scenarios::Value& over, const std::string& before, Sample& sample);
  std::optional<Factor> range_of(const std::string& key, const scenarios::Member& member);
  std::optional<Factor> choice_of(const std::string& key, const scenarios::Member& member);
  bool read_bounds(const scenarios::Value& from, const scenarios::Value& to, Factor& factor);
  void check_range(const scenarios::Value& at, const Factor& factor);

  Study& study_;
  StudyTables& tables_;
  AxesReader& axes_;
  scenarios::Place place_{0, 1, 1};
};

}  // namespace photonsim::campaigns
