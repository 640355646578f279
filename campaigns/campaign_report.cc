// The report of a campaign as a text for people.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/corner_cases/corner_case.h"
#include "analysis/reports/over_time_text.h"
#include "analysis/reports/report_text.h"
#include "campaigns/campaign.h"
#include "campaigns/triage.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

namespace {

void put_clicks(const CampaignSum& campaign, analysis::Lines& lines) {
  const auto sum = [&](std::string_view figure) { return campaign.sum(figure); };
  lines.title("clicks");
  lines.count("generated", sum("generated"));
  lines.count("joined", sum("joined"),
              sum("duplicates") == 0
                  ? "each exactly once"
                  : fmt::format("and {} duplicates", analysis::grouped(sum("duplicates"))));
  analysis::Counts classes;
  for (const std::string_view name : analysis::loss_classes()) {
    classes.emplace_back(name, sum("lost." + std::string(name)));
  }
  lines.count("lost", sum("lost"), analysis::spelled(classes));
  lines.count("never joinable", sum("never_joinable"));
  lines.count("borderline", sum("borderline"));
  lines.count("pending", sum("pending"));
  lines.count("wasted joins", sum("wasted_joins"), "another joiner had been first");
  lines.blank();
}

// Their latencies depend on how long the runs last.
void put_overload(const CampaignSum& campaign, analysis::Lines& lines) {
  const std::uint64_t overloaded = campaign.not_stationary();
  if (overloaded == 0) return;
  lines.title(
      fmt::format("{} NOT STATIONARY, the first bound by {}: latencies depend on the length "
                  "of these runs",
                  analysis::counted(overloaded, "run"), campaign.first_bound_by()));
  lines.blank();
}

void put_recovery(const CampaignSum& campaign, analysis::Lines& lines) {
  const auto sum = [&](std::string_view figure) { return campaign.sum(figure); };
  if (sum("recovery.ids_removed") + sum("recovery.clicks_returned") == 0) return;
  lines.title("verification");
  lines.count("recovered", sum("recovery.clicks_recovered"),
              "lost with a joiner, and joined since");
  lines.count("ids removed", sum("recovery.ids_removed"),
              "from owners that will not write any more");
  lines.count("clicks returned", sum("recovery.clicks_returned"),
              "to dispatchers, repetitions included");
  lines.blank();
}

void put_load(const CampaignSum& campaign, analysis::Lines& lines) {
  const auto sum = [&](std::string_view figure) { return campaign.sum(figure); };
  analysis::Counts codes;
  for (const std::string_view code : analysis::load_codes()) {
    codes.emplace_back(code, sum("load.codes." + std::string(code)));
  }
  lines.title("load");
  lines.count("operations", sum("load.operations"),
              sum("load.abandoned") == 0 ? std::string()
                                         : fmt::format("{} of clients that died",
                                                       analysis::grouped(sum("load.abandoned"))));
  lines.count("answered", sum("load.answered"), analysis::spelled(codes));
  lines.blank();
}

void put_registry(const CampaignSum& campaign, analysis::Lines& lines) {
  const auto sum = [&](std::string_view figure) { return campaign.sum(figure); };
  lines.title("registry");
  lines.count("transactions", sum("registry.transactions"));
  lines.count("elections", sum("registry.elections"),
              sum("registry.failovers") == 0
                  ? "the first of each group"
                  : fmt::format("{} of them after the first of their group",
                                analysis::grouped(sum("registry.failovers"))));
  lines.count_if_any("lost replies", sum("registry.lost_replies"),
                     "the insert had taken effect, its answer did not arrive in time");
  lines.count_if_any("snapshots", sum("registry.snapshots"));
  if (sum("registry.reshards") + sum("registry.reshards_cancelled") > 0) {
    lines.count("reshardings", sum("registry.reshards"),
                fmt::format("came into force, {} cancelled",
                            analysis::grouped(sum("registry.reshards_cancelled"))));
  }
  lines.blank();
}

void put_faults(const CampaignSum& campaign, analysis::Lines& lines) {
  const auto sum = [&](std::string_view figure) { return campaign.sum(figure); };
  lines.title("faults");
  lines.count("effective", sum("faults.effective"));
  lines.count_if_any(
      "process crashes", sum("crashes.processes"),
      sum("joiner_crashes.crashes") == 0
          ? std::string()
          : fmt::format(
                "{} of joiners that had received clicks, {} attempts in their windows, {} "
                "clicks lost with them, {} "
                "of these recovered",
                analysis::grouped(sum("joiner_crashes.crashes")),
                analysis::grouped(sum("joiner_crashes.window")),
                analysis::grouped(sum("joiner_crashes.lost") + sum("joiner_crashes.returned")),
                analysis::grouped(sum("joiner_crashes.returned"))));
  lines.count_if_any("disks replaced", sum("registry.disks_replaced"),
                     fmt::format("{} admitted to their group again",
                                 analysis::grouped(sum("registry.disks_admitted"))));
  lines.count("messages", sum("network.sent"),
              analysis::spelled({{"lost", sum("network.lost")},
                                 {"duplicated", sum("network.duplicated")},
                                 {"reordered", sum("network.reordered")},
                                 {"cut", sum("network.cut")}}));
  lines.count_if_any("indeterminate ids", sum("undecided_ids"),
                     "too many changes of one id were unanswered at a time (J-S4)");
  lines.blank();
}

void put_core(const CampaignSum& campaign, analysis::Lines& lines) {
  const auto sum = [&](std::string_view figure) { return campaign.sum(figure); };
  if (sum("core.runs") + sum("core.stalls_exempt") == 0) return;
  lines.title("datacenters that had to work alone");
  lines.count("runs", sum("core.runs"),
              fmt::format("{} clicks had to be finished",
                          analysis::grouped(sum("core.clicks_to_finish_alone"))));
  lines.count("exempt stalls", sum("core.stalls_exempt"), "the core could not elect a master");
  lines.blank();
}

}  // namespace

std::string CampaignSum::headline(const CampaignFrame& frame) const {
  const std::string runs = analysis::counted(runs_, "run");
  const std::string planned = analysis::grouped(frame.last_seed - frame.first_seed + 1);
  const std::string took =
      frame.done_before == 0
          ? "in " + analysis::spoken(frame.wall_seconds)
          : fmt::format("({} done before) in {}", analysis::grouped(frame.done_before),
                        analysis::spoken(frame.wall_seconds));
  std::string text = fmt::format("{} {}", runs, took);
  if (frame.end == CampaignFrame::End::ended_early) {
    text = fmt::format("{} of {} {}, ended early", runs, planned, took);
  }
  if (frame.end == CampaignFrame::End::interrupted) {
    text = fmt::format("INTERRUPTED after {} of {} {}", runs, planned, took);
  }
  if (frame.end == CampaignFrame::End::error) {
    text = fmt::format("ABORTED after {} of {}", runs, planned);
  }
  text +=
      failures_.empty() ? ", none failed" : fmt::format(", {} FAILED", analysis::grouped(failed()));
  text = fmt::format(
      "{} ({}, {}s {}..{})\n", text,
      shares_.size() == 1 ? shares_.front().name : fmt::format("{} scenarios", shares_.size()),
      numbered_, frame.first_seed, frame.last_seed);
  for (const std::string& each : frame.missed_gates) text += "GATE " + each + "\n";
  if (frame.corpus_and_features) {
    text += fmt::format("guided search: a corpus of {} configurations with {} features\n",
                        analysis::grouped(frame.corpus_and_features->first),
                        analysis::grouped(frame.corpus_and_features->second));
  }
  return text;
}

std::string CampaignSum::corner_table() const {
  const auto missing = this->missing();
  if (!missing) {
    return "Corner cases were not counted (run.corner_cases is off).\n";
  }
  std::string text;
  if (missing->size() < analysis::kCorners) {
    text = fmt::format("{:<16}{:>14}{:>9}  counts when\n", "corner case", "times", "in runs");
  }
  for (std::size_t i = 0; i < analysis::kCorners; ++i) {
    if (corner_cases_[i].sum == 0) continue;
    text += fmt::format("  {:<14}{:>14}{:>9}  {}\n", analysis::corner_rows()[i].name,
                        analysis::grouped(corner_cases_[i].sum),
                        analysis::grouped(corner_cases_[i].shown), analysis::corner_rows()[i].seen);
  }
  if (counting_ < runs_) {
    text += fmt::format("Counted in {} of the runs.\n", analysis::grouped(counting_));
  }
  if (missing->empty()) return text;
  analysis::Lines lines;
  std::string list;
  for (const std::string& each : *missing) list += (list.empty() ? "" : ", ") + each;
  lines.line("never occurred", analysis::grouped(missing->size()), list);
  return text + lines.take();
}

std::string CampaignSum::mark_table(bool names) const {
  analysis::Lines lines;
  lines.blank();
  lines.title("marks of the code");
  for (const MarkRarity rarity :
       {MarkRarity::common, MarkRarity::rare, MarkRarity::very_rare, MarkRarity::exempt}) {
    const auto all =
        std::ranges::count(photon::all_marks(), rarity,
                           [](const photon::MarkPlace& mark) { return rarity_of(mark.name); });
    if (all == 0) continue;
    lines.count(name_of(rarity), marks_.reached(rarity), fmt::format("reached, of {}", all));
    if (!names || rarity == MarkRarity::exempt) continue;
    const std::string never = marks_.unreached_names(rarity);
    if (!never.empty()) lines.line("  never", "", never);
  }
  return lines.take();
}

std::string CampaignSum::kind_table() const {
  const CountSums& kinds = fault_kinds_;
  if (kinds.empty()) return {};
  analysis::Lines lines;
  lines.title(fmt::format("{:<30}{:>9}{:>14}", "kind of fault", "in runs", "had an effect"));
  for (const auto& [name, kind] : kinds) {
    lines.title(fmt::format("  {:<28}{:>9}{:>14}", name, analysis::grouped(kind.runs),
                            analysis::grouped(kind.sum)));
  }
  lines.blank();
  return lines.take();
}

// Faults that took effect, by kind and by state of the protocols.
std::string CampaignSum::state_table() const {
  const EffectsByKind rows = effects_by_kind();
  if (rows.empty()) return {};
  std::string head = fmt::format("{:<28}", "kind of fault, while");
  for (const std::string_view state : analysis::kStateNames) head += fmt::format("{:>12}", state);
  analysis::Lines lines;
  lines.title(head);
  for (const auto& [kind, row] : rows) {
    std::string line = fmt::format("  {:<26}", kind);
    for (const std::uint64_t count : row) line += fmt::format("{:>12}", analysis::grouped(count));
    lines.title(line);
  }
  lines.blank();
  return lines.take();
}

// For each broken assumption: the runs that broke it, in how many an expected oracle detected it,
// by which oracle, and which others reported findings.
std::string CampaignSum::break_table() const {
  if (breaks_.empty()) return {};
  const auto spell = [](const RunsByOracle& oracles) {
    std::string text;
    for (const auto& [oracle, runs] : oracles) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", oracle, analysis::grouped(runs));
    }
    return text.empty() ? std::string("-") : text;
  };
  analysis::Lines lines;
  lines.title(fmt::format("{:<24}{:>15}{:>10}  {:<24}{}", "broken assumption", "configurations",
                          "detected", "by, runs", "besides"));
  for (const auto& [name, each] : breaks_) {
    lines.title(fmt::format("  {:<22}{:>15}{:>10}  {:<24}{}", name, analysis::grouped(each.runs),
                            analysis::grouped(each.detected), spell(each.by), spell(each.besides)));
  }
  lines.blank();
  return lines.take();
}

// Configurations over tolerance, and the exempt findings in them.
std::string CampaignSum::over_line() const {
  const std::uint64_t runs = runs_of_tier(analysis::RunTier::over);
  if (runs == 0) return {};
  std::string exempt;
  for (const auto& [oracle, of_oracle] : exempt_) {
    exempt += fmt::format("{}{} in {}", exempt.empty() ? ", exempt: " : ", ", oracle,
                          analysis::grouped(of_oracle));
  }
  return fmt::format("over tolerance: {}{}\n\n", analysis::counted(runs, "run"), exempt);
}

// How often each oracle checked something. An oracle without checks is vacuous.
std::string CampaignSum::obligation_table() const {
  const CountSums& oracles = obligations_;
  if (oracles.empty()) return {};
  analysis::Lines lines;
  lines.title(fmt::format("{:<12}{:>9}{:>18}", "oracle", "in runs", "checks"));
  for (const auto& [name, oracle] : oracles) {
    lines.title(fmt::format("  {:<10}{:>9}{:>18}", name, analysis::grouped(oracle.shown),
                            analysis::grouped(oracle.sum)));
  }
  lines.blank();
  return lines.take();
}

double CampaignSum::cpu_seconds() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : cpu_microseconds_) sum += each;
  return static_cast<double>(sum) / 1e6;
}

// Each character is the mean of as many runs, by their seeds.
std::string CampaignSum::events_line() const {
  constexpr std::size_t kMost = 40;
  auto runs = events_by_seed_;
  std::ranges::sort(runs);
  const std::size_t columns = std::min(runs.size(), kMost);
  std::vector<double> means;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t from = i * runs.size() / columns, until = (i + 1) * runs.size() / columns;
    double sum = 0;
    for (std::size_t run = from; run < until; ++run) sum += static_cast<double>(runs[run].second);
    means.push_back(sum / static_cast<double>(until - from));
  }
  return analysis::spark_line(means);
}

// The cost of the campaign, and what its result is worth.
std::string CampaignSum::cost_lines(const CampaignFrame& frame) const {
  const double cpu = cpu_seconds();
  if (cpu <= 0) return {};
  const double simulated = static_cast<double>(sim_milliseconds_) / 1e3;
  analysis::Lines lines;
  lines.blank();
  lines.title("cost");
  lines.count("events", events_,
              fmt::format("{} million in a second of the processor's time",
                          analysis::three_digits(static_cast<double>(events_) / cpu / 1e6)));
  if (runs_ > 1) lines.line("by seed", events_line(), "the mean of a run's events");
  lines.line("simulated", analysis::spoken(simulated),
             fmt::format("{} seconds in a second of the processor's time, idle time included",
                         analysis::grouped(static_cast<std::uint64_t>(simulated / cpu))));
  lines.line("processor", analysis::spoken(cpu),
             fmt::format("median of a run {}", analysis::spoken(median_cpu_seconds())));
  const auto& [same, diverged] = determinism_;
  lines.count("rerun", same + diverged,
              diverged > 0 ? fmt::format("runs, {} DIVERGED", analysis::grouped(diverged))
              : same > 0   ? "runs, none diverged"
                           : "runs: determinism was not checked");
  lines.blank();
  std::string text = lines.take();
  // The rule of three: with 1 - 0.05^(1/n), about 3/n, no failure in n runs has probability 0.05.
  // Only runs within tolerance count: the other tiers do not check everything.
  const std::uint64_t others =
      runs_of_tier(analysis::RunTier::over) + runs_of_tier(analysis::RunTier::contract);
  const std::uint64_t within = runs_ - others;
  // The configurations of a guided search depend on each other: no such bound follows from them.
  if (failures_.empty() && within > 0 && !frame.corpus_and_features) {
    const std::uint64_t one_in = within / 3;
    text +=
        fmt::format("No {} in {}{}: {}.\n",
                    frame.missed_gates.empty() ? "failure" : "violation or failed check",
                    analysis::counted(within, "run"), others > 0 ? " within tolerance" : "",
                    one_in < 2 ? "too few to say how rare failures are"
                               : fmt::format("of runs generated like these, fewer than one in {} "
                                             "fail, with 95 % confidence",
                                             analysis::grouped(one_in)));
  }
  return text;
}

std::string CampaignSum::latency_tables() const {
  std::string text;
  for (const auto& [scenario, stages] : latencies_.by_scenario()) {
    const Share& share = shares_[scenario];
    text += latency_table(fmt::format("{} of {}", analysis::counted(share.runs, "run"), share.name),
                          stages);
  }
  return text;
}

std::string CampaignSum::text(const CampaignFrame& frame) const {
  analysis::Lines lines;
  std::string head = headline(frame);
  if (runs_ == 0) return head + not_run_lines(frame);
  lines.blank();
  if (!latencies_.empty()) put_overload(*this, lines);
  if (shares_.size() > 1) {
    lines.title(fmt::format("{:<48}{:>9}{:>9}", "scenario", "runs", "failed"));
    for (const Share& each : shares_) {
      lines.title(fmt::format("  {:<46}{:>9}{:>9}", each.name, analysis::grouped(each.runs),
                              analysis::grouped(each.failed)));
    }
    lines.blank();
  }
  if (sum("generated") > 0) {
    put_clicks(*this, lines);
    put_recovery(*this, lines);
  }
  if (sum("load.operations") > 0) put_load(*this, lines);
  put_registry(*this, lines);
  put_faults(*this, lines);
  put_core(*this, lines);
  std::string died;
  for (const std::string& each : frame.died_before) died += "  " + each + "\n";
  if (!died.empty()) died = "\ndied before\n" + died;
  return head + not_run_lines(frame) + cause_table() + failure_list() + died + lines.take() +
         latency_tables() + kind_table() + state_table() + break_table() + over_line() +
         obligation_table() + corner_table() + mark_table(frame.names_marks) + cost_lines(frame);
}

}  // namespace photonsim::campaigns
