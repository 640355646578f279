#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "analysis/summary.h"

namespace photon::analysis {

namespace {

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

// Three digits, whatever they are: "1.00", "12.3", "123".
std::string three_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

// Seconds as a person says them: "45.0 us", "12.3 ms", "1.23 s", "2 min 05 s", "3 h 25 min".
std::string spoken(double seconds) {
  constexpr double kRounded = 0.9995;  // from here on three digits would say 1000
  const double size = std::abs(seconds);
  const std::string_view sign = seconds < 0 ? "-" : "";
  const auto whole = static_cast<std::int64_t>(std::llround(size));
  if (whole >= 3600) {
    const std::int64_t minutes = (whole + 30) / 60;
    return fmt::format("{}{} h {:02} min", sign, minutes / 60, minutes % 60);
  }
  if (whole >= 120) return fmt::format("{}{} min {:02} s", sign, whole / 60, whole % 60);
  if (size >= kRounded) return three_digits(seconds) + " s";
  if (size >= kRounded * 1e-3) return three_digits(seconds * 1e3) + " ms";
  return size == 0 ? "0 s" : three_digits(seconds * 1e6) + " us";
}

std::string spelled(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, grouped(count));
  }
  return text.empty() ? text : "(" + text + ")";
}

class Lines {
 public:
  void line(std::string_view name, std::string_view value, std::string_view remark = {}) {
    fmt::format_to(std::back_inserter(text_), "  {:<16} {:>13}", name, value);
    if (!remark.empty()) fmt::format_to(std::back_inserter(text_), "  {}", remark);
    text_ += '\n';
  }
  void count(std::string_view name, std::uint64_t value, std::string_view remark = {}) {
    line(name, grouped(value), remark);
  }
  void title(std::string_view title) { fmt::format_to(std::back_inserter(text_), "{}\n", title); }
  void blank() { text_ += '\n'; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string_view remark_if(std::uint64_t count, std::string_view remark) {
  return count == 0 ? std::string_view{} : remark;
}

// The lines add up to the first one.
void put_clicks(const Summary& summary, Lines& lines) {
  lines.title("clicks");
  lines.count("generated", summary.generated);
  lines.count("joined", summary.joined,
              summary.duplicates == 0
                  ? "each exactly once"
                  : fmt::format("and {} duplicates", grouped(summary.duplicates)));
  lines.count("lost", summary.lost_total(), spelled(summary.lost));
  lines.count("never joinable", summary.never_joinable_total(), spelled(summary.never_joinable));
  lines.count("borderline", summary.borderline,
              remark_if(summary.borderline, "given up so late that joining was right as well"));
  lines.count("pending", summary.pending,
              remark_if(summary.pending, "neither joined nor given up when the run ended"));
}

void put_latency_head(Lines& lines) {
  lines.title(fmt::format("{:<20}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}", "latency", "mean", "p50",
                          "p90", "p99", "p99.9", "max"));
}

void put_latency_row(std::string_view name, const LatencyFigures& of, Lines& lines) {
  lines.title(fmt::format("  {:<18}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}", name, spoken(of.mean),
                          spoken(of.p50), spoken(of.p90), spoken(of.p99), spoken(of.p999),
                          spoken(of.max)));
}

void put_latency(const Summary& summary, Lines& lines) {
  put_latency_head(lines);
  put_latency_row("generation->output", summary.latency, lines);
  for (const auto& [name, figures] : summary.stages) {
    if (name != "total") put_latency_row("  " + name, figures, lines);
  }
  put_latency_row("by skewed clocks", summary.latency_biased, lines);
  put_latency_row("registry insert", summary.registry.insert_latency, lines);
}

void put_load(const LoadFigures& load, const RegistryFigures& registry, Lines& lines) {
  lines.title("load");
  lines.count(
      "operations", load.operations,
      fmt::format("in {}; {} of clients that died", spoken(load.seconds), grouped(load.abandoned)));
  lines.count("answered", load.answered, spelled(load.codes));
  lines.line("transactions/s", three_digits(load.transactions_per_second),
             fmt::format("{:.2f} operations each", load.mean_batch));
  lines.blank();
  put_latency_head(lines);
  put_latency_row("insert", load.insert_latency, lines);
  put_latency_row("look-up", load.lookup_latency, lines);
  put_latency_row("commit", registry.commit_latency, lines);
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
      "look-ups\n  {:<16} ({:.1f} % of them in the logs), {:.2f} registrations",
      "per click", ratio(summary.work.clicks_read, clicks), ratio(summary.registry.lookups, clicks),
      ratio(summary.work.join_requests, clicks), ratio(summary.work.query_lookups, clicks), "",
      100 * ratio(summary.work.query_log_lookups, summary.work.query_lookups),
      ratio(summary.registry.insert_attempts, clicks)));
}

void put_registry(const Summary& summary, Lines& lines) {
  const RegistryFigures& registry = summary.registry;
  lines.title("registry");
  lines.count("transactions", registry.transactions,
              fmt::format("{:.2f} operations each", registry.mean_batch));
  lines.count("look-ups", registry.lookups);
  lines.count("elections", registry.elections,
              registry.failovers == 0 ? "the first of each shard"
                                      : fmt::format("{} of them after the first of their shard",
                                                    grouped(registry.failovers)));
  lines.count("lost replies", registry.lost_replies,
              "the insert had taken effect, its answer did not arrive in time");
  lines.count("snapshots", registry.snapshots,
              fmt::format("{} restored", grouped(registry.restorations)));
  if (registry.boundary_lag_max > 0) {
    lines.count("ids collected", registry.ids_collected,
                fmt::format("in {} transactions; the boundary was {} late, at most {}",
                            grouped(registry.collections), spoken(registry.boundary_lag_mean),
                            spoken(registry.boundary_lag_max)));
  }
  if (registry.overloaded > 0) {
    lines.count("overloaded", registry.overloaded, "operations refused by a full queue");
  }
  if (registry.future_inserts > 0) {
    lines.count("from the future", registry.future_inserts,
                "inserts of ids more than S ahead of true time");
  }
  if (registry.reshards + registry.reshards_cancelled > 0) {
    lines.count("changes of shards", registry.reshards,
                fmt::format("and {} cancelled", grouped(registry.reshards_cancelled)));
  }
}

// Those that occurred; what each means says `photonsim campaign`.
void put_corner_cases(const Summary& summary, Lines& lines) {
  if (summary.corner_cases.empty()) return;
  lines.title("corner cases");
  std::string row;
  std::size_t shown = 0;
  for (const auto& [name, count] : summary.corner_cases) {
    if (count == 0) continue;
    row += fmt::format("  {:<14} {:>6}", name, grouped(count));
    if (++shown % 4 == 0) lines.title(std::exchange(row, {}));
  }
  if (!row.empty()) lines.title(row);
  lines.blank();
}

void put_faults(const Summary& summary, Lines& lines) {
  lines.title("faults");
  lines.line("effective", grouped(summary.faults_effective),
             fmt::format("of {} configured", grouped(summary.faults_configured)));
  lines.count("process crashes", summary.process_crashes,
              fmt::format("{} of them joiners", grouped(summary.joiner_crashes)));
  if (summary.registry.disks_replaced > 0) {
    lines.count(
        "disks replaced", summary.registry.disks_replaced,
        fmt::format("{} admitted to their group again", grouped(summary.registry.disks_admitted)));
  }
  for (const std::string& fault : summary.inert_faults) lines.title("  NO EFFECT  " + fault);
  for (const std::string& each : summary.idle_operations) lines.title("  NOT DONE   " + each);
}

// The first lost clicks, one line each; the JSON and the results file hold more of them.
void put_losses(const Summary& summary, Lines& lines) {
  constexpr std::size_t kShown = 3;
  const std::uint64_t lost = summary.lost_total();
  if (lost == 0) return;
  const std::size_t shown = std::min(kShown, summary.losses.size());
  lines.title(shown < lost ? fmt::format("lost clicks (the first {} of {})", shown, grouped(lost))
                           : "lost clicks");
  for (const Loss& loss : std::span(summary.losses).first(shown)) {
    std::string what = fmt::format("  {}  click {}", name_of(loss.cause), describe(loss.click));
    if (!loss.token.is_empty()) what += ", registered " + describe(loss.registered_at);
    if (loss.node != kNoNode) {
      what += fmt::format(" by node {}, life {}", loss.node.value(), loss.life.value());
    }
    if (loss.crashed_at != kNever) what += ", which crashed " + describe(loss.crashed_at);
    lines.title(what);
  }
  lines.blank();
}

void put_environment(const Summary& summary, Lines& lines) {
  const auto value = [](const Counts& counts, std::string_view name) {
    const auto place = std::ranges::find(counts, name, [](const auto& c) { return c.first; });
    return place == counts.end() ? 0 : place->second;
  };
  if (!summary.network.empty()) {
    const auto of = [&](std::string_view name) { return grouped(value(summary.network, name)); };
    lines.count(
        "messages", value(summary.network, "sent"),
        fmt::format("{} lost, {} duplicated, {} reordered, {} cut, {} found nobody", of("lost"),
                    of("duplicated"), of("reordered"), of("cut"), of("found_down")));
  }
  if (!summary.storage.empty()) {
    const auto of = [&](std::string_view name) { return grouped(value(summary.storage, name)); };
    lines.count(
        "volume requests", value(summary.storage, "requests"),
        fmt::format("{} unavailable; at crashes {} abandoned, {} torn, {} lost what was "
                    "unsynced",
                    of("unavailable"), of("abandoned"), of("torn_appends"), of("lost_suffixes")));
  }
}

std::string headline(const Summary& summary) {
  if (summary.violations_total == 0) return "no violation found";
  const std::uint64_t liveness = summary.violations_total - summary.safety_violations;
  std::string text;
  if (summary.safety_violations > 0) {
    text = fmt::format("SAFETY VIOLATED, {} times", grouped(summary.safety_violations));
  }
  if (liveness == 0) return text;
  text += fmt::format("{}LIVENESS VIOLATED, {} times", text.empty() ? "" : "; ", grouped(liveness));
  if (summary.stuck == 0) return text;
  // What did not come to rest is a click without an end, or one whose end a dispatcher ignores.
  const std::uint64_t open = std::min(summary.pending, summary.stuck);
  text += fmt::format(": not at rest at the end, {} clicks pending", grouped(open));
  const std::uint64_t ended = summary.stuck - open;
  if (ended > 0) text += fmt::format(", {} retries of finished ones pending", grouped(ended));
  return text;
}

void put_verdict(const Summary& summary, Lines& lines) {
  lines.title(headline(summary));
  if (summary.undecided_ids > 0) lines.title("  NOT CHECKED  " + checks_not_made(summary));
  std::size_t shown = 0;
  for (const Violation& violation : summary.violations) {
    if (++shown > 10) {
      lines.title("  ...");
      return;
    }
    std::string where = describe(violation.at);
    if (violation.node != kNoNode) where += fmt::format(", node {}", violation.node.value());
    if (!violation.event.is_null()) where += ", click " + describe(violation.event);
    lines.title(fmt::format("  {}  {}\n      {}", violation.oracle, where, violation.message));
  }
}

}  // namespace

std::string to_text(const Summary& summary) {
  Lines lines;
  // A trace does not know how long its run took.
  const std::string wall = summary.wall_seconds > 0 ? " in " + spoken(summary.wall_seconds) : "";
  lines.title(fmt::format("{}, seed {}: {} simulated{} ({} events, fingerprint {})",
                          summary.scenario, summary.seed, spoken(summary.sim_seconds), wall,
                          grouped(summary.events), summary.fingerprint));
  lines.blank();
  if (summary.load.operations > 0) {
    put_load(summary.load, summary.registry, lines);
  } else {
    put_clicks(summary, lines);
    lines.blank();
    put_latency(summary, lines);
    lines.blank();
    put_work(summary, lines);
  }
  lines.blank();
  put_registry(summary, lines);
  lines.blank();
  put_corner_cases(summary, lines);
  put_faults(summary, lines);
  put_environment(summary, lines);
  lines.blank();
  put_losses(summary, lines);
  put_verdict(summary, lines);
  return lines.take();
}

}  // namespace photon::analysis
