// The runs of a results file by their points: one configuration each, whatever the seed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/results/result_reader.h"
#include "analysis/results/run_record.h"

namespace photonsim::report {

struct ReportRun {
  std::int64_t id = 0;  // in the file
  std::string verdict{};
};

struct ReportPoint {
  std::string label{};  // what tells it from the others
  std::string scenario{};
  std::string kind{};                     // of its study: "run", "campaign"
  std::vector<std::string> parameters{};  // values of ReportPoints::parameters; empty: it has none
  std::vector<ReportRun> runs{};
  // In the same order. All of them have a value, as estimates expect it.
  std::vector<std::optional<photon::analysis::RunRecord>> records{};

  // Each run has a configuration of its own: nothing is said of them as of one.
  bool is_swarm() const;
};

struct ReportPoints {
  std::vector<std::string> parameters{};  // names, in which the points differ
  std::vector<ReportPoint> list{};        // in the order of the file
  std::uint64_t runs = 0;
  std::set<std::string> model_versions{};
};

// Memory grows with the runs, by some 40 KB each.
photon::Result<ReportPoints, photon::analysis::FileError> read_points(
    const photon::analysis::ResultReader& results);

}  // namespace photonsim::report
