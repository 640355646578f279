// Why a run failed, without what varies between runs: the key by which a campaign groups its
// failures, and by which a minimized repro fails like the original.
#pragma once

#include <string>
#include <string_view>

#include "analysis/results/run_record.h"

namespace photonsim::campaigns {

struct FailureCause {
  // An oracle, "check", "process", "limit", "exception", "determinism", or a verdict.
  std::string found_by{};
  std::string site{};  // role of the process, or FILE:LINE of the failed check; may be empty
  // Without numbers, ids and names of processes; of the code's own checks with its condition.
  std::string message{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.found_by, self.site, self.message);
  }
  auto operator<=>(const FailureCause&) const = default;

  std::string text() const;  // "J-S5 (joiner): stable mapping broken for id"
};

// Requires a run that failed.
FailureCause cause_of(const photon::analysis::RunRecord& run);
// Of a finding of an oracle. `process`: its name, "us-east1/joiner/0"; may be empty.
FailureCause cause_of_finding(std::string_view oracle, std::string_view process,
                              std::string_view message);

}  // namespace photonsim::campaigns
