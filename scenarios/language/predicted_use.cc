#include "scenarios/language/predicted_use.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/time.h"
#include "core_impl/photon/dispatcher/fresh_share.h"
#include "scenarios/config/config.h"
#include "scenarios/config/config_names.h"
#include "scenarios/config/load_over_time.h"
#include "scenarios/config/permille.h"
#include "scenarios/language/registry_theory.h"

namespace photonsim::scenarios {
namespace {

// The least and the most that is used.
struct UseRange {
  double least = 0;
  double most = 0;
};

UseRange operator*(double factor, const UseRange& range) {
  return {factor * range.least, factor * range.most};
}

UseRange operator+(const UseRange& range, double both) {
  return {range.least + both, range.most + both};
}

// Of the rate, and of the time that each takes.
UseRange operator*(const UseRange& rate, const UseRange& time) {
  return {rate.least * time.least, rate.most * time.most};
}

enum class RegistryOperation : std::uint8_t { lookup, insert };

class Prediction {
 public:
  explicit Prediction(const Config& config)
      : config_(config),
        theory_(config),
        rate_(offered_per_second(config)),
        peak_(config.registry_only() || rate_ <= 0 ? 1 : peak_factor(config)) {}

  std::vector<PredictedUse> all() {
    if (rate_ <= 0) return {};
    by_ = UsedBy::registry;
    registry();
    by_ = UsedBy::pipeline;
    if (!config_.registry_only()) {
      for (const std::string& name : config_.topology.pipelines) pipeline(name);
    }
    std::ranges::stable_sort(uses_, std::ranges::greater{}, [](const PredictedUse& each) {
      return std::pair(each.utilisation >= 1 ? each.utilisation : 0, each.utilisation_most);
    });
    return std::move(uses_);
  }

 private:
  // A limit that a key states; 0: none.
  void limit(std::string key, std::string where, UseRange used, double most) {
    if (most <= 0) return;
    std::string remedy = "raise " + key;
    add(key, std::move(where), (1 / most) * used, key, std::move(remedy));
  }

  // A processor, by what its work costs.
  void processor(std::string where, UseRange used, std::string cost, std::string_view spread_over) {
    std::string remedy = fmt::format("lower {}, or raise {}", cost, spread_over);
    add("processor", std::move(where), used, std::move(cost), std::move(remedy));
  }

  void add(std::string name, std::string where, UseRange share, std::string key,
           std::string remedy) {
    uses_.push_back({by_, std::move(name), std::move(where), std::move(key), std::move(remedy),
                     share.least, std::max(share.least, share.most),
                     share.least > 0 ? std::optional(rate_ / share.least) : std::nullopt, peak_});
  }

  void registry() {
    const Registry& registry = config_.registry;
    const std::string slowest = "the slowest shard";
    const auto depth = static_cast<double>(registry.pipeline_depth);
    const double inserts = theory_.inserts_per_second(rate_);
    const UseRange queued{inserts, theory_.queued_per_second(rate_)};
    const double commit = theory_.slowest_commit_seconds();
    limit("registry.max_batch_operations", slowest, commit * queued,
          depth * static_cast<double>(registry.max_batch_operations));
    // What waits for the transaction under way.
    limit("registry.max_queue", slowest, theory_.slowest_turn_seconds(rate_) * queued,
          static_cast<double>(registry.max_queue));
    // Look-ups take no bytes.
    limit("registry.max_batch_bytes", slowest, commit * UseRange{inserts, inserts},
          depth * static_cast<double>(theory_.inserts_that_fit()));
    const double requests = theory_.requests_per_second(rate_);
    processor("each master of the registry",
              photon::seconds_of(config_.service.registry_operation) * UseRange{requests, requests},
              "service.registry_operation", "registry.shards");
    if (config_.registry.lookup_mode != LookupMode::kReplica) return;
    // The replica nearest to a pipeline answers its look-ups, and may be a master besides.
    const double lookups = theory_.lookups_of_pipeline(rate_);
    processor("each replica nearest to a pipeline",
              photon::seconds_of(config_.service.registry_operation) *
                  UseRange{lookups, lookups * pipeline_count() + theory_.queued_per_second(rate_)},
              "service.registry_operation", "registry.shards");
  }

  double pipeline_count() const { return static_cast<double>(config_.topology.pipelines.size()); }

  // Of a look-up or a registration at that master.
  UseRange answer_of(const std::string& pipeline, const std::string& master,
                     RegistryOperation operation) const {
    const double trip = theory_.trip_seconds(pipeline, master);
    const bool insert = operation == RegistryOperation::insert;
    if (!insert && config_.registry.lookup_mode == LookupMode::kReplica) {
      const double nearest = theory_.nearest_trip_seconds(pipeline);
      return {nearest, nearest};
    }
    if (!insert && !theory_.queues_lookups()) return {trip, trip};
    const double commit = theory_.commit_seconds(master);
    return {trip + theory_.queueing_seconds(rate_, master) + (insert ? commit : 0),
            trip + theory_.queueing_seconds_most(rate_, master) + commit};
  }

  // The mean over the shards.
  UseRange answer_of(const std::string& pipeline, RegistryOperation operation) const {
    const auto mean = [&](double UseRange::*end) {
      return theory_.mean_of_shards(
          [&](const std::string& master) { return answer_of(pipeline, master, operation).*end; });
    };
    return {mean(&UseRange::least), mean(&UseRange::most)};
  }

  // At the shard that answers last.
  UseRange slowest_registration(const std::string& pipeline) const {
    UseRange slowest;
    for (const std::string& master : theory_.masters()) {
      const UseRange each = answer_of(pipeline, master, RegistryOperation::insert);
      slowest = {std::max(slowest.least, each.least), std::max(slowest.most, each.most)};
    }
    return slowest;
  }

  // The share of the clicks of the dispatcher that has most. Servers are dealt to partitions, and
  // these to workers; at least and at most, because the number of the first server is not known.
  UseRange busiest_dispatcher() const {
    const auto files =
        static_cast<std::size_t>(std::max<std::uint64_t>(1, servers_of(config_, LogKind::kClicks)));
    const auto partitions =
        static_cast<std::size_t>(std::max<std::uint64_t>(1, config_.dispatcher.parts()));
    const auto workers =
        static_cast<std::size_t>(std::max<std::uint64_t>(1, config_.dispatcher.workers));
    UseRange share{1, 0};
    for (std::size_t first = 0; first < std::min<std::size_t>(partitions, 100); ++first) {
      std::vector<std::size_t> load(workers);
      for (std::size_t i = 0; i < files; ++i) ++load[(first + i) % partitions % workers];
      const double most = static_cast<double>(std::ranges::max(load)) / static_cast<double>(files);
      share = {std::min(share.least, most), std::max(share.most, most)};
    }
    return share;
  }

  // Groups are sent and accepted whole.
  double whole_groups(std::uint64_t most) const {
    const std::uint64_t group = std::max<std::uint64_t>(1, config_.dispatcher.group);
    return static_cast<double>(std::max(group, most / group * group));
  }

  // Of the clicks that a dispatcher reads while it keeps up, how many are not fresh: by the delay
  // of their log. A datacenter farther away has them later, and a log is shipped in chunks.
  double share_not_fresh() const {
    const auto& shipping = config_.shipping;
    const double fixed = photon::seconds_of(shipping.near_far_gap + shipping.chunk);
    const double mean = photon::seconds_of(shipping.common_mean + shipping.noise_mean);
    const double left = photon::seconds_of(config_.dispatcher.fresh_age) - fixed;
    return left <= 0 ? 1 : mean > 0 ? std::exp(-left / mean) : 0;
  }

  void pipeline(const std::string& name) {
    const double inside =
        photon::seconds_of(config_.network.intra_datacenter_rtt) + theory_.jitter_seconds();
    const double output =
        lognormal_mean_seconds(config_.cell.append_median, config_.cell.append_p99);
    // Each click is joined once: by the pipelines in turn if they ask before, else by all.
    const UseRange joins{config_.dispatcher.pre_lookup ? rate_ / pipeline_count() : rate_, rate_};
    const UseRange registration = answer_of(name, RegistryOperation::insert);
    const UseRange joining = registration + inside + output;
    const Dispatcher& dispatcher = config_.dispatcher;
    const std::string at = "in " + name;
    const UseRange busiest = busiest_dispatcher();
    if (dispatcher.pre_lookup) {
      const UseRange lookups = (rate_ * busiest) * answer_of(name, RegistryOperation::lookup);
      const auto most = static_cast<double>(dispatcher.max_outstanding_lookups);
      limit("dispatcher.max_outstanding_lookups", at, lookups, most);
      // Clicks that are not fresh have the rest only.
      if (dispatcher.fresh_share > 0) {
        const auto rest = static_cast<double>(photon::lookups_of_backlog(
            dispatcher.max_outstanding_lookups, permille(dispatcher.fresh_share)));
        add("dispatcher.fresh_share", at, (share_not_fresh() / rest) * UseRange{0, lookups.most},
            "dispatcher.fresh_share",
            "lower dispatcher.fresh_share, or raise dispatcher.max_outstanding_lookups");
      }
    }
    limit("dispatcher.max_outstanding_sends", at, busiest * (joins * (joining + inside)),
          whole_groups(dispatcher.max_outstanding_sends));
    const double step = photon::seconds_of(config_.service.dispatcher_step);
    processor("each dispatcher " + at, (step * rate_) * busiest, "service.dispatcher_step",
              "dispatcher.workers");
    joiners(name, joins, joining, registration, registration + output);
  }

  void joiners(const std::string& pipeline, UseRange joins, UseRange joining, UseRange registration,
               UseRange window) {
    const Joiner& joiner = config_.joiner;
    const std::string at = "in " + pipeline;
    const UseRange each = (1 / static_cast<double>(joiner.count)) * joins;
    limit("joiner.max_in_flight", at, each * joining, whole_groups(joiner.max_in_flight));
    const auto registrations = static_cast<double>(joiner.max_outstanding_registry);
    limit("joiner.max_outstanding_registry", at, each * registration, registrations);
    // Without a limit of its own the window has that of the registrations.
    if (joiner.max_window > 0) {
      limit("joiner.max_window", at, each * window, static_cast<double>(joiner.max_window));
    } else {
      add("joiner.max_window", at, (1 / registrations) * (each * window),
          "joiner.max_outstanding_registry",
          "raise joiner.max_outstanding_registry, which limits joiner.max_window where that is 0");
    }
    limit("joiner.max_outstanding_per_shard", at,
          (1 / theory_.shards()) * (each * slowest_registration(pipeline)),
          static_cast<double>(joiner.max_outstanding_per_shard));
    processor("each joiner " + at, photon::seconds_of(config_.service.joiner_step) * each,
              "service.joiner_step", "joiner.count");
    const double nodes = static_cast<double>(config_.event_store.cache_nodes);
    processor("each cache " + at,
              (photon::seconds_of(config_.service.cache_lookup) / nodes) * joins,
              "service.cache_lookup", "event_store.cache_nodes");
  }

  const Config& config_;
  RegistryTheory theory_;
  double rate_ = 0;
  double peak_ = 1;
  UsedBy by_ = UsedBy::registry;  // of what is added
  std::vector<PredictedUse> uses_{};
};

}  // namespace

double offered_per_second(const Config& config) {
  if (config.registry_only()) return config.workload.registry.rate * operations_for_each(config);
  if (config.workload.kind != WorkloadKind::kSynthetic || !config.run.duration) return 0;
  const double length =
      photon::seconds_of(*config.run.duration) - photon::seconds_of(config.run.warm_up);
  if (length <= 0) return 0;
  return static_cast<double>(config.workload.synthetic.clicks) / length * peak_factor(config);
}

std::vector<PredictedUse> predicted_use(const Config& config) { return Prediction(config).all(); }

}  // namespace photonsim::scenarios
