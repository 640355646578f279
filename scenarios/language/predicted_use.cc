#include "scenarios/language/predicted_use.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "scenarios/config/config.h"
#include "scenarios/config/load_over_time.h"
#include "scenarios/language/registry_theory.h"

namespace photonsim::scenarios {
namespace {

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

class Prediction {
 public:
  explicit Prediction(const Config& config)
      : config_(config), theory_(config), rate_(offered_per_second(config)) {}

  std::vector<PredictedUse> all() {
    if (rate_ <= 0) return {};
    registry();
    if (!config_.registry_only()) pipelines();
    std::ranges::stable_sort(uses_, std::ranges::greater{}, &PredictedUse::utilisation_most);
    return std::move(uses_);
  }

 private:
  double pipeline_count() const { return static_cast<double>(config_.topology.pipelines.size()); }

  void add(std::string name, std::string where, double used, double limit, double used_most = 0) {
    if (limit <= 0) return;
    const double utilisation = used / limit;
    uses_.push_back({std::move(name), std::move(where), utilisation,
                     std::max(used, used_most) / limit, utilisation > 0 ? rate_ / utilisation : 0});
  }

  void registry() {
    const Registry& registry = config_.registry;
    const double each = theory_.queued_per_second(rate_);
    add("registry.max_batch_operations", "the slowest shard",
        theory_.inserts_per_second(rate_) * theory_.slowest_commit_seconds(),
        static_cast<double>(registry.pipeline_depth * registry.max_batch_operations),
        each * theory_.slowest_commit_seconds());
    // What waits for the transaction under way.
    add("registry.max_queue", "the slowest shard",
        theory_.inserts_per_second(rate_) * theory_.slowest_commit_seconds(),
        static_cast<double>(registry.max_queue), each * theory_.slowest_commit_seconds());
    // Look-ups take no bytes.
    add("registry.max_batch_bytes", "the slowest shard",
        theory_.inserts_per_second(rate_) * theory_.slowest_commit_seconds(),
        static_cast<double>(registry.pipeline_depth * theory_.inserts_that_fit()));
    add("processor", "each master of the registry",
        each * 2 * seconds(config_.service.registry_operation), 1);
  }

  void pipelines() {
    const double inside = seconds(config_.network.intra_datacenter_rtt) + theory_.jitter_seconds();
    const double output =
        lognormal_mean_seconds(config_.cell.append_median, config_.cell.append_p99);
    // Each click is joined once: by the pipelines in turn if they ask before, else by all. Where
    // clicks wait all pipelines join them, for then each asks before another one has registered.
    const double share = config_.dispatcher.pre_lookup ? 1 / pipeline_count() : 1;
    for (const std::string& name : config_.topology.pipelines) {
      const double lookup = theory_.mean_of_shards([&](const std::string& master) {
        return theory_.trip_seconds(name, master) +
               (theory_.queues_lookups() ? theory_.queueing_seconds(rate_, master) : 0);
      });
      const double registration = theory_.mean_of_shards([&](const std::string& master) {
        return theory_.trip_seconds(name, master) + theory_.queueing_seconds(rate_, master) +
               theory_.commit_seconds(master);
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
          workers * static_cast<double>(dispatcher.max_outstanding_sends),
          rate_ * (inside + joining));
      joiners(at, rate_ * share, joining, registration, output);
    }
  }

  void joiners(const std::string& at, double rate, double joining, double registration,
               double output) {
    const Joiner& joiner = config_.joiner;
    const double count = static_cast<double>(joiner.count);
    add("joiner.max_in_flight", at, rate * joining,
        count * static_cast<double>(joiner.max_in_flight), rate_ * joining);
    // Without a limit of its own the window is that of the registrations.
    if (joiner.max_window > 0) {
      add("joiner.max_outstanding_registry", at, rate * registration,
          count * static_cast<double>(joiner.max_outstanding_registry), rate_ * registration);
      add("joiner.max_window", at, rate * (registration + output),
          count * static_cast<double>(joiner.max_window), rate_ * (registration + output));
    } else {
      add("joiner.max_outstanding_registry", at, rate * (registration + output),
          count * static_cast<double>(joiner.max_outstanding_registry),
          rate_ * (registration + output));
    }
    const double step = seconds(config_.service.joiner_step) / count;
    add("processor", "each joiner " + at, rate * step, 1, rate_ * step);
    add("processor", "each dispatcher " + at,
        rate_ * seconds(config_.service.dispatcher_step) /
            static_cast<double>(config_.dispatcher.workers),
        1);
    const double queries = rate / static_cast<double>(config_.event_store.cache_nodes);
    add("processor", "each cache " + at, queries * seconds(config_.service.cache_lookup), 1);
  }

  const Config& config_;
  RegistryTheory theory_;
  double rate_ = 0;
  std::vector<PredictedUse> uses_{};
};

}  // namespace

double offered_per_second(const Config& config) {
  if (config.registry_only()) return config.workload.registry.rate * operations_for_each(config);
  if (config.workload.kind != WorkloadKind::kSynthetic || !config.run.duration) return 0;
  const double length = seconds(*config.run.duration) - seconds(config.run.warm_up);
  if (length <= 0) return 0;
  return static_cast<double>(config.workload.synthetic.clicks) / length * peak_factor(config);
}

std::vector<PredictedUse> predicted_use(const Config& config) { return Prediction(config).all(); }

}  // namespace photonsim::scenarios
