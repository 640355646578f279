// What a campaign sums up over its runs: counts that can be added, and the runs that failed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/summary.h"

namespace photon::analysis {

// The counts of one run, always the same names in the same order: load, registry, faults, then the
// corner cases (SPEC J-H4).
Counts campaign_counts(const Summary& summary);

class CampaignSum {
 public:
  struct Failure {
    std::string replay{};
    std::string what{};
  };
  static constexpr std::size_t kFailuresKept = 50;

  // `numbers` in the order of campaign_counts.
  void add(const std::vector<std::uint64_t>& numbers);
  void add(Failure failure);

  std::uint64_t runs() const { return runs_; }
  std::uint64_t failed() const { return failed_; }
  // Names of corner cases that no run showed.
  std::vector<std::string> missing() const;

  // One JSON object on one line, without newline; a table for people. `seconds`: wall time.
  std::string json(double seconds) const;
  std::string text(double seconds) const;

 private:
  std::uint64_t runs_ = 0;
  std::uint64_t failed_ = 0;
  std::vector<std::uint64_t> sums_{};
  std::vector<std::uint64_t> runs_with_{};  // in how many runs a count was above zero
  std::vector<Failure> failures_{};
};

}  // namespace photon::analysis
