#include "scenarios/language/config_validate.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/oracles/oracle_table.h"
#include "scenarios/config/units.h"
#include "scenarios/extensions/extensions.h"
#include "scenarios/language/scale.h"

namespace photonsim::scenarios {
namespace {

// Rounding to whole nanoseconds adds up to this to the drift of a clock.
constexpr double kClockRounding = 2;

// SPEC A-32: between two synchronisations the error grows to e + rho T, where stamps are coarse by
// their resolution more, and two clocks may err in opposite directions. The bound is strict, as in
// models/clocks.h: a clock that reaches it after rounding has left it.
void check_clock_bound(Validation& v) {
  const Clocks& c = v.config().clocks;
  const double drift = c.drift * static_cast<double>(c.sync_period.count());
  const auto constant = static_cast<double>((c.sync_error + c.stamp_resolution).count());
  const double spread = 2.0 * (constant + drift);
  if (spread + 2 * kClockRounding > static_cast<double>(c.skew_bound().count()) &&
      !c.violate_clock_bound) {
    v.refuse({"clocks.epsilon", "clocks.drift", "clocks.sync_period", "clocks.sync_error",
              "clocks.stamp_resolution", "clocks.violate_clock_bound"},
             fmt::format("clocks may differ by 2 (sync_error + drift x sync_period{}) = {}, which "
                         "must be smaller than S = 2 epsilon = {} (SPEC A-32)",
                         c.stamp_resolution > Duration{0} ? " + stamp_resolution" : "",
                         format_duration(Duration{static_cast<std::int64_t>(spread)}),
                         format_duration(c.skew_bound())),
             "raise clocks.epsilon, synchronise more often, or state violate_clock_bound = true");
  }
  if (c.step_interval > Duration{0} && c.step_max == Duration{0}) {
    v.refuse({"clocks.step_interval", "clocks.step_max"},
             "clocks step, but clocks.step_max = 0s: the steps would do nothing",
             "state clocks.step_max");
  }
  if (c.step_interval > Duration{0} && c.step_interval < 1ms) {
    v.refuse({"clocks.step_interval"},
             fmt::format("clocks step every {}: such a run does not end",
                         format_duration(c.step_interval)),
             "at least 1ms, or 0s for no steps");
  }
  if (c.step_interval > Duration{0} && c.step_max > c.skew_bound() && !c.violate_clock_bound) {
    v.refuse({"clocks.step_max", "clocks.epsilon", "clocks.violate_clock_bound"},
             fmt::format("a step of {} leaves the bound S = {}", format_duration(c.step_max),
                         format_duration(c.skew_bound())),
             "lower it, or state violate_clock_bound = true");
  }
}

// Requires one of two durations to be smaller. Both are named by their keys.
struct Order {
  std::string_view small_key;
  Duration small;
  std::string_view large_key;
  Duration large;
  std::string_view why;
};

void check_smaller(Validation& v, const Order& order) {
  if (order.small >= order.large) {
    v.refuse(
        {order.small_key, order.large_key},
        fmt::format("{} = {} must be smaller than {} = {}", order.small_key,
                    format_duration(order.small), order.large_key, format_duration(order.large)),
        order.why);
  }
}

// Per lease. Ten suffice; with more than this the master's heartbeats saturate the replicas.
constexpr std::int64_t kMostHeartbeats = 1000;

void check_registry_timers(Validation& v) {
  const Registry& r = v.config().registry;
  const Clocks& clocks = v.config().clocks;
  check_smaller(v, {"registry.lease", r.lease, "registry.election_timeout", r.election_timeout,
                    "or a new master could act while the old one still holds its lease"});
  check_smaller(v, {"registry.heartbeat", r.heartbeat, "registry.lease", r.lease,
                    "a master renews its lease with its heartbeats"});
  if (r.heartbeat < r.lease / kMostHeartbeats) {
    v.refuse({"registry.heartbeat", "registry.lease"},
             fmt::format("registry.heartbeat = {} means more than {} heartbeats in a lease of {}",
                         format_duration(r.heartbeat), kMostHeartbeats, format_duration(r.lease)),
             "a third to a tenth of registry.lease is usual");
  }
  if (r.clock_drift_bound < clocks.drift && !clocks.violate_clock_bound) {
    v.refuse({"registry.clock_drift_bound", "clocks.drift", "clocks.violate_clock_bound"},
             fmt::format("registry.clock_drift_bound = {} is less than clocks.drift = {}: leases "
                         "would not be safe",
                         format_real(r.clock_drift_bound), format_real(clocks.drift)),
             "raise it, or state violate_clock_bound = true");
  }
}

// With narrower slices nearly every id would have its own slice and index.
constexpr std::int64_t kMostSlices = 1'000'000;

void check_collection(Validation& v) {
  const Registry& r = v.config().registry;
  if (!r.gc_slice) return;  // "auto" fits
  if (*r.gc_slice > r.gc_age) {
    v.refuse({"registry.gc_slice", "registry.gc_age"},
             fmt::format("registry.gc_slice = {} is wider than registry.gc_age = {}: ids would "
                         "stay for more than twice their age",
                         format_duration(*r.gc_slice), format_duration(r.gc_age)),
             "a narrower slice, or \"auto\"");
  } else if (r.gc_age / *r.gc_slice > kMostSlices) {
    v.refuse({"registry.gc_slice", "registry.gc_age"},
             fmt::format("registry.gc_age = {} is more than {} slices of registry.gc_slice = {}",
                         format_duration(r.gc_age), kMostSlices, format_duration(*r.gc_slice)),
             "a wider slice, or \"auto\"");
  }
}

// A run keeps its samples until it is judged, of every process.
constexpr std::int64_t kMostSamples = 1'000'000;

void check_samples(Validation& v) {
  const Run& run = v.config().run;
  if (!run.sample_interval || !run.duration) return;
  if (*run.duration / *run.sample_interval <= kMostSamples) return;
  v.refuse({"run.sample_interval", "run.duration"},
           fmt::format("run.duration = {} is more than {} samples of run.sample_interval = {}",
                       format_duration(*run.duration), kMostSamples,
                       format_duration(*run.sample_interval)),
           "a longer interval, or \"auto\"");
}

void check_dispatcher_timers(Validation& v) {
  const Dispatcher& d = v.config().dispatcher;
  const Duration skew = v.config().clocks.skew_bound();
  const Duration gc_age = v.config().registry.gc_age;
  if (d.backoff_initial > d.backoff_cap) {
    v.refuse({"dispatcher.backoff_initial", "dispatcher.backoff_cap"},
             fmt::format("dispatcher.backoff_initial = {} is above dispatcher.backoff_cap = {}",
                         format_duration(d.backoff_initial), format_duration(d.backoff_cap)),
             "the first wait is the shortest one");
  }
  if (!v.config().registry_only() && d.unjoinable_age + skew >= gc_age) {
    v.refuse({"dispatcher.unjoinable_age", "registry.gc_age", "clocks.epsilon", "workload.kind"},
             fmt::format("dispatcher.unjoinable_age = {} with S = {} reaches registry.gc_age = {}",
                         format_duration(d.unjoinable_age), format_duration(skew),
                         format_duration(gc_age)),
             "a click must become unjoinable before it is too old");
  }
  if (d.parts() < d.workers) {
    v.refuse({"dispatcher.partitions", "dispatcher.workers"},
             fmt::format("dispatcher.partitions = {} is less than dispatcher.workers = {}",
                         d.parts(), d.workers),
             "some workers would own no partition; 0 chooses a number");
  }
  const std::uint64_t most = std::min(d.max_outstanding_sends, v.config().joiner.max_in_flight);
  if (d.group > most) {
    v.refuse({"dispatcher.group", "dispatcher.max_outstanding_sends", "joiner.max_in_flight"},
             fmt::format("dispatcher.group = {} is more than the {} clicks that may be under way",
                         d.group, most),
             "such a group would never be sent, or never be accepted");
  }
  check_smaller(v, {"dispatcher.state_save_period", d.state_save_period, "dispatcher.lease",
                    d.lease, "a worker renews its lease when it saves the state"});
  check_smaller(v, {"cell.append_p99", v.config().cell.append_p99, "dispatcher.lease", d.lease,
                    "a worker renews its lease with an append, and loses it if that takes longer"});
}

// Refuses keys of an adapter that is not chosen: setting one is probably a mistake.
void check_adapter(Validation& v) {
  const Joiner& joiner = v.config().joiner;
  const bool filters = joiner.adapter == AdapterKind::kFilter;
  if (filters && joiner.skip_modulo == 0) {
    v.refuse({"joiner.adapter", "joiner.skip_modulo"}, "this filter skips nothing",
             "joiner.skip_modulo = 3 skips clicks on every third campaign");
  }
  if (!filters && joiner.skip_modulo != 0) {
    v.refuse({"joiner.skip_modulo", "joiner.adapter"}, "skip_modulo has no effect on this adapter",
             "joiner.adapter = \"filter\"");
  }
  if (joiner.adapter != AdapterKind::kEnrich && joiner.delay_step != Joiner{}.delay_step) {
    v.refuse({"joiner.delay_step", "joiner.adapter"}, "delay_step has no effect on this adapter",
             "joiner.adapter = \"enrich\"");
  }
}

// `custom` needs a program that brings one.
void check_extensions(Validation& v) {
  constexpr std::string_view kRemedy =
      "run the scenario with a program that does: docs/how-to/test-your-own-joiner.md";
  const Joiner& joiner = v.config().joiner;
  if (joiner.adapter == AdapterKind::kCustom && !installed_extensions().adapter) {
    v.refuse({"joiner.adapter"}, "this program brings no adapter of its own", std::string(kRemedy));
  }
  if (joiner.implementation == JoinerKind::kCustom && !installed_extensions().joiner) {
    v.refuse({"joiner.implementation"}, "this program brings no joiner of its own",
             std::string(kRemedy));
  }
}

void check_tokens(Validation& v) {
  if (v.config().joiner.tokens || !v.config().verification.enabled) return;
  v.refuse(
      {"joiner.tokens", "verification.enabled"},
      "verification recovers clicks of crashed joiners, not those that a live joiner takes for "
      "another joiner's",
      "joiner.tokens = true, or verification.enabled = false");
}

// In medians: the largest 99th percentile whose tail fits a clock.
constexpr std::int64_t kWidestLatency = 1000;

// A lognormal latency given by its median and 99th percentile.
void check_latency(Validation& v, std::string_view key, Duration median, Duration p99) {
  const bool possible = median == p99 || (median > Duration{0} && median < p99);
  if (!possible) {
    v.refuse({fmt::format("{}_p99", key), fmt::format("{}_median", key)},
             fmt::format("no lognormal latency has the median {} and the 99th percentile {}",
                         format_duration(median), format_duration(p99)),
             fmt::format("0s < {0}_median <= {0}_p99, or both 0s", key));
  } else if (p99 / kWidestLatency > median) {
    v.refuse({fmt::format("{}_p99", key), fmt::format("{}_median", key)},
             fmt::format("the 99th percentile {} is more than {} times the median {}: single draws "
                         "would last for years",
                         format_duration(p99), kWidestLatency, format_duration(median)),
             fmt::format("raise {0}_median or lower {0}_p99", key));
  }
}

// Refuses retention that removes output before its late readers have it.
void check_retention(Validation& validation) {
  const Config& c = validation.config();
  if (c.cell.keep_output == Duration{0}) return;
  constexpr std::string_view kRemedy = "cell.keep_output = \"0s\" keeps it";
  if (c.verification.enabled) {
    validation.refuse({"cell.keep_output", "verification.enabled"},
                      "verification needs the whole output", kRemedy);
  }
  if (c.joiner.output_copies) {
    validation.refuse({"cell.keep_output", "joiner.output_copies"},
                      "a record that leaves its cell before it is shipped is never copied",
                      kRemedy);
  }
}

// A contract scenario must name its broken assumption and the oracles that detect it (SPEC J-H3).
void check_scenario(Validation& v) {
  const Scenario& scenario = v.config().scenario;
  const bool contract = scenario.tier == Tier::kContract;
  const bool stated = !scenario.breaks.empty() && !scenario.detected_by.empty();
  const bool anything = !scenario.breaks.empty() || !scenario.detected_by.empty();
  if (contract && !stated) {
    v.refuse({"scenario.tier", "scenario.breaks", "scenario.detected_by"},
             "a contract scenario must state its broken assumption and the oracles that detect it",
             "scenario.breaks = \"clock_bound\", scenario.detected_by = [\"J-S5\"]");
  }
  if (!contract && anything) {
    v.refuse({"scenario.tier", "scenario.breaks", "scenario.detected_by"},
             "this tier breaks no assumption of Photon", "scenario.tier = \"contract\"");
  }
  for (const std::string& oracle : scenario.detected_by) {
    if (photon::analysis::find_oracle(oracle) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const auto& row : photon::analysis::oracle_rows()) names.push_back(row.name);
    v.refuse({"scenario.detected_by"}, fmt::format("there is no oracle {}", oracle),
             fmt::format("one of {}", fmt::join(names, ", ")));
  }
}

void check_scale(Validation& v) {
  const Scale& scale = v.config().scale;
  const auto part = [&](std::string_view key, std::uint64_t all, std::string_view of,
                        std::uint64_t simulated) {
    if (all == 0 || all >= simulated) return;
    v.refuse({std::string(key), std::string(of)},
             fmt::format("{} = {} is less than the {} that are simulated", key, all, simulated),
             "a run is a part of the deployment, or all of it (0)");
  };
  part("scale.shards_of", scale.shards_of, "registry.shards", v.config().registry.shards);
  if (scale.joiners_of > 0 && v.config().registry_only()) {
    v.refuse({"scale.joiners_of", "workload.kind"}, "this workload has no joiners",
             "leave scale.joiners_of out");
  }
  part("scale.joiners_of", scale.joiners_of, "joiner.count", joiners_of(v.config()));
}

}  // namespace

void validate_joining(Validation& validation) {
  check_adapter(validation);
  check_extensions(validation);
  check_tokens(validation);
}

void validate_timing(Validation& validation) {
  const Config& c = validation.config();
  check_clock_bound(validation);
  check_registry_timers(validation);
  check_collection(validation);
  check_samples(validation);
  check_dispatcher_timers(validation);
  check_latency(validation, "disk.fsync", c.disk.fsync_median, c.disk.fsync_p99);
  check_latency(validation, "disk.read", c.disk.read_median, c.disk.read_p99);
  check_latency(validation, "cell.append", c.cell.append_median, c.cell.append_p99);
  check_latency(validation, "cell.read", c.cell.read_median, c.cell.read_p99);
  check_retention(validation);
}

void validate(Validation& validation) {
  check_scenario(validation);
  validate_topology(validation);
  validate_timing(validation);
  validate_joining(validation);
  validate_workload(validation);
  validate_faults(validation);
  validate_operations(validation);
  validate_rare(validation);
  check_scale(validation);
}

}  // namespace photonsim::scenarios
