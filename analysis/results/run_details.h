// All that `run --out` keeps of a run: more than a campaign keeps (run_record.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/reports/event_names.h"
#include "analysis/reports/joined_pairs.h"
#include "analysis/reports/summary.h"
#include "analysis/results/run_record.h"
#include "analysis/results/study.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {

// State of the rolling fingerprint at a point of the run, to find the first divergence.
struct Checkpoint {
  std::int64_t at_nanoseconds = 0;
  std::uint64_t events = 0;
  std::string fingerprint{};
};

struct RunDetails {
  Point point{};
  std::string model_version{};
  RunRecord record{};
  Summary summary{};  // with all losses, violations and faults
  std::vector<Checkpoint> checkpoints{};
  std::vector<std::pair<std::string, std::string>> manifest{};  // program, ... for people
  // Of a replayed log, with the names of its events; null: none are saved. Both outlive this.
  const JoinedPairs* pairs = nullptr;
  const EventNames* names = nullptr;

  std::string key() const;
};

// 16 hexadecimal digits. `point`: its text.
std::string run_key(std::string_view point, std::uint64_t seed, std::string_view model_version);

// The histograms of a judged run under their names in the store.
std::vector<std::pair<std::string, LatencyHistogram>> histograms_of(const Judge& judge);

}  // namespace photon::analysis
