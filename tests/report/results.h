// A small results file of known figures.
#pragma once

#include <chrono>
#include <string>

#include "analysis/results/result_reader.h"
#include "analysis/results/result_store.h"
#include "tests/support/catch.h"

namespace boost::json {
class object;
}

namespace photonsim::report::testing {

namespace analysis = photon::analysis;

inline analysis::Metric metric(const std::string& name, analysis::Unit unit, double value) {
  return {name, unit, analysis::Adding::none, value};
}

// Latencies of 1, 2, ... `count` milliseconds, times `scale`.
inline analysis::LatencyHistogram ramp(int count, int scale) {
  analysis::LatencyHistogram histogram;
  for (int i = 1; i <= count; ++i) histogram.add(std::chrono::milliseconds(i * scale));
  return histogram;
}

inline analysis::RunRecord record(std::uint64_t seed, int scale, double lost) {
  analysis::RunRecord run;
  run.seed = seed;
  run.fingerprint = "00000000000000ab";
  run.events = 100;
  run.sim_milliseconds = 1'500;
  run.replay = "photonsim run x --seed " + std::to_string(seed);
  const auto histogram = ramp(2'000, scale);
  run.histograms = {{"latency_own", histogram.to_bytes()}};
  run.metrics = {metric("joined", analysis::Unit::count, 2'000),
                 metric("joinable", analysis::Unit::count, 2'000 + lost),
                 metric("lost", analysis::Unit::count, lost),
                 metric("latency_own.p99", analysis::Unit::seconds, 1.98 * scale),
                 metric("registry.mean_batch", analysis::Unit::ratio, 3.0 * scale + double(seed)),
                 metric("capacity.stationary", analysis::Unit::ratio, 1)};
  run.obligations = {{"J-S1", 10}, {"J-S2", 0}};
  run.fault_effects = {{"process_crash", analysis::ProtocolState::electing, 2}};
  return run;
}

inline analysis::Point point(const std::string& scenario, const std::string& shards) {
  return {scenario,
          analysis::PointKind::scenario,
          "shards = " + shards,
          {{"registry.shards", shards}, {"same", "1"}}};
}

// Three seeds of two points.
inline analysis::CampaignIdentity fill(const std::string& file, const std::string& scenario) {
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  const analysis::CampaignIdentity identity{{point(scenario, "1"), point(scenario, "2")}, 0, "m"};
  std::vector<analysis::RunRecord> runs;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (int place = 0; place < 2; ++place) {
      analysis::RunRecord run = record(seed, place + 1, place == 0 ? 0 : 4);
      run.scenario = static_cast<std::uint32_t>(place);
      runs.push_back(std::move(run));
    }
  }
  REQUIRE(store.assume_value().append(identity, runs).has_value());
  return identity;
}

// What a page of the file carries.
boost::json::object data_of(const std::string& file);

}  // namespace photonsim::report::testing
