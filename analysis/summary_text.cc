#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

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

// Seconds as a person says them: "1.234 s", "12.3 ms", "45 us", "2 h 05 min".
std::string spoken(double seconds) {
  const double size = std::abs(seconds);
  if (size >= 3600) {
    const auto minutes = static_cast<std::int64_t>(std::llround(size / 60));
    return fmt::format("{}{} h {:02} min", seconds < 0 ? "-" : "", minutes / 60, minutes % 60);
  }
  if (size >= 1) return fmt::format("{:.3g} s", seconds);
  if (size >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (size == 0) return "0 s";
  return fmt::format("{:.3g} us", seconds * 1e6);
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

std::string percentiles(const LatencyFigures& figures) {
  return fmt::format("p50 {:>9}   p90 {:>9}   p99 {:>9}   p99.9 {:>9}   max {:>9}",
                     spoken(figures.p50), spoken(figures.p90), spoken(figures.p99),
                     spoken(figures.p999), spoken(figures.max));
}

void put_clicks(const Summary& summary, Lines& lines) {
  lines.title("clicks");
  lines.count("generated", summary.generated);
  lines.count("joined", summary.joined,
              summary.duplicates == 0 ? "each exactly once"
                                      : fmt::format("and {} duplicates", summary.duplicates));
  lines.count("lost", summary.lost_total(), spelled(summary.lost));
  lines.count("never joinable", summary.never_joinable_total(), spelled(summary.never_joinable));
  lines.count("borderline", summary.borderline);
  lines.count("pending", summary.pending);
  lines.count("wasted joins", summary.wasted_joins);
}

void put_latency(const Summary& summary, Lines& lines) {
  lines.title("latency (mean; percentiles)");
  lines.line("generation->out", spoken(summary.latency.mean), percentiles(summary.latency));
  lines.line("clock-biased", spoken(summary.latency_biased.mean),
             percentiles(summary.latency_biased));
  for (const auto& [name, figures] : summary.stages) {
    if (name == "total") continue;
    lines.line("  " + name, spoken(figures.mean), percentiles(figures));
  }
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

void put_verdict(const Summary& summary, Lines& lines) {
  if (summary.violations_total == 0) {
    lines.title("no violation found");
    return;
  }
  lines.title(fmt::format("{} violations", grouped(summary.violations_total)));
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
  put_clicks(summary, lines);
  lines.blank();
  put_latency(summary, lines);
  lines.blank();
  lines.title("registry");
  lines.count("transactions", summary.registry.transactions,
              fmt::format("{:.2f} operations each", summary.registry.mean_batch));
  lines.line("insert latency", spoken(summary.registry.insert_latency.mean),
             percentiles(summary.registry.insert_latency));
  lines.count("look-ups", summary.registry.lookups);
  lines.count("elections", summary.registry.elections,
              fmt::format("{} after the first of a group", summary.registry.failovers));
  lines.count("lost replies", summary.registry.lost_replies,
              "the insert had taken effect, its answer did not arrive in time");
  lines.blank();
  lines.title("faults");
  lines.line("effective", grouped(summary.faults_effective),
             fmt::format("of {} configured", summary.faults_configured));
  lines.count("process crashes", summary.process_crashes,
              fmt::format("{} of them joiners", summary.joiner_crashes));
  put_environment(summary, lines);
  lines.blank();
  put_losses(summary, lines);
  put_verdict(summary, lines);
  return lines.take();
}

}  // namespace photon::analysis
