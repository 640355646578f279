// What a study is: its points, and what else decides the results of its runs.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace photon::analysis {

// A key of the scenario with its value, or an option of generated configurations.
struct Parameter {
  std::string name{};   // "workload.registry.rate", "faults.outage.0.at", "tier"
  std::string value{};  // without quotes
  auto operator<=>(const Parameter&) const = default;
};

// What kind of text describes a point; points of one kind have the same parameters.
enum class PointKind : std::uint8_t { scenario, generated };

// One configuration, whatever the seed of its runs.
struct Point {
  std::string scenario{};  // its name, for reports
  PointKind kind = PointKind::scenario;
  std::string text{};  // the whole scenario but for its seed, or the options that generate it
  std::vector<Parameter> parameters{};  // no name twice
  bool operator==(const Point&) const = default;
};

// A campaign is identified by the inputs that decide the results of its runs, not by its number of
// seeds or of processes, nor by names of files.
struct CampaignIdentity {
  std::vector<Point> points{};
  double self_check = 0;  // the share of runs that are repeated
  std::string model_version{};

  std::string key() const;                 // 16 hexadecimal digits; of the texts of its points
  std::vector<std::string> names() const;  // of its scenarios
};

struct StoredCampaign {
  std::string key{};
  CampaignIdentity identity{};  // its points without parameters
  std::uint64_t runs = 0;
};

}  // namespace photon::analysis
