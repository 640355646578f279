#include "scenarios/language/predicted_figures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/results/run_record.h"
#include "scenarios/config/load_over_time.h"
#include "scenarios/language/predicted_use.h"
#include "scenarios/language/registry_theory.h"

namespace photonsim::scenarios {
namespace {

namespace theory = photon::analysis::theory;
using photon::analysis::PredictedFigure;
using photon::analysis::Unit;

class Figures {
 public:
  explicit Figures(const Config& config)
      : config_(config),
        theory_(config),
        rate_(offered_per_second(config)),
        batch_max_(static_cast<std::uint32_t>(
            std::min(config.registry.max_batch_operations, theory_.inserts_that_fit()))) {}

  std::vector<PredictedFigure> all() {
    if (!holds()) return {};
    add("registry.commit_latency.mean", Unit::seconds,
        theory_.mean_of_shards(
            [&](const std::string& master) { return theory_.commit_seconds(master); }),
        "quorum round trip + sync");
    if (config_.registry_only()) {
      registry_alone();
    } else {
      pipelines();
    }
    return std::move(list_);
  }

 private:
  bool holds() const {
    const Registry& registry = config_.registry;
    if (rate_ <= 0 || registry.pipeline_depth != 1 || registry.linger > Duration{0}) return false;
    if (std::abs(peak_factor(config_) - 1) > 1e-9) return false;
    if (config_.registry_only() && config_.workload.registry.bundled > 0) return false;  // bursts
    const auto uses = predicted_use(config_);
    return std::ranges::all_of(uses, [](const PredictedUse& each) { return each.utilisation < 1; });
  }

  std::optional<theory::CommitMeans> means(const std::string& master) const {
    return theory::group_commit_means(theory_.commit_load(rate_, master), batch_max_);
  }

  // The mean over the shards; nothing if one has no steady state.
  template <class Function>
  std::optional<double> over_shards(Function&& value) const {
    double sum = 0;
    for (const std::string& master : theory_.masters()) {
      const auto each = means(master);
      if (!each) return std::nullopt;
      sum += value(master, *each);
    }
    return sum / theory_.shards();
  }

  void registry_alone() {
    const bool looks_up = config_.workload.registry.lookups > 0;
    add("load.transactions_per_second", Unit::per_second,
        over_shards([&](const std::string&, const theory::CommitMeans& each) {
          return each.transactions_per_second * theory_.shards();
        }),
        "group commit: 1/L under load");
    if (!looks_up) {
      add("load.mean_batch", Unit::ratio,
          over_shards(
              [](const std::string&, const theory::CommitMeans& each) { return each.batch_mean; }),
          "group commit: lambda L under load");
    }
    add("load.insert_latency.mean", Unit::seconds,
        over_shards([&](const std::string& master, const theory::CommitMeans& each) {
          return mean_trip(master) + each.delay_seconds;
        }),
        "group commit: L to 1.5 L, and the way to the master");
  }

  // A dispatcher sends the clicks of a scan in a burst, which no formula of Poisson arrivals holds
  // for. A look-up that bypasses the queue waits for nothing.
  void pipelines() {
    if (!config_.dispatcher.pre_lookup || config_.registry.lookup_mode != LookupMode::kBypass) {
      return;
    }
    add("stages.lookup.mean", Unit::seconds,
        theory_.mean_of_shards([&](const std::string& master) { return mean_trip(master); }),
        "the way to the master");
  }

  double mean_trip(const std::string& master) const {
    double sum = 0;
    for (const std::string& pipeline : config_.topology.pipelines) {
      sum += theory_.trip_seconds(pipeline, master);
    }
    return sum / static_cast<double>(config_.topology.pipelines.size());
  }

  void add(std::string name, Unit unit, std::optional<double> value, std::string formula) {
    if (value) list_.push_back({std::move(name), unit, *value, {}, std::move(formula)});
  }

  const Config& config_;
  RegistryTheory theory_;
  double rate_;
  std::uint32_t batch_max_;
  std::vector<PredictedFigure> list_{};
};

}  // namespace

std::vector<PredictedFigure> predicted_figures(const Config& config) {
  return Figures(config).all();
}

void compare_with_theory(const Config& config, photon::analysis::Summary& summary) {
  summary.predicted = predicted_figures(config);
  if (summary.predicted.empty()) return;
  const auto metrics = photon::analysis::metrics_of(summary);
  for (PredictedFigure& each : summary.predicted) {
    const auto found = std::ranges::find(metrics, each.name, &photon::analysis::Metric::name);
    if (found != metrics.end()) each.measured = found->value;
  }
}

}  // namespace photonsim::scenarios
