// A study: one base scenario, the configurations to compare, and how exactly.
//
//   base = "../registry/quiet.toml"       # relative to the study file
//   question = "How many shards?"
//   where = ["registry.shards * workload.registry.rate <= 1000"]
//   [set]          # for all points
//   "run.duration" = "5min"
//   [grid]         # each value with each value of the others
//   "registry.shards" = [1, 2, 4]
//   [zip]          # the first values together, then the second ones, ...
//   "a.b" = [1, 2]
//   [[list]]       # each table is one choice
//   label = "one"  # for reports
//   "a.b" = 1
//   [sample]       # instead: points drawn from ranges (sample_reader.h)
//   [search]       # or chosen one after the other (search_reader.h)
//   [replications]
//   min = 3
//   max = 10
//   [precision]    # half-widths of 95 % intervals: of the value, or absolute
//   "latency.total.p99" = "10%"
//   [rare]         # rare losses (rare_reader.h)
//   method = "forced_crash"
//   [gates]
//   expect = ["latency.total.p99 < 8s"]
//   [answer]
//   among = ["registry.shards < 4"]
//   subject_to = ["latency.own.p99 < 1s"]
//   least = ["registry.shards", "registry.max_batch_operations"]   # or best = "metric"
//   pareto = ["latency.own.p99", "registry.value_bytes"]
//   metrics = ["latency.own.p99", "registry.mean_batch"]
//   [[claim]]      # what a publication says, and the band in which it is reproduced (claim.h)
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/studies/chart.h"
#include "campaigns/studies/claim.h"
#include "campaigns/studies/condition.h"
#include "campaigns/studies/sample.h"
#include "campaigns/studies/search.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

// One key with its value, as --set takes them.
struct Setting {
  std::string key{};
  std::string value{};
  scenarios::Place place{};  // in the study file
};

struct Choice {
  std::string label{};  // for reports; empty: its settings
  std::vector<Setting> settings{};
};

// The points take one choice of each axis.
struct Axis {
  std::vector<Choice> choices{};
  bool drawn = false;  // by a design: its choices have the same keys, each an axis for reports
};

// The choice that a point of a search stands for.
Choice choice_at(const Search& search, const photon::analysis::SearchPoint& point);

// The half-width that the interval of a metric is to have at most.
struct Precision {
  std::string metric{};
  double half_width = 0;
  bool relative = true;  // to the mean
};

// What [rare] asks of all points; it sets keys of their scenarios ([rare] there).
struct RareQuestion {
  enum class Method : std::uint8_t { forced_crash, splitting };
  Method method = Method::forced_crash;
  double crashes_per_day = 0.1;  // of each joiner
};

struct Study {
  std::string file{};  // as the user named it
  std::string name{};
  std::string question{};
  std::filesystem::path base{};
  std::vector<Setting> common{};
  std::vector<Axis> axes{};
  std::optional<Sample> sample{};  // what the only axis was drawn by
  std::optional<Search> search{};  // what the only axis begins
  std::optional<RareQuestion> rare{};
  std::vector<Condition> where{};
  std::uint64_t least_replications = 5;
  std::uint64_t most_replications = 5;
  std::uint64_t first_seed = 1;  // replication r of every point has seed first_seed + r
  std::vector<Precision> precision{};
  std::vector<Condition> gates{};
  std::vector<Condition> among{};       // points that the answer is chosen from, by their keys
  std::vector<Condition> subject_to{};  // constraints of the answer, on figures
  std::vector<std::string> least{};     // keys: the answer has the least of the first, ...
  std::string best{};                   // or the metric that it has the least of
  std::vector<std::string> pareto{};    // metrics of which the front is asked for: less is better
  std::vector<std::string> metrics{};   // that the report shows
  std::vector<Claim> claims{};
  std::vector<Chart> charts{};

  // The product of the axes, at most about 1.8e19.
  double points() const;
  // Of its claims and charts.
  std::vector<const StudyFigure*> figures() const;
};

inline constexpr std::uint64_t kMostStudyPoints = 20'000;
inline constexpr std::uint64_t kMostReplications = 10'000;

struct StudyResult {
  Study study{};
  std::vector<scenarios::Diagnostic> problems{};  // empty: the study is valid as far as its text
};
StudyResult load_study(const std::string& file);

}  // namespace photonsim::campaigns
