// The points of a study: every combination of its choices that `where` admits, with the resolved
// scenario of each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/study.h"
#include "campaigns/runs/run_spec.h"
#include "campaigns/studies/figure_points.h"
#include "campaigns/studies/study.h"
#include "scenarios/config/config.h"
#include "scenarios/language/predicted_use.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

inline constexpr std::string_view kSettingsAxis = "settings";

struct StudyPoint {
  std::vector<photon::analysis::Parameter> parameters{};  // those that vary, in the study's order
  // What the point takes of each axis: the key and its value, several of each in a zip; "case" and
  // its label where the choices of a list have labels; kSettingsAxis where they set unlike keys.
  std::vector<photon::analysis::Parameter> choices{};
  scenarios::Config config{};
  std::vector<scenarios::PredictedUse> predicted{};  // the most used first
  std::string label{};  // "registry.shards=1, registry.max_batch_operations=64"
  bool among = true;    // the answer is chosen from it
};

class StudyPlan {
 public:
  const Study& study() const { return study_; }
  const std::vector<StudyPoint>& points() const { return points_; }
  // Of a search: plans these points too, after the others. With problems it plans none of them.
  std::vector<scenarios::Diagnostic> add(const std::vector<Choice>& choices);
  // Of each claim of the study.
  const std::vector<FigurePoints>& claims() const { return claims_; }
  // Of each line of each chart.
  const std::vector<std::vector<FigurePoints>>& charts() const { return charts_; }
  // Of a drawn study: the value that each drawn key has where nothing draws it.
  const std::map<std::string, std::string>& undrawn() const { return undrawn_; }
  // Combinations that `where` excludes.
  std::uint64_t excluded() const { return excluded_; }
  // Points that theory predicts not to keep up with their load.
  std::uint64_t overloaded() const;
  // Run r of point p has this number, and this seed: the same for all points.
  std::uint64_t number_of(std::size_t point, std::uint64_t replication) const {
    return replication * points_.size() + point;
  }
  std::size_t point_of(std::uint64_t number) const {
    return static_cast<std::size_t>(number % points_.size());
  }
  std::uint64_t replication_of(std::uint64_t number) const { return number / points_.size(); }
  std::uint64_t seed_of(std::uint64_t number) const {
    return study_.first_seed + replication_of(number);
  }
  RunSpec spec_of(std::uint64_t number) const;
  // The command that repeats it.
  std::string replay_of(std::uint64_t number) const;
  // Rough cost of `replications` of every point: seconds of one core, and bytes of the results
  // file. From measured costs per click, operation and simulated second (docs/RESULTS.md,
  // "What a run costs"); near saturation runs take longer.
  struct Cost {
    double core_seconds = 0;
    double bytes = 0;
    bool replays_log = false;  // its clicks are not counted: the time is not known
  };
  Cost cost(std::uint64_t replications) const;
  static Cost cost_of(const StudyPoint& point);  // of one run
  // Of a search its points and confirmations, at most; else the least replications of every point.
  std::uint64_t runs() const;
  photon::analysis::CampaignIdentity identity(const std::string& model_version) const;

 private:
  friend struct PlanResult plan_study(Study study);
  std::vector<std::string> overrides_of_run(std::uint64_t number) const;

  Study study_{};
  std::vector<StudyPoint> points_{};
  std::vector<FigurePoints> claims_{};
  std::vector<std::vector<FigurePoints>> charts_{};
  std::map<std::string, std::string> undrawn_{};
  std::uint64_t excluded_ = 0;
};

struct PlanResult {
  StudyPlan plan{};
  std::vector<scenarios::Diagnostic> problems{};  // empty: the plan can be run
  std::vector<scenarios::Diagnostic> warnings{};  // of its points, each once
};
PlanResult plan_study(Study study);

}  // namespace photonsim::campaigns
