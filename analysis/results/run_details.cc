#include "analysis/results/run_details.h"

#include <span>

#include <fmt/format.h>

#include "analysis/judge/judge.h"
#include "core_impl/base/hash.h"

namespace photon::analysis {

std::string run_key(std::string_view point, std::uint64_t seed, std::string_view model_version) {
  std::uint64_t key = hash_bytes(std::as_bytes(std::span(point)));
  key = combine(key, seed);
  key = combine(key, hash_bytes(std::as_bytes(std::span(model_version))));
  return fmt::format("{:016x}", key);
}

std::string RunDetails::key() const { return run_key(point.text, record.seed, model_version); }

std::vector<std::pair<std::string, LatencyHistogram>> histograms_of(const Judge& judge) {
  std::vector<std::pair<std::string, LatencyHistogram>> list;
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    list.emplace_back("stages." + std::string(name_of(stage)), judge.latency().stage(stage));
  }
  list.emplace_back("latency_seconds", judge.latency().total());
  list.emplace_back("latency_own", judge.latency().own());
  list.emplace_back("latency_at_output", judge.latency().at_output());
  list.emplace_back("latency_biased", judge.latency().biased());
  list.emplace_back("registry.insert_latency", judge.counters().insert_latency);
  list.emplace_back("registry.commit_latency", judge.counters().commit_latency);
  if (judge.load().asked() == 0) return list;
  list.emplace_back("load.insert_latency", judge.load().insert_latency());
  list.emplace_back("load.lookup_latency", judge.load().lookup_latency());
  return list;
}

}  // namespace photon::analysis
