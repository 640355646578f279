// Corner cases of groups that lose replicas.
#pragma once

#include "analysis/corner_cases/corner_case.h"
#include "analysis/corner_cases/group_history.h"

namespace photon::analysis {

class CornerFailures {
 public:
  CornerFailures(const Evidence& evidence, GroupHistory& groups, CornerCounts& counts)
      : evidence_(evidence), groups_(groups), counts_(counts) {}

  void on_fact(const Fact& fact);

 private:
  void on_crash(const Fact& fact);
  void on_elected(const Fact& fact);

  const Evidence& evidence_;
  GroupHistory& groups_;
  CornerCounts& counts_;
};

}  // namespace photon::analysis
