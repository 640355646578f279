// Reads the keys that a design or a search draws, with their ranges or choices:
//
//   "registry.max_batch_operations" = {from = 16, to = 512, scale = "log"}
//   "dispatcher.send_timeout" = {from = "10ms", to = "2s"}
//   "registry.shards" = [1, 2, 4, 8]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaigns/studies/axes_reader.h"
#include "campaigns/studies/factor.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class FactorsReader {
 public:
  FactorsReader(StudyTables& tables, AxesReader& axes) : tables_(tables), axes_(axes) {}

  // The sound ones; every problem goes into the report.
  std::vector<Factor> read(const scenarios::Value& over);

 private:
  void read_some(const scenarios::Value& over, const std::string& before,
                 std::vector<Factor>& factors);
  std::optional<Factor> range_of(const std::string& key, const scenarios::Member& member);
  std::optional<Factor> choice_of(const std::string& key, const scenarios::Member& member);
  bool read_bounds(const scenarios::Value& from, const scenarios::Value& to, Factor& factor);
  bool check_range(const scenarios::Value& at, const Factor& factor);

  StudyTables& tables_;
  AxesReader& axes_;
};

}  // namespace photonsim::campaigns
