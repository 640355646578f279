#include "scenarios/language/predicted_use.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "analysis/theory/group_commit.h"
#include "scenarios/config/config_distances.h"
#include "scenarios/config/load_over_time.h"

namespace photonsim::scenarios {
namespace {

namespace theory = photon::analysis::theory;

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// Of the lognormal distribution with this median and 99th percentile.
double lognormal_mean(Duration median, Duration p99) {
  constexpr double kNormal99 = 2.3263478740408408;
  if (median <= Duration{0} || p99 <= median) return seconds(median);
  const double sigma = std::log(seconds(p99) / seconds(median)) / kNormal99;
  return seconds(median) * std::exp(sigma * sigma / 2);
}

class Prediction {
 public:
  explicit Prediction(const Config& config) : config_(config), trips_(config) {
    const Registry& registry = config.registry;
    shards_ = static_cast<double>(registry.shards);
    for (std::size_t shard = 0; shard < registry.shards; ++shard) {
      masters_.push_back(master_of(shard));
    }
  }

  std::vector<PredictedUse> all() {
    const double rate = offered_per_second(config_);
    if (rate <= 0) return {};
    rate_ = rate;
    registry();
    if (!config_.registry_only()) pipelines();
    std::ranges::stable_sort(uses_, std::ranges::greater{}, &PredictedUse::utilisation);
    return std::move(uses_);
  }

 private:
  std::string master_of(std::size_t shard) const {
    const Registry& registry = config_.registry;
    if (registry.master_placement == MasterPlacement::kPinned) return registry.pinned_datacenter;
    if (registry.master_placement == MasterPlacement::kNearest) {
      return registry.replicas[trips_.nearest_replica()];
    }
    return registry.replicas[shard % registry.replicas.size()];
  }

  double jitter() const { return 2 * seconds(config_.network.jitter_mean); }

  // From the proposal to the majority's answer: a round trip and a follower's sync.
  double commit_of(const std::string& master) const {
    return seconds(trips_.quorum_delay(master)) + jitter() +
           lognormal_mean(config_.disk.fsync_median, config_.disk.fsync_p99);
  }

  // Over the shards.
  template <class Function>
  double mean_of_shards(Function&& value) const {
    double sum = 0;
    for (const std::string& master : masters_) sum += value(master);
    return sum / shards_;
  }

  // Look-ups that go through a master's queue, for each click.
  double queued_lookups() const {
    const bool queued = config_.registry.lookup_mode == LookupMode::kQueueOrdered;
    if (config_.registry_only()) return queued ? 1 : 1 - config_.workload.registry.lookups;
    return 1 + (config_.dispatcher.pre_lookup && queued ? pipeline_count() : 0);
  }
  // Inserts for each click.
  double inserts() const {
    return config_.registry_only() ? 1 - config_.workload.registry.lookups : 1;
  }
  double pipeline_count() const { return static_cast<double>(config_.topology.pipelines.size()); }

  void add(std::string name, std::string where, double used, double limit) {
    if (limit <= 0) return;
    const double utilisation = used / limit;
    uses_.push_back({std::move(name), std::move(where), utilisation,
                     utilisation > 0 ? rate_ / utilisation : 0});
  }

  void registry() {
    const Registry& registry = config_.registry;
    const double each = rate_ * queued_lookups() / shards_;
    double commit = 0;
    for (const std::string& master : masters_) commit = std::max(commit, commit_of(master));
    const double depth = static_cast<double>(registry.pipeline_depth);
    add("registry.max_batch_operations", "the slowest shard", each * commit,
        depth * static_cast<double>(registry.max_batch_operations));
    add("processor", "each master of the registry",
        each * 2 * seconds(config_.service.registry_operation), 1);
  }

  // Of an operation in the queue of the master: half a transaction on average while one is under
  // way, and for an insert its own transaction besides.
  double queueing(const std::string& master) const {
    const auto means = theory::group_commit_means({rate_ * inserts() / shards_, commit_of(master)});
    return means ? means->busy_fraction * commit_of(master) / 2 : 0;
  }

  double trip(const std::string& pipeline, const std::string& master) const {
    return jitter() + (pipeline == master ? seconds(config_.network.intra_datacenter_rtt)
                                          : seconds(trips_.between(pipeline, master)));
  }

  void pipelines() {
    const double inside = seconds(config_.network.intra_datacenter_rtt) + jitter();
    const double output = lognormal_mean(config_.cell.append_median, config_.cell.append_p99);
    // Each click is joined once: by the pipelines in turn if they ask before, else by all.
    const double share = config_.dispatcher.pre_lookup ? 1 / pipeline_count() : 1;
    for (const std::string& name : config_.topology.pipelines) {
      const double lookup = mean_of_shards(
          [&](const std::string& master) { return trip(name, master) + queueing(master); });
      const double registration = mean_of_shards([&](const std::string& master) {
        return trip(name, master) + queueing(master) + commit_of(master);
      });
      const Dispatcher& dispatcher = config_.dispatcher;
      const double workers = static_cast<double>(dispatcher.workers);
      const std::string at = "in " + name;
      if (dispatcher.pre_lookup) {
        add("dispatcher.max_outstanding_lookups", at, rate_ * lookup,
            workers * static_cast<double>(dispatcher.max_outstanding_lookups));
      }
      const double joining = inside + registration + output;
      add("dispatcher.max_outstanding_sends", at, rate_ * share * (inside + joining),
          workers * static_cast<double>(dispatcher.max_outstanding_sends));
      joiners(at, rate_ * share, joining, registration, output);
    }
  }

  void joiners(const std::string& at, double rate, double joining, double registration,
               double output) {
    const Joiner& joiner = config_.joiner;
    const double count = static_cast<double>(joiner.count);
    const std::uint64_t window =
        joiner.max_window == 0 ? joiner.max_outstanding_registry : joiner.max_window;
    add("joiner.max_in_flight", at, rate * joining,
        count * static_cast<double>(joiner.max_in_flight));
    add("joiner.max_outstanding_registry", at, rate * registration,
        count * static_cast<double>(joiner.max_outstanding_registry));
    add("joiner.max_window", at, rate * (registration + output),
        count * static_cast<double>(window));
    add("processor", "each joiner " + at, rate * seconds(config_.service.joiner_step) / count, 1);
    add("processor", "each dispatcher " + at,
        rate_ * seconds(config_.service.dispatcher_step) /
            static_cast<double>(config_.dispatcher.workers),
        1);
    const double queries = rate / static_cast<double>(config_.event_store.cache_nodes);
    add("processor", "each cache " + at, queries * seconds(config_.service.cache_lookup), 1);
  }

  const Config& config_;
  RoundTrips trips_;
  double shards_ = 1;
  double rate_ = 0;
  std::vector<std::string> masters_{};  // by shard
  std::vector<PredictedUse> uses_{};
};

}  // namespace

double offered_per_second(const Config& config) {
  if (config.registry_only()) return config.workload.registry.rate;
  if (config.workload.kind != WorkloadKind::kSynthetic || !config.run.duration) return 0;
  const double length = seconds(*config.run.duration) - seconds(config.run.warm_up);
  if (length <= 0) return 0;
  return static_cast<double>(config.workload.synthetic.clicks) / length * peak_factor(config);
}

std::vector<PredictedUse> predicted_use(const Config& config) { return Prediction(config).all(); }

}  // namespace photonsim::scenarios
