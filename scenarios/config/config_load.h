// [workload.synthetic]: generated queries and clicks, and how their number changes over the run.
// Part of config.h, whose head explains fields, defaults and sources.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/load_shape.h"
#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

// The load changes from one factor to another.
struct LoadRamp {
  Duration at{0};    // its beginning
  Duration over{0};  // its length
  double from{1};    // factor until then
  double to{1};      // factor afterwards
  bool operator==(const LoadRamp&) const = default;
};

// The load is multiplied for a time.
struct LoadBurst {
  Duration at{0};
  Duration length{0};
  double factor{1};
  bool operator==(const LoadBurst&) const = default;
};

// A cosine around the mean load.
struct DailyLoad {
  double amplitude{0};  // the load lies between 1 - amplitude and 1 + amplitude
  Duration period{24h};
  Duration peak_at{0};
  bool operator==(const DailyLoad&) const = default;
};

struct SyntheticWorkload {
  std::uint64_t clicks{10'000};  // in all (M); with `rate` or `rate_file` load computes it
  double rate{0};                // clicks per second while the factor is 1; 0: by `clicks`
  std::string rate_file{};       // clicks per second over time; empty: none; absolute after load
  LoadRamp ramp{};
  std::vector<LoadBurst> bursts{};
  DailyLoad daily{};
  std::vector<photon::models::LoadShape::Knot> rates{};  // of the rate file, set by load; not a key
  std::uint64_t queries_per_click{10};  // queries generated = clicks x this (SPEC A-07, M)
  std::uint64_t query_servers{8};       // servers that write query logs (M)
  std::uint64_t click_servers{8};       // servers that write click logs (M)
  // of each of these, that issue ids and may share a stamp (SPEC A-10, M)
  std::uint64_t processes{1};
  std::uint64_t query_payload{512};  // bytes (M)
  std::uint64_t click_payload{128};  // bytes (M)
  // a log file of this length is followed by the next one; 0: never (SPEC A-22, M)
  std::uint64_t log_file_bytes{0};
  // a record is written up to this time after its stamp (SPEC A-14, M)
  Duration disorder{0};
  // of clicks, exponential delay after the query (SPEC G-06, M)
  double fast_fraction{0.85};
  Duration fast_mean{30s};            // M
  Duration slow_median{2h};           // of the others, lognormal; scaled down in short runs (M)
  double slow_sigma{1.0};             // standard deviation of the delay's natural logarithm (M)
  bool clicks_follow_queries{false};  // all queries are clicked alike, whatever the hour (G-06)
  bool operator==(const SyntheticWorkload&) const = default;
};

}  // namespace photonsim::scenarios
