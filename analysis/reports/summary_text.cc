#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/oracles/oracle_table.h"
#include "analysis/reports/latency_text.h"
#include "analysis/reports/over_time_text.h"
#include "analysis/reports/report_text.h"
#include "analysis/reports/summary.h"

namespace photon::analysis {

namespace {

std::string_view remark_if(std::uint64_t count, std::string_view remark) {
  return count == 0 ? std::string_view{} : remark;
}

// "12 of them joiners"; nothing for none.
std::string some(std::uint64_t count, std::string_view what) {
  return count == 0 ? std::string() : fmt::format("{} {}", grouped(count), what);
}

// "(unjoinable 5: empty_key 3, query_late 2; too_old 1)": those above zero.
std::string never_joinable_text(const Summary& summary) {
  const auto list = [](const Counts& counts, std::string_view between, const auto& after) {
    std::string text;
    for (const auto& [name, count] : counts) {
      if (count == 0) continue;
      text +=
          fmt::format("{}{} {}{}", text.empty() ? "" : between, name, grouped(count), after(name));
    }
    return text;
  };
  const auto nothing = [](const std::string&) { return std::string(); };
  const std::string why = list(summary.unjoinable, ", ", nothing);
  const std::string text = list(summary.never_joinable, "; ", [&](const std::string& name) {
    return name == name_of(NeverJoinable::unjoinable) ? ": " + why : std::string();
  });
  return text.empty() ? text : "(" + text + ")";
}

// The lines add up to the first one.
void put_clicks(const Summary& summary, Lines& lines) {
  lines.title("clicks");
  lines.count("generated", summary.generated);
  lines.count("joined", summary.joined,
              summary.duplicates == 0
                  ? "each exactly once"
                  : fmt::format("and {} duplicates", grouped(summary.duplicates)));
  lines.count_if_any("output copies", summary.output_copies,
                     "records that another datacenter holds");
  lines.count("lost", summary.lost_total(), spelled(summary.lost));
  lines.count("never joinable", summary.never_joinable_total(), never_joinable_text(summary));
  lines.count("borderline", summary.borderline,
              remark_if(summary.borderline, "given up so late that a join was valid too"));
  lines.count("pending", summary.pending,
              remark_if(summary.pending, "neither joined nor given up when the run ended"));
}

void put_latency(const Summary& summary, Lines& lines) {
  LatencyRows rows{{"generation->output", &summary.latency}};
  for (const auto& [name, figures] : summary.stages) {
    if (name != "total") rows.emplace_back("  " + name, &figures);
  }
  rows.emplace_back("own share", &summary.latency_own);
  rows.emplace_back("at hand-over", &summary.latency_at_output);
  rows.emplace_back("by server clocks", &summary.latency_biased);
  rows.emplace_back("registry insert", &summary.registry.insert_latency);
  put_latencies(rows, lines);
  put_slowest(summary.slowest, lines);
}

void put_load(const LoadFigures& load, const RegistryFigures& registry, Lines& lines) {
  lines.title("load");
  const std::string dead = some(load.abandoned, "of clients that died");
  const std::string during = load.seconds > 0 ? "requested in " + spoken(load.seconds) : "";
  lines.count("operations", load.operations,
              during + (during.empty() || dead.empty() ? "" : "; ") + dead);
  lines.count("answered", load.answered, spelled(load.codes));
  if (load.seconds > 0) {
    lines.line("transactions/s", three_digits(load.transactions_per_second),
               load.mean_batch > 0
                   ? fmt::format("in that time, {:.2f} operations each", load.mean_batch)
                   : std::string());
  }
  lines.blank();
  put_latencies({{"insert", &load.insert_latency},
                 {"look-up", &load.lookup_latency},
                 {"commit", &registry.commit_latency}},
                lines);
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void put_work(const Summary& summary, Lines& lines) {
  const std::uint64_t clicks = summary.generated;
  lines.title("work");
  lines.count("wasted joins", summary.wasted_joins,
              fmt::format("{:.2f} % of the joined: another joiner had been first",
                          100 * ratio(summary.wasted_joins, summary.joined)));
  lines.title(fmt::format(
      "  {:<16} {:.2f} reads, {:.2f} registry look-ups, {:.2f} join requests, {:.2f} query "
      "look-ups\n  {:<16} ({:.1f} % of them in the logs, found or not), {:.2f} registrations",
      "per click", ratio(summary.work.clicks_read, clicks), ratio(summary.registry.lookups, clicks),
      ratio(summary.work.join_requests, clicks), ratio(summary.work.query_lookups, clicks), "",
      100 * ratio(summary.work.query_log_lookups, summary.work.query_lookups),
      ratio(summary.registry.insert_attempts, clicks)));
}

void put_registry(const Summary& summary, Lines& lines) {
  const RegistryFigures& registry = summary.registry;
  lines.title("registry");
  lines.count("transactions", registry.transactions,
              registry.transactions == 0
                  ? std::string()
                  : fmt::format("in the whole run, {:.2f} operations each", registry.mean_batch));
  lines.count_if_any("look-ups", registry.lookups, "sent, repetitions included");
  lines.count("elections", registry.elections,
              registry.failovers > 0   ? fmt::format("{} of them after the first of their group",
                                                     grouped(registry.failovers))
              : registry.elections > 0 ? "the first of each group"
                                       : std::string());
  lines.count_if_any("lost replies", registry.lost_replies,
                     "the insert had taken effect, its answer did not arrive in time");
  lines.count_if_any("snapshots", registry.snapshots, some(registry.restorations, "restored"));
  if (registry.boundary_lag_max > 0) {
    lines.count("ids collected", registry.ids_collected,
                fmt::format("in {} transactions; the boundary lagged {} on average, {} at most",
                            grouped(registry.collections), spoken(registry.boundary_lag_mean),
                            spoken(registry.boundary_lag_max)));
  }
  lines.count_if_any("overloaded", registry.overloaded, "operations refused by a full queue");
  lines.count_if_any("from the future", registry.future_inserts,
                     "inserts of ids more than S ahead of true time");
  if (registry.reshards + registry.reshards_cancelled > 0) {
    lines.count(
        "reshardings", registry.reshards,
        registry.reshards_cancelled == 0
            ? "came into force"
            : fmt::format("came into force, {} cancelled", grouped(registry.reshards_cancelled)));
  }
}

void put_recovery(const RecoveryFigures& recovery, Lines& lines) {
  if (!recovery.enabled) return;
  lines.title("verification");
  lines.count("recovered", recovery.recovered,
              recovery.recovered == 0
                  ? std::string()
                  : fmt::format("from a joiner's death to the output {} on average, at most {}",
                                spoken(recovery.time.mean), spoken(recovery.time.max)));
  lines.count("ids removed", recovery.removals,
              remark_if(recovery.removals, "from owners that will not write any more"));
  lines.count("clicks returned", recovery.returned,
              remark_if(recovery.returned, "to dispatchers, repetitions included"));
  lines.count("tokens cleared", recovery.cleared, "their clicks were seen in the output");
  lines.count_if_any("not recoverable", recovery.output_lost,
                     "they had been in the output, and it has lost them");
  lines.count_if_any("indeterminate", recovery.indeterminate,
                     "not returned: storage lost records of their joiner, perhaps theirs");
  lines.count_if_any("expired", recovery.expired, "not returned: older than N");
  lines.count_if_any("discarded", recovery.discarded, "returned, and not joined since");
  lines.blank();
}

void put_operations(const Summary& summary, Lines& lines) {
  if (summary.operations.empty()) return;
  lines.title("operations");
  for (const std::string& each : summary.operations) lines.paragraph(each);
  lines.blank();
}

// Those that occurred; `photonsim fuzz` explains each.
void put_corner_cases(const Summary& summary, Lines& lines) {
  std::string row;
  std::size_t shown = 0;
  for (const auto& [name, count] : summary.corner_cases) {
    if (count == 0) continue;
    if (shown == 0) lines.title("corner cases");
    row += fmt::format("  {:<14} {:>6}", name, grouped(count));
    if (++shown % 4 == 0) lines.title(std::exchange(row, {}));
  }
  if (!row.empty()) lines.title(row);
  if (shown > 0) lines.blank();
}

bool network_affected(const Summary& summary) {
  return count_of(summary.network, "lost") + count_of(summary.network, "duplicated") +
             count_of(summary.network, "reordered") >
         0;
}

void put_faults(const Summary& summary, Lines& lines) {
  lines.title("faults");
  lines.count("effective", summary.faults_effective,
              summary.faults_configured == 0
                  ? (network_affected(summary) ? "none but the network's were configured"
                                               : "none were configured")
                  : fmt::format("of {} configured {}", grouped(summary.faults_configured),
                                spelled(summary.fault_kinds)));
  if (!summary.unnamed.empty()) {
    const std::uint64_t clicks = count_of(summary.unnamed, "clicks");
    const std::uint64_t unnamed = count_of(summary.unnamed, "queries") + clicks;
    lines.count("events not named", unnamed,
                unnamed == 0
                    ? "no server was without TrueTime long enough to stop"
                    : fmt::format("for want of TrueTime, {} of them clicks", grouped(clicks)));
  }
  lines.count_if_any("process crashes", summary.process_crashes,
                     some(summary.joiner_crashes, "of them joiners that had received clicks"));
  const JoinerEndFigures& ends = summary.joiner_ends;
  if (ends.crashes > 0 && ends.window > 0) {
    const auto crashes = static_cast<double>(ends.crashes);
    const std::uint64_t lost = ends.lost + ends.returned;
    lines.count(
        "lost with them", lost,
        fmt::format("{}per joiner crash: clicks lost mean {:.2f}, max {}; in the window mean "
                    "{:.2f}, max {}",
                    some(ends.returned, "of them recovered, "), static_cast<double>(lost) / crashes,
                    ends.lost_max, static_cast<double>(ends.window) / crashes, ends.window_max));
  }
  lines.count_if_any("stopped in order", summary.processes_stopped,
                     some(ends.stops, "of them joiners that had received clicks"));
  lines.count_if_any(
      "disks replaced", summary.registry.disks_replaced,
      fmt::format("{} admitted to their group again", grouped(summary.registry.disks_admitted)));
  constexpr std::size_t kMostInert = 5;  // --json lists them all
  const std::size_t inert = summary.inert_faults.size();
  for (std::size_t i = 0; i < std::min(inert, kMostInert); ++i) {
    lines.title("  NO EFFECT  " + summary.inert_faults[i].text);
  }
  if (inert > kMostInert) {
    lines.title(fmt::format("  NO EFFECT  and {} more faults", grouped(inert - kMostInert)));
  }
  for (const std::string& each : summary.unexpected_ends) lines.title("  NOT AS EXPECTED  " + each);
}

// The first lost clicks of each class with their evidence; the JSON and the results file hold more.
void put_baseline(const Baseline& figures, Lines& lines) {
  lines.title("the same seed without faults");
  lines.title(fmt::format("  own share: mean {} with them, {} without; p99 {} and {}",
                          spoken(figures.whole.own.mean), spoken(figures.whole_without.own.mean),
                          spoken(figures.whole.own.p99), spoken(figures.whole_without.own.p99)));
  const double cost = figures.cost_seconds();
  lines.title(fmt::format(
      "  with all faults {} {} of own share, all {} together; {} lost with them, {} without",
      spoken(std::abs(cost)), cost < 0 ? "less" : "more", counted(figures.whole.own.count, "click"),
      grouped(figures.lost), grouped(figures.lost_without)));
  lines.blank();
}

void put_losses(const Summary& summary, Lines& lines) {
  constexpr std::size_t kShown = 2;  // of each class
  const std::uint64_t lost = summary.lost_total();
  if (lost == 0) return;
  std::array<std::size_t, kLossClasses> seen{};
  std::vector<const Loss*> shown;
  for (const Loss& loss : summary.losses) {
    if (++seen[static_cast<std::size_t>(loss.cause)] <= kShown) shown.push_back(&loss);
  }
  std::ranges::stable_sort(shown, {}, &Loss::cause);
  lines.title(shown.size() < lost ? fmt::format("lost clicks ({} of {}; --json lists all)",
                                                shown.size(), grouped(lost))
                                  : "lost clicks");
  for (const Loss* loss : shown) {
    lines.title(
        fmt::format("  {}  click {}", name_of(loss->cause), dated(loss->click, loss->name)));
    lines.paragraph(loss->evidence);
  }
  lines.blank();
}

// The counts above zero, or that there are none.
std::string affected(const Counts& counts) {
  const std::string text = spelled(counts);
  return text.empty() ? "undisturbed" : text;
}

void put_environment(const Summary& summary, Lines& lines) {
  const Counts& network = summary.network;
  if (!network.empty()) {
    lines.count("messages", count_of(network, "sent"),
                affected({{"lost", count_of(network, "lost")},
                          {"duplicated", count_of(network, "duplicated")},
                          {"reordered", count_of(network, "reordered")},
                          {"cut", count_of(network, "cut")},
                          {"undeliverable", count_of(network, "found_down")}}));
  }
  const Counts& storage = summary.storage;
  if (!storage.empty()) {
    lines.count("volume requests", count_of(storage, "requests"),
                affected({{"unavailable", count_of(storage, "unavailable")},
                          {"at crashes: abandoned", count_of(storage, "abandoned")},
                          {"torn", count_of(storage, "torn_appends")},
                          {"lost unsynced bytes", count_of(storage, "lost_suffixes")}}));
  }
  const Counts& damage = summary.damage;
  if (!damage.empty()) {
    lines.count("damaged records", count_of(damage, "input_damaged"),
                fmt::format("in copies of logs; readers skipped {} stretches, {} bytes",
                            grouped(count_of(damage, "records_skipped")),
                            grouped(count_of(damage, "bytes_skipped"))));
    lines.count("lost outputs", count_of(damage, "outputs_lost"), "by their storage");
  }
}

std::string times(std::uint64_t count) { return count == 1 ? "once" : grouped(count) + " times"; }

std::string headline(const Summary& summary) {
  if (summary.violations_total == 0) return "no violation found";
  const std::uint64_t liveness = summary.violations_total - summary.safety_violations;
  std::string text;
  if (summary.safety_violations > 0) {
    text = "SAFETY VIOLATED, " + times(summary.safety_violations);
  }
  if (liveness == 0) return text;
  text += (text.empty() ? "LIVENESS VIOLATED, " : "; LIVENESS VIOLATED, ") + times(liveness);
  if (summary.stuck == 0) return text;
  if (summary.load.operations > 0) {
    return text +
           fmt::format(": not quiescent at the end, {} operations without a definitive answer",
                       grouped(summary.stuck));
  }
  // A stuck click has no end, or a dispatcher ignores its end.
  const std::uint64_t open = std::min(summary.pending, summary.stuck);
  text += fmt::format(": not quiescent at the end, {} clicks pending", grouped(open));
  const std::uint64_t ended = summary.stuck - open;
  if (ended > 0) text += fmt::format(", {} retries of finished ones pending", grouped(ended));
  return text;
}

// The first of each rule, those of safety before the others, then the second of each, and so on: a
// rule with a thousand violations hides no other.
std::vector<const Violation*> by_turns(const std::vector<Violation>& violations) {
  std::map<std::string_view, std::size_t> found;
  std::vector<std::pair<std::size_t, const Violation*>> turns;
  for (const Violation& each : violations) turns.emplace_back(found[each.oracle]++, &each);
  std::ranges::stable_sort(
      turns, {}, [](const auto& turn) { return std::pair(turn.first, turn.second->severity); });
  std::vector<const Violation*> ordered;
  for (const auto& turn : turns) ordered.push_back(turn.second);
  return ordered;
}

void put_verdict(const Summary& summary, Lines& lines) {
  const std::string what = summary.load.operations > 0 ? ", id " : ", click ";
  lines.title(headline(summary));
  if (summary.undecided_ids.total() > 0) lines.title("  NOT CHECKED  " + checks_not_made(summary));
  const std::size_t rules = summary.violations_by_rule.size();
  if (rules > 1) {
    for (const auto& [rule, count] : summary.violations_by_rule) lines.count(rule, count);
  }
  std::set<std::string_view> explained;  // once for each rule
  std::size_t left = std::max<std::size_t>(rules, 10);
  for (const Violation* const violation : by_turns(summary.violations)) {
    if (left-- == 0) {
      lines.title("  ...");
      return;
    }
    std::string where = describe(violation->at);
    if (!violation->process.empty()) where += ", " + violation->process;
    if (!violation->event.is_null()) where += what + dated(violation->event, violation->name);
    // The number that `trace --violation` takes: that of its place in the run.
    const auto number = violation - summary.violations.data() + 1;
    if (summary.violations.size() > 1) where += fmt::format(", violation {}", number);
    lines.title(fmt::format("  {}  {}", violation->oracle, where));
    lines.paragraph(violation->message);
    const std::string rule = rule_text(violation->oracle);
    if (rule.empty() || !explained.insert(violation->oracle).second) continue;
    lines.paragraph(rule + " More: photonsim explain " + violation->oracle);
  }
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// Of things that are counted, on average.
std::string amount(double value) {
  if (value >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(value)));
  if (value > 0 && value < 0.01) return "below 0.01";
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : three_digits(value);
}

// Why less was served than offered, or nothing where both are the same.
std::string unserved_text(const CapacityFigures& capacity) {
  if (!capacity.growing_where.empty()) {
    return fmt::format("; the backlog grows by {:.3g} a second",
                       capacity.backlog_growth_per_second);
  }
  const double fewer = capacity.offered_per_second - capacity.served_per_second;
  if (fewer < 0.01 * capacity.offered_per_second) return {};
  return fmt::format("; {} more are unfinished at the end of the window than at its beginning",
                     grouped(static_cast<std::uint64_t>(std::llround(fewer * capacity.seconds))));
}

void put_capacity(const CapacityFigures& capacity, Lines& lines) {
  lines.title("capacity");
  if (!capacity.measured) {
    lines.line("not measured", "", "the measured window is too short for rates");
    lines.blank();
    return;
  }
  lines.line("offered", amount(capacity.offered_per_second), "a second");
  lines.line("served", amount(capacity.served_per_second), "a second" + unserved_text(capacity));
  if (!capacity.binding.empty()) {
    lines.title("  bound by         " + capacity.binding);
  } else if (!capacity.closest.empty()) {
    lines.title(fmt::format("  nearest limit    {}: {} used", capacity.closest,
                            percent(capacity.closest_saturation)));
  }
  constexpr std::size_t kShown = 3;
  std::set<std::string_view> shown;  // the fullest of each kind
  for (const ResourceFigures& each : capacity.resources) {
    if (each.depth == 0 || shown.size() == kShown || !shown.insert(each.name).second) continue;
    const std::string refusals =
        each.refused > 0 ? fmt::format("; {} of requests refused", percent(each.refused)) : "";
    lines.title(fmt::format("    {:<38} {:>5} used in {}; {} wait for it on average, {} at most{}",
                            each.name, percent(each.utilisation), each.where,
                            amount(each.queue_mean), amount(each.queue_max), refusals));
  }
  if (!capacity.stationary.has_value()) {
    lines.line("stationary", "not known", "the run is too short");
  }
  lines.blank();
}

void put_theory(const std::vector<PredictedFigure>& figures, Lines& lines) {
  if (figures.empty()) return;
  constexpr std::string_view kColumns = "{:<32}{:>12}{:>12}  {}";
  lines.title(fmt::format(kColumns, "theory, without faults", "predicted", "measured", "formula"));
  for (const PredictedFigure& each : figures) {
    lines.title(fmt::format(kColumns, "  " + each.name, value_text(each.unit, each.predicted),
                            each.measured ? value_text(each.unit, *each.measured) : "none",
                            each.formula));
  }
  lines.blank();
}

}  // namespace

std::string to_text(const Summary& summary) {
  Lines lines;
  if (const std::string overload = overload_sentence(summary.capacity); !overload.empty()) {
    lines.title(overload);
  }
  // A trace does not know how long its run took.
  const std::string wall = summary.wall_seconds > 0 ? " in " + spoken(summary.wall_seconds) : "";
  lines.title(fmt::format("{}, seed {}: {} simulated{} ({} events, fingerprint {})",
                          summary.scenario, summary.seed, spoken(summary.sim_seconds), wall,
                          grouped(summary.events), summary.fingerprint));
  if (!summary.scale.empty()) lines.title("scale: " + summary.scale);
  lines.blank();
  if (summary.load.operations > 0) {
    put_load(summary.load, summary.registry, lines);
  } else {
    put_clicks(summary, lines);
    lines.blank();
    put_latency(summary, lines);
    put_settling(summary.settling, lines);
    put_work(summary, lines);
    lines.blank();
  }
  put_spark_lines(summary.series, lines);
  put_registry(summary, lines);
  lines.blank();
  put_figures(summary.figures, lines);
  put_capacity(summary.capacity, lines);
  put_theory(summary.predicted, lines);
  put_recovery(summary.recovery, lines);
  put_corner_cases(summary, lines);
  put_operations(summary, lines);
  put_faults(summary, lines);
  put_environment(summary, lines);
  lines.blank();
  put_fault_latencies(summary.fault_latencies, lines);
  if (summary.baseline) put_baseline(*summary.baseline, lines);
  put_losses(summary, lines);
  put_verdict(summary, lines);
  return lines.take();
}

}  // namespace photon::analysis
