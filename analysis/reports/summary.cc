#include "analysis/reports/summary.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "analysis/judge/judge.h"
#include "analysis/linearizability/key_history.h"
#include "analysis/reports/report_text.h"

namespace photon::analysis {

namespace {

// The least length of the times before and after a fault whose latencies are reported.

std::uint64_t sum_of(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

LoadFigures load_figures(const LoadLedger& load) {
  LoadFigures figures;
  if (load.asked() == 0) return figures;
  figures.operations = load.asked();
  figures.answered = load.answered();
  figures.abandoned = load.abandoned();
  figures.seconds = seconds_of(load.last_asked() - load.first_asked());
  const auto transactions = static_cast<double>(load.transactions());
  if (figures.seconds > 0) figures.transactions_per_second = transactions / figures.seconds;
  if (transactions > 0) {
    figures.mean_batch = static_cast<double>(load.transaction_operations()) / transactions;
  }
  for (std::size_t i = 0; i < load_codes().size(); ++i) {
    const auto code = static_cast<trace::RegistryCode>(i);
    figures.codes.emplace_back(load_codes()[i], load.answers(code));
  }
  figures.insert_latency = figures_of(load.insert_latency());
  figures.lookup_latency = figures_of(load.lookup_latency());
  return figures;
}

RegistryFigures registry_figures(const Counters& counters) {
  return {.transactions = counters.transactions,
          .mean_batch = counters.mean_batch(),
          .lookups = counters.lookups,
          .insert_attempts = counters.insert_attempts,
          .insert_requests = counters.insert_requests,
          .elections = counters.elections,
          .failovers = counters.failovers,
          .lost_replies = counters.lost_replies_after_effect,
          .reshards = counters.reshards,
          .reshards_cancelled = counters.reshards_cancelled,
          .overloaded = counters.overloaded,
          .future_inserts = counters.future_inserts,
          .snapshots = counters.snapshots,
          .restorations = counters.restorations,
          .disks_replaced = counters.disks_replaced,
          .disks_admitted = counters.disks_admitted,
          .insert_latency = figures_of(counters.insert_latency),
          .commit_latency = figures_of(counters.commit_latency),
          .collections = counters.collections,
          .ids_collected = counters.ids_collected,
          .boundary_lag_mean = counters.boundary_lag_mean() / 1e9,
          .boundary_lag_max = seconds_of(counters.boundary_lag_max)};
}

RecoveryFigures recovery_figures(const RecoveryLedger& ledger, bool enabled) {
  return {.enabled = enabled,
          .cleared = ledger.cleared(),
          .removals = ledger.removals(),
          .returned = ledger.returned(),
          .recovered = ledger.recovered(),
          .output_lost = ledger.verdicts(trace::Verified::output_lost),
          .indeterminate = ledger.verdicts(trace::Verified::indeterminate),
          .expired = ledger.verdicts(trace::Verified::too_old),
          .discarded = ledger.discarded(),
          .time = figures_of(ledger.time())};
}

Counts damage_counts(const Counters& counters) {
  if (counters.input_damaged + counters.records_skipped + counters.outputs_lost == 0) return {};
  return {{"input_damaged", counters.input_damaged},
          {"records_skipped", counters.records_skipped},
          {"bytes_skipped", counters.bytes_skipped},
          {"outputs_lost", counters.outputs_lost}};
}

Counts corner_counts(const Judge& judge) {
  Counts counts;
  if (judge.corner_cases() == nullptr) return counts;
  const auto& all = judge.corner_cases()->counts().all();
  for (std::size_t i = 0; i < kCorners; ++i) counts.emplace_back(corner_rows()[i].name, all[i]);
  return counts;
}

Counts obligation_counts(const Judge& judge) {
  Counts counts;
  for (const OracleRow& row : oracle_rows()) {
    counts.emplace_back(row.name, judge.obligations(row.name));
  }
  return counts;
}

JoinerEndFigures end_figures(const Accounting& accounts) {
  JoinerEndFigures figures;
  for (const JoinerEndCost& cost : accounts.joiner_ends) {
    ++(cost.end.in_order ? figures.stops : figures.crashes);
    figures.window += cost.end.window;
    figures.window_max = std::max<std::uint64_t>(figures.window_max, cost.end.window);
    figures.lost += cost.lost;
    figures.returned += cost.returned;
    figures.lost_max = std::max(figures.lost_max, cost.lost + cost.returned);
  }
  return figures;
}

void summarise_over_time(const Judge& judge, Summary& summary) {
  JoinedLatencies joined = judge.latency().joined();
  summary.figures = figure_rows(judge.figures(), joined, judge.evidence());
  summary.places = place_figures(judge.figures(), joined, judge.evidence());
  summary.series = time_series(judge.series(), joined, judge.config());
  const LatenciesByTime by_time(std::move(joined));
  const Duration interval = judge.series().interval();
  summary.fault_latencies = fault_latencies(summary.faults, by_time, interval);
  charge_losses(judge.accounting().joiner_ends, summary.faults, summary.fault_latencies);
  set_return_times(summary.series, summary.fault_latencies);
  summary.backlog_return = longest_backlog_return(summary.fault_latencies);
  summary.settling = settling_of(by_time, interval, judge.config().measured_from,
                                 !judge.counters().faults_effective.empty());
}

}  // namespace

std::uint64_t count_of(const Counts& counts, std::string_view name) {
  const auto place = std::ranges::find(counts, name, [](const auto& each) { return each.first; });
  return place == counts.end() ? 0 : place->second;
}

std::vector<std::string_view> loss_classes() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kLossClasses; ++i) {
    names.push_back(name_of(static_cast<LossClass>(i)));
  }
  return names;
}

std::span<const std::string_view> load_codes() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, trace::kDefinitiveCodes> names{};
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      names[i] = trace::name_of(static_cast<trace::RegistryCode>(i));
    }
    return names;
  }();
  return kNames;
}

std::string checks_not_made(const Summary& summary) {
  const UndecidedIds& ids = summary.undecided_ids;
  if (ids.total() == 0) return {};
  constexpr OnlineLimits kLimits{};
  std::string reasons;
  const auto add = [&](std::uint64_t count, std::uint64_t limit, std::string_view unit) {
    if (count == 0) return;
    reasons +=
        fmt::format("{}{} with more than {} {}", reasons.empty() ? "" : ", ", count, limit, unit);
  };
  add(ids.configurations, kLimits.configurations, "configurations");
  add(ids.steps, kLimits.steps, "steps");
  add(ids.bytes, kLimits.bytes, "bytes of configurations");
  return fmt::format(
      "J-S4 left {} undecided ({}): their answers were not checked from then on; a load with fewer "
      "unanswered changes of one id can be checked",
      counted(ids.total(), "id"), reasons);
}

std::uint64_t Summary::lost_total() const { return sum_of(lost); }
std::uint64_t Summary::never_joinable_total() const { return sum_of(never_joinable); }

std::vector<Share> waste_of(const Summary& summary) {
  const std::uint64_t clicks = summary.generated;
  return {
      {"wasted_joins_per_joined", summary.wasted_joins, summary.joined},
      {"reads_per_click", summary.work.clicks_read, clicks},
      {"registry_lookups_per_click", summary.registry.lookups, clicks},
      {"insert_attempts_per_click", summary.registry.insert_attempts, clicks},
      {"join_requests_per_click", summary.work.join_requests, clicks},
      {"query_lookups_per_click", summary.work.query_lookups, clicks},
      {"log_share_of_query_lookups", summary.work.query_log_lookups, summary.work.query_lookups}};
}

void summarise(const Judge& judge, Summary& summary) {
  const Accounting& accounts = judge.accounting();
  const Counters& counters = judge.counters();
  const LatencyCollector& latency = judge.latency();
  summary.records = judge.records();
  summary.generated = accounts.generated;
  summary.joinable = accounts.joinable;
  summary.joined = accounts.joined;
  summary.duplicates = counters.duplicates;
  summary.output_copies = counters.output_copies;
  summary.lost.clear();
  for (std::size_t i = 0; i < kLossClasses; ++i) {
    summary.lost.emplace_back(name_of(static_cast<LossClass>(i)), accounts.lost[i]);
  }
  summary.unjoinable.clear();
  for (std::size_t i = 0; i < kUnjoinables; ++i) {
    summary.unjoinable.emplace_back(kUnjoinableNames.at(i), accounts.unjoinable.at(i));
  }
  summary.never_joinable.clear();
  for (std::size_t i = 0; i < kNeverJoinables; ++i) {
    summary.never_joinable.emplace_back(name_of(static_cast<NeverJoinable>(i)),
                                        accounts.never_joinable[i]);
  }
  summary.borderline = accounts.borderline;
  summary.pending = accounts.pending;
  summary.losses = accounts.losses;
  // Clients of a registry-only load join nothing.
  summary.wasted_joins = judge.config().registry_only() ? 0 : counters.wasted_joins;
  summary.latency = figures_of(latency.total());
  summary.latency_own = figures_of(latency.own());
  summary.latency_at_output = figures_of(latency.at_output());
  summary.latency_biased = figures_of(latency.biased());
  summary.stages.clear();
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    summary.stages.emplace_back(name_of(stage), figures_of(latency.stage(stage)));
  }
  summary.slowest = slowest_of(latency);
  summary.registry = registry_figures(counters);
  summary.registry.bytes_held_most = judge.figures().bytes_held_most();
  summary.recovery = recovery_figures(judge.recovery(), judge.config().verified());
  summary.backlog_windows = judge.obligations("J-P3");
  summary.load = load_figures(judge.load());
  summary.capacity = capacity_figures(judge.capacity(), judge.config(), judge.evidence().places());
  summarise_over_time(judge, summary);
  summary.damage = damage_counts(counters);
  summary.corner_cases = corner_counts(judge);
  summary.obligations = obligation_counts(judge);
  summary.work = {counters.clicks_read, counters.joins_asked, counters.query_lookups,
                  counters.query_log_lookups};
  summary.process_crashes = counters.process_crashes;
  summary.joiner_crashes = counters.joiner_crashes;
  summary.processes_stopped = counters.processes_stopped;
  summary.joiner_ends = end_figures(accounts);
  summary.faults_effective = counters.faults_effective.size();
  summary.violations_total = judge.violations().total();
  summary.safety_violations = judge.violations().total(Severity::safety);
  summary.stuck = judge.violations().count("J-P0");
  summary.violations = judge.violations().kept();
  for (const Violation& each : summary.violations) {
    if (count_of(summary.violations_by_rule, each.oracle) > 0) continue;
    summary.violations_by_rule.emplace_back(each.oracle, judge.violations().count(each.oracle));
  }
  summary.undecided_ids = judge.undecided();
  summary.core_obligations = judge.obligations("J-P1");
  summary.stall_exempt = judge.is_stall_exempt();
  summary.boundaries_watched = judge.obligations("B-68");
}

}  // namespace photon::analysis
