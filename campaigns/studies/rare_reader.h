// [rare] of a study file: how likely rare losses are.
//
//   [rare]
//   method = "forced_crash"     # each replication crashes one joiner at a random time
//   crashes_per_day = 0.1       # of each joiner: what the report weighs the losses by
//   restart_after = "1s"        # of the joiner
//   strata = 32                 # so many replications crash in as many parts of the window
//
//   [rare]
//   method = "splitting"        # each replication is a splitting of many runs
//   importance = "joiner_window"
//   levels = [8, 16, 24]        # the probability to reach the last one is estimated
//   effort = 64                 # runs from each level
//
// It sets keys of [rare] in the scenario of every point, so a study over other keys asks the same
// of each point: [grid] "cell.append_median" = ["10ms", "40ms"].
#pragma once

#include <string>
#include <string_view>

#include "campaigns/studies/study.h"
#include "campaigns/studies/study_tables.h"

namespace photonsim::campaigns {

class RareReader {
 public:
  RareReader(Study& study, const StudyTables& tables) : study_(study), tables_(tables) {}

  void read(const scenarios::Value& table);

 private:
  void read_crash(const scenarios::Value& table);
  void read_splitting(const scenarios::Value& table);
  // A key of the scenario, as if [set] had it.
  void set(const scenarios::Value& table, std::string_view name);
  void set(std::string_view key, std::string value, scenarios::Place place);

  Study& study_;
  const StudyTables& tables_;
};

}  // namespace photonsim::campaigns
