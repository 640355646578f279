#include "scenarios/language/config_warnings.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "core_impl/photon/event_store/lru_cache.h"
#include "scenarios/config/config_distances.h"
#include "scenarios/config/config_names.h"
#include "scenarios/config/load_over_time.h"
#include "scenarios/config/units.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/predicted_use.h"

namespace photonsim::scenarios {
namespace {

// The shortest time of a master's answer: without jitter, queues and service times.
struct Answer {
  std::string pipeline{};
  std::string master{};
  Duration trip{0};
  Duration commit{0};
  Duration linger{0};

  Duration total() const { return trip + commit + linger; }
};

std::string said(Duration time) {
  return photon::analysis::spoken(std::chrono::duration<double>(time).count());
}

// Rounded up, so that what is longer than the text is longer than the time.
std::string above(Duration time) {
  Duration unit{1};
  while (time / unit >= 1000) unit *= 10;
  return said((time + unit - Duration{1}) / unit * unit);
}

enum class Waits : std::uint8_t { for_round_trip, for_commit };

class Warnings {
 public:
  Warnings(const Config& config, const Places& places, Report& report)
      : config_{config},
        places_{places},
        report_{report},
        trips_{config},
        master_datacenters_{master_datacenters()} {}

  void timeouts() {
    elections();
    inside_pipelines();
    too_short("joiner.registry_timeout", config_.joiner.registry_timeout, Waits::for_commit,
              "every registration is retried before its answer can arrive");
    if (!config_.registry_only()) {
      // The joiner answers a click after its registration.
      too_short("dispatcher.send_timeout", config_.dispatcher.send_timeout, Waits::for_commit,
                "every click is sent again before its joiner can answer",
                config_.network.intra_datacenter_rtt);
    }
    const bool asks = config_.registry_only() || config_.dispatcher.pre_lookup;
    if (!asks || config_.registry.lookup_mode == LookupMode::kReplica) return;
    too_short("dispatcher.lookup_timeout", config_.dispatcher.lookup_timeout, Waits::for_round_trip,
              "every look-up times out before its answer can arrive");
  }

  static std::string place_of(const PredictedUse& use) {
    return fmt::format("{}{} {}", use.name, use.where.starts_with("in ") ? "" : " of", use.where);
  }

  void warn_of(const PredictedUse& use, const std::string& problem, std::string_view remark) {
    warn({use.key, "workload.synthetic.clicks", "workload.registry.rate"}, problem,
         fmt::format("{}, or offer less; {}", use.remedy, remark));
  }

  std::string_view most_of_registry() const {
    if (config_.registry_only()) return "look-ups share their batches";
    return config_.registry.lookup_mode == LookupMode::kQueueOrdered
               ? "all pipelines insert each click, and look-ups share their batches"
               : "all pipelines insert each click";
  }

  // When a limit is used least, and when most.
  std::pair<std::string, std::string> ends_of(const PredictedUse& use) const {
    if (use.by == UsedBy::registry)
      return {"by inserts alone", fmt::format("if {}", most_of_registry())};
    if (use.name == "dispatcher.fresh_share") {
      return {"while all clicks are fresh", "while their logs are late"};
    }
    return {"if one pipeline joins each click",
            "if all do, or look-ups wait for commits, as where clicks wait"};
  }

  // By queueing theory, before any run (predicted_use.h).
  void overload() {
    const std::vector<PredictedUse> uses = predicted_use(config_);
    if (uses.empty()) return;
    const PredictedUse& each = uses.front();
    const std::string saturates =
        fmt::format("{} saturates at {:.4g} {} a second, and {:.4g} are offered", place_of(each),
                    each.capacity_per_second.value_or(0),
                    config_.registry_only() ? "operations" : "clicks", offered_per_second(config_));
    if (each.cannot_keep_up()) {
      warn_of(each, fmt::format("{}: {}", kCannotKeepUp, saturates),
              "the run will not be stationary");
    } else if (each.cannot_at_its_peak()) {
      warn_of(each, "this deployment cannot keep up with its load at its peak: " + saturates,
              "while the peak lasts, a backlog grows");
    } else if (each.may_not_keep_up()) {
      const auto [least, most] = ends_of(each);
      warn_of(each,
              fmt::format("this deployment may not keep up: {} is used to {:.0f} % {}, and to "
                          "{:.0f} % {}",
                          place_of(each), 100 * each.utilisation, least,
                          100 * each.utilisation_most, most),
              "a run tells");
    }
  }

  // Queries that a pipeline's cache holds, beside those that arrive while a click is on its way.
  void cache() {
    const double rate = offered_per_second(config_);
    if (config_.registry_only() || rate <= 0) return;
    const auto& load = config_.workload.synthetic;
    // Queries are generated in the warm-up too.
    const std::chrono::duration<double> all = config_.run.duration.value_or(Duration{0});
    const double share = all.count() > 0 ? 1 - config_.run.warm_up / all : 1;
    const double bytes = rate * share * static_cast<double>(load.queries_per_click) *
                         static_cast<double>(photon::LruCache::charge(load.query_payload));
    const double held =
        static_cast<double>(config_.event_store.cache_nodes * config_.event_store.cache_bytes);
    const std::chrono::duration<double> holds(held / std::max(bytes, 1.0));
    const Duration needed = load.fast_mean + config_.shipping.common_mean;
    if (holds >= needed) return;
    warn({"event_store.cache_bytes", "event_store.cache_nodes"},
         fmt::format("the caches of a pipeline hold the queries of {:.3g} s, and a click follows "
                     "its query after {} on average: {} queries will be read from the logs",
                     holds.count(), said(needed), 2 * holds < needed ? "most" : "many"),
         "raise event_store.cache_bytes, unless the logs are what you study");
  }

  void late_clicks() {
    const auto& load = config_.workload.synthetic;
    if (!load.clicks_follow_queries || load_shape_of(config_) != nullptr) return;
    warn({"workload.synthetic.clicks_follow_queries"},
         "it changes nothing, as the load does not change over time",
         "state workload.synthetic.daily, ramp, burst or rate_file");
  }

  // Where time and stamps are fine, two events of a server hardly ever fall on one nanosecond.
  void sharing_processes() {
    const std::uint64_t processes = config_.workload.synthetic.processes;
    const bool is_fine = config_.run.tick + config_.clocks.stamp_resolution == Duration::zero();
    if (processes == 1 || !is_fine || config_.workload.kind != WorkloadKind::kSynthetic) return;
    warn({"workload.synthetic.processes", "clocks.stamp_resolution", "run.tick"},
         "it changes nothing: only the first process of a server issues ids, unless events of the "
         "server fall on one moment of its clock",
         "state clocks.stamp_resolution or run.tick");
  }

  // One client has no rivals: the load would be another one than stated.
  void rivals() {
    const RegistryWorkload& load = config_.workload.registry;
    const std::uint64_t clients = load.clients * config_.topology.pipelines.size();
    if (!config_.registry_only() || load.contested == 0 || clients > 1) return;
    warn({"workload.registry.contested", "workload.registry.clients"},
         fmt::format("workload.registry.contested = {:.4g} has no effect: a contested id needs a "
                     "second client, and there is one",
                     load.contested),
         "raise workload.registry.clients, or set workload.registry.contested = 0");
  }

  void pinning() {
    const Registry& registry = config_.registry;
    if (registry.master_placement == MasterPlacement::kPinned) return;
    if (registry.pinned_datacenter.empty()) return;
    warn({"registry.pinned_datacenter", "registry.master_placement"},
         fmt::format("registry.pinned_datacenter = \"{}\" has no effect: masters are pinned only "
                     "with registry.master_placement = \"pinned\"",
                     registry.pinned_datacenter),
         "state that, or leave the datacenter out");
  }

  // Checks stated round trips only: measured ones cannot be changed.
  void detours() {
    constexpr std::size_t kMostNamed = 3;
    std::size_t count = 0;
    const auto& links = config_.network.links;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::optional<std::string> problem = detour(links[i]);
      if (problem && ++count <= kMostNamed) {
        warn({fmt::format("network.link.{}.rtt", i)}, *problem,
             "such routes are rare: check the round trips");
      }
    }
    if (count <= kMostNamed) return;
    warn({"network.link"},
         fmt::format("{} more round trips are longer than a detour", count - kMostNamed));
  }

 private:
  // Without these a shard has no master, or not for long.
  void elections() {
    const Registry& registry = config_.registry;
    const std::string& nearest = registry.replicas[trips_.nearest_replica()];
    const auto quorum_of = [this](const std::string& each) { return trips_.quorum_delay(each); };
    const std::string& slowest = *std::ranges::max_element(master_datacenters_, {}, quorum_of);
    below_quorum("registry.election_timeout", registry.election_timeout, nearest,
                 "no replica wins an election before the next one begins");
    below_quorum("registry.lease", registry.lease, slowest,
                 "a master loses its lease before it can renew it");
  }

  void below_quorum(std::string_view key, Duration timeout, const std::string& master,
                    std::string_view effect) {
    const Duration quorum = trips_.quorum_delay(master);
    if (timeout > quorum) return;
    warn({key, "registry.replicas", "registry.master_placement", "network.link"},
         fmt::format("with {} = {} {}: a majority of the replicas answers one in {} after {}", key,
                     said(timeout), effect, master, said(quorum)),
         fmt::format("make it longer than {}; ten times that is usual", above(quorum)));
  }

  void inside_pipelines() {
    if (config_.registry_only()) return;
    const Duration inside = config_.network.intra_datacenter_rtt;
    if (config_.joiner.event_store_timeout <= inside) {
      warn({"joiner.event_store_timeout", "network.intra_datacenter_rtt"},
           fmt::format("with joiner.event_store_timeout = {} every look-up of a query times out: "
                       "the round trip to the EventStore takes {}",
                       said(config_.joiner.event_store_timeout), said(inside)),
           fmt::format("make it longer than {}, and than a read of the logs", above(inside)));
    }
    if (!config_.verification.enabled) return;
    for (const std::string& from : config_.topology.pipelines) {
      for (const std::string& to : config_.topology.pipelines) {
        const Duration trip = std::max(inside, trips_.between(from, to));
        if (config_.verification.answer_timeout > trip) continue;
        return warn({"verification.answer_timeout", "network.link"},
                    fmt::format("with verification.answer_timeout = {} a verifier in {} never "
                                "hears the auditor in {}: the round trip takes {}",
                                said(config_.verification.answer_timeout), from, to, said(trip)),
                    fmt::format("make it longer than {}; twice that is usual", above(trip)));
      }
    }
  }

  // `inside`: the round trip of the waiting message, which stays in the pipeline.
  void too_short(std::string_view key, Duration timeout, Waits waits, std::string_view effect,
                 Duration inside = Duration{0}) {
    const Answer answer = slowest_answer(waits);
    const Duration shortest = answer.total() + inside;
    if (timeout > shortest) return;
    const std::string to_joiner =
        inside > Duration{0} ? fmt::format(", plus {} between dispatcher and joiner", said(inside))
                             : std::string();
    const std::string commit =
        answer.commit > Duration{0}
            ? fmt::format(", plus {} until a majority of the replicas has it", said(answer.commit))
            : std::string();
    const std::string linger = answer.linger > Duration{0}
                                   ? fmt::format(", plus registry.linger = {}", said(answer.linger))
                                   : std::string();
    warn({key, "registry.linger", "registry.replicas", "registry.master_placement",
          "registry.pinned_datacenter", "network.link", "network.intra_datacenter_rtt"},
         fmt::format("with {} = {} {}: the round trip from {} to a master in {} takes {}{}{}{}",
                     key, said(timeout), effect, answer.pipeline, answer.master, said(answer.trip),
                     commit, linger, to_joiner),
         fmt::format("make it longer than {}; twice that is usual", above(shortest)));
  }

  // The datacenters where registry.master_placement puts the masters of the shards.
  std::vector<std::string> master_datacenters() const {
    const Registry& registry = config_.registry;
    if (registry.master_placement == MasterPlacement::kPinned) return {registry.pinned_datacenter};
    if (registry.master_placement == MasterPlacement::kNearest) {
      return {registry.replicas[trips_.nearest_replica()]};
    }
    const std::size_t count = std::min<std::size_t>(registry.shards, registry.replicas.size());
    return {registry.replicas.begin(),
            registry.replicas.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  // The slowest pair of a pipeline and a master.
  Answer slowest_answer(Waits waits) const {
    const bool queued =
        waits == Waits::for_commit || config_.registry.lookup_mode == LookupMode::kQueueOrdered;
    const Duration linger = queued ? config_.registry.linger : Duration{0};
    Answer slowest;
    for (const std::string& master : master_datacenters_) {
      const Duration commit =
          waits == Waits::for_commit ? trips_.quorum_delay(master) : Duration{0};
      for (const std::string& pipeline : config_.topology.pipelines) {
        const Duration trip = pipeline == master ? config_.network.intra_datacenter_rtt
                                                 : trips_.between(pipeline, master);
        const Answer answer{pipeline, master, trip, commit, linger};
        if (answer.total() > slowest.total()) slowest = answer;
      }
    }
    return slowest;
  }

  // Why the link is too long; nothing if it is not.
  std::optional<std::string> detour(const NetworkLink& link) const {
    for (const std::string& via : datacenter_names(config_)) {
      const Duration first = trips_.between(link.from, via);
      const Duration second = trips_.between(via, link.to);
      const bool known = first > Duration{0} && second > Duration{0};
      if (!known || link.rtt <= first + second) continue;
      return fmt::format("the round trip from {} to {} takes {}, and by way of {} only {} + {}",
                         link.from, link.to, said(link.rtt), via, said(first), said(second));
    }
    return std::nullopt;
  }

  void warn(std::initializer_list<std::string_view> keys, std::string_view message,
            std::string_view hint = {}) {
    report_.add(blamed(keys, places_, report_.sources()), message, hint);
  }

  const Config& config_;
  const Places& places_;
  Report& report_;
  RoundTrips trips_;
  std::vector<std::string> master_datacenters_;
};

}  // namespace

void add_warnings(const Config& config, const Places& places, Report& report) {
  Warnings warnings{config, places, report};
  warnings.timeouts();
  warnings.pinning();
  warnings.rivals();
  warnings.detours();
  warnings.overload();
  warnings.cache();
  warnings.late_clicks();
  warnings.sharing_processes();
}

}  // namespace photonsim::scenarios
