// The report of a campaign: one JSON object, or a text.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/corner_cases/corner_case.h"
#include "analysis/reports/report_text.h"
#include "campaigns/campaign.h"
#include "campaigns/triage.h"

namespace photon::analysis {

namespace json = boost::json;

namespace {

std::string_view name_of(CampaignFrame::End end) {
  switch (end) {
    case CampaignFrame::End::complete:
      return "complete";
    case CampaignFrame::End::ended_early:
      return "ended early";
    case CampaignFrame::End::interrupted:
      return "interrupted";
    case CampaignFrame::End::error:
      return "error";
  }
  return {};
}

json::object corner_object(const std::vector<CountSum>& counts, std::uint64_t CountSum::*part) {
  json::object object;
  for (std::size_t i = 0; i < kCorners; ++i) object[corner_rows()[i].name] = counts[i].*part;
  return object;
}

// Every mark, reached or not, with its place in the code.
json::object mark_object(const MarkTally& tally) {
  json::object object;
  const auto marks = all_marks();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    object[marks[i].name] =
        json::object{{"rarity", name_of(rarity_of(marks[i].name))},
                     {"place", fmt::format("{}:{}", marks[i].file, marks[i].line)},
                     {"hits", tally.hits(i)},
                     {"runs", tally.runs(i)}};
  }
  return object;
}

json::object obligation_object(const CountSums& oracles) {
  json::object object;
  for (const auto& [name, oracle] : oracles) {
    object[name] = json::object{{"runs", oracle.shown}, {"obligations", oracle.sum}};
  }
  return object;
}

void put_clicks(const Counts& sums, Lines& lines) {
  const auto sum = [&](std::string_view name) { return count_of(sums, name); };
  lines.title("clicks");
  lines.count("generated", sum("generated"));
  lines.count("joined", sum("joined"),
              sum("duplicates") == 0
                  ? "each exactly once"
                  : fmt::format("and {} duplicates", grouped(sum("duplicates"))));
  Counts classes;
  for (const std::string_view name : loss_classes()) classes.emplace_back(name, sum(name));
  lines.count("lost", sum("lost"), spelled(classes));
  lines.count("never joinable", sum("never_joinable"));
  lines.count("borderline", sum("borderline"));
  lines.count("pending", sum("pending"));
  lines.count("wasted joins", sum("wasted_joins"), "another joiner had been first");
  lines.blank();
}

void put_recovery(const Counts& sums, Lines& lines) {
  const auto sum = [&](std::string_view name) { return count_of(sums, name); };
  if (sum("ids_removed") + sum("clicks_returned") == 0) return;
  lines.title("verification");
  lines.count("recovered", sum("clicks_recovered"), "lost with a joiner, and joined since");
  lines.count("ids removed", sum("ids_removed"), "from owners that will not write any more");
  lines.count("clicks returned", sum("clicks_returned"), "to dispatchers, repetitions included");
  lines.blank();
}

void put_load(const Counts& sums, Lines& lines) {
  const auto sum = [&](std::string_view name) { return count_of(sums, name); };
  Counts codes;
  for (const std::string_view code : load_codes()) codes.emplace_back(code, sum(code));
  lines.title("load");
  lines.count("operations", sum("operations"),
              sum("abandoned") == 0
                  ? std::string()
                  : fmt::format("{} of clients that died", grouped(sum("abandoned"))));
  lines.count("answered", sum("answered"), spelled(codes));
  lines.blank();
}

void put_registry(const Counts& sums, Lines& lines) {
  const auto sum = [&](std::string_view name) { return count_of(sums, name); };
  lines.title("registry");
  lines.count("transactions", sum("transactions"));
  lines.count("elections", sum("elections"),
              sum("failovers") == 0 ? "the first of each group"
                                    : fmt::format("{} of them after the first of their group",
                                                  grouped(sum("failovers"))));
  lines.count_if_any("lost replies", sum("lost_replies"),
                     "the insert had taken effect, its answer did not arrive in time");
  lines.count_if_any("snapshots", sum("snapshots"));
  if (sum("reshards") + sum("reshards_cancelled") > 0) {
    lines.count("reshardings", sum("reshards"),
                fmt::format("came into force, {} cancelled", grouped(sum("reshards_cancelled"))));
  }
  lines.blank();
}

void put_faults(const Counts& sums, Lines& lines) {
  const auto sum = [&](std::string_view name) { return count_of(sums, name); };
  lines.title("faults");
  lines.count("effective", sum("faults_effective"));
  lines.count_if_any(
      "process crashes", sum("process_crashes"),
      sum("joiner_crashes") == 0
          ? std::string()
          : fmt::format("{} of joiners, {} attempts in their windows, {} clicks lost with them, {} "
                        "of these recovered",
                        grouped(sum("joiner_crashes")), grouped(sum("in_their_windows")),
                        grouped(sum("lost_with_joiners") + sum("taken_from_dead_joiners")),
                        grouped(sum("taken_from_dead_joiners"))));
  lines.count_if_any(
      "disks replaced", sum("disks_replaced"),
      fmt::format("{} admitted to their group again", grouped(sum("disks_admitted"))));
  lines.count("messages", sum("messages_sent"),
              spelled({{"lost", sum("messages_lost")},
                       {"duplicated", sum("messages_duplicated")},
                       {"reordered", sum("messages_reordered")},
                       {"cut", sum("messages_cut")}}));
  lines.count_if_any("indeterminate ids", sum("undecided_ids"),
                     "too many changes of one id were unanswered at a time (J-S4)");
  lines.blank();
}

void put_core(const Counts& sums, Lines& lines) {
  const auto sum = [&](std::string_view name) { return count_of(sums, name); };
  if (sum("runs_with_a_core") + sum("exempt_stalls") == 0) return;
  lines.title("datacenters that had to work alone");
  lines.count("runs", sum("runs_with_a_core"),
              fmt::format("{} clicks had to be finished", grouped(sum("core_demands"))));
  lines.count("exempt stalls", sum("exempt_stalls"), "no majority of disks was among them");
  lines.blank();
}

using EffectsByKind =
    std::map<std::string, std::array<std::uint64_t, kProtocolStates>, std::less<>>;

// Each kind of fault that was configured or took effect, by state of the protocols; zeros included.
EffectsByKind with_configured(EffectsByKind effects, const CountSums& kinds) {
  for (const auto& [kind, of_kind] : kinds) effects.try_emplace(kind);
  return effects;
}

json::object object_of(const RunsByOracle& runs) {
  json::object object;
  for (const auto& [oracle, count] : runs) object[oracle] = count;
  return object;
}

json::object break_object(const std::map<std::string, BrokenAssumption, std::less<>>& breaks) {
  json::object object;
  for (const auto& [name, each] : breaks) {
    object[name] = json::object{{"configurations", each.runs},
                                {"detected", each.detected},
                                {"by", object_of(each.by)},
                                {"besides", object_of(each.besides)}};
  }
  return object;
}

json::object failure_object(const std::string& scenario, const RunRecord& run,
                            const ReproFiles& repros) {
  const auto repro = repros.find({run.scenario, run.seed});
  const bool found = repro != repros.end();
  return {
      {"scenario", scenario},       {"seed", run.seed},
      {"exit_code", run.exit_code}, {"what", run.what},
      {"replay", run.replay},       {"repro", found ? json::value(repro->second) : json::value()}};
}

}  // namespace

std::string CampaignSum::json(const CampaignFrame& frame) const {
  json::object object;
  object["seeds"] = json::object{{"first", frame.first_seed}, {"last", frame.last_seed}};
  object["overrides"] = json::array(frame.overrides.begin(), frame.overrides.end());
  object["model_version"] = frame.model_version;
  object["end"] = name_of(frame.end);
  object["exit_code"] = frame.exit_code;
  object["wall_seconds"] = frame.wall_seconds;
  object["runs_done_before"] = frame.done_before;
  object["runs_planned"] = frame.last_seed - frame.first_seed + 1;
  object["runs"] = runs_;
  object["failed"] = failed();
  json::array scenarios;
  for (const Share& each : shares_) {
    scenarios.push_back(
        json::object{{"file", each.name}, {"runs", each.runs}, {"failed", each.failed}});
  }
  object["scenarios"] = std::move(scenarios);
  json::object sums;
  for (const auto& [name, sum] : this->sums()) sums[name] = sum;
  object["sums"] = std::move(sums);
  object["runs_that_count_corner_cases"] = counting_;
  const auto missing = this->missing();
  if (missing) {
    object["corner_cases"] = corner_object(corner_cases_, &CountSum::sum);
    object["runs_with_corner_case"] = corner_object(corner_cases_, &CountSum::shown);
    object["never_occurred"] = json::array(missing->begin(), missing->end());
  } else {
    for (const char* name : {"corner_cases", "runs_with_corner_case", "never_occurred"}) {
      object[name] = nullptr;
    }
  }
  object["marks"] = mark_object(marks_);
  json::object kinds;
  for (const auto& [name, kind] : fault_kinds_) {
    kinds[name] = json::object{{"runs", kind.runs}, {"effective", kind.sum}};
  }
  object["fault_kinds"] = std::move(kinds);
  object["obligations"] = obligation_object(obligations_);
  json::object states;
  for (const auto& [kind, row] : with_configured(effects_, fault_kinds_)) {
    json::object of_kind;
    for (std::size_t i = 0; i < row.size(); ++i) of_kind[kStateNames[i]] = row[i];
    states[kind] = std::move(of_kind);
  }
  object["states"] = std::move(states);
  const std::uint64_t contract = runs_of_tier(RunTier::contract);
  if (const std::uint64_t over = runs_of_tier(RunTier::over); contract + over > 0) {
    object["runs_by_tier"] = json::object{{"contract", contract}, {"over", over}};
    object["exempt"] = object_of(exempt_);
    object["broken_assumptions"] = break_object(breaks_);
  }
  object["cost"] = json::object{{"events", events_},
                                {"sim_seconds", static_cast<double>(sim_milliseconds_) / 1e3},
                                {"cpu_seconds", cpu_seconds()},
                                {"median_cpu_seconds", median_cpu_seconds()}};
  object["done_twice"] = json::object{{"runs", determinism_.same + determinism_.diverged},
                                      {"differed", determinism_.diverged}};
  object["cut_off"] = json::array(frame.cut_off.begin(), frame.cut_off.end());
  object["died_before"] = json::array(frame.died_before.begin(), frame.died_before.end());
  json::array failures;
  for (const auto& [key, each] : failures_) {
    failures.push_back(failure_object(shares_[each.scenario].name, each, frame.repros));
  }
  object["failures"] = std::move(failures);
  json::array causes;
  for (const FailureGroup& each : failure_groups(*this)) {
    const RunRecord& first = *each.runs.front();
    causes.push_back(
        json::object{{"found_by", each.cause.found_by},
                     {"site", each.cause.site},
                     {"message", each.cause.message},
                     {"exit_code", each.exit_code},
                     {"runs", each.runs.size()},
                     {"first", failure_object(shares_[first.scenario].name, first, frame.repros)}});
  }
  object["causes"] = std::move(causes);
  return json::serialize(object);
}

std::string CampaignSum::headline(const CampaignFrame& frame) const {
  const std::string runs = counted(runs_, "run");
  const std::string planned = grouped(frame.last_seed - frame.first_seed + 1);
  const std::string took = frame.done_before == 0
                               ? "in " + spoken(frame.wall_seconds)
                               : fmt::format("({} done before) in {}", grouped(frame.done_before),
                                             spoken(frame.wall_seconds));
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
  text += failures_.empty() ? ", none failed" : fmt::format(", {} FAILED", grouped(failed()));
  return fmt::format(
      "{} ({}, seeds {}..{})\n", text,
      shares_.size() == 1 ? shares_.front().name : fmt::format("{} scenarios", shares_.size()),
      frame.first_seed, frame.last_seed);
}

std::string CampaignSum::corner_table() const {
  const auto missing = this->missing();
  if (!missing) {
    return "Corner cases were not counted (run.corner_cases is off).\n";
  }
  std::string text;
  if (missing->size() < kCorners) {
    text = fmt::format("{:<16}{:>14}{:>9}  counts when\n", "corner case", "times", "in runs");
  }
  for (std::size_t i = 0; i < kCorners; ++i) {
    if (corner_cases_[i].sum == 0) continue;
    text += fmt::format("  {:<14}{:>14}{:>9}  {}\n", corner_rows()[i].name,
                        grouped(corner_cases_[i].sum), grouped(corner_cases_[i].shown),
                        corner_rows()[i].seen);
  }
  if (counting_ < runs_) {
    text += fmt::format("Counted in {} of the runs.\n", grouped(counting_));
  }
  if (missing->empty()) return text;
  Lines lines;
  std::string list;
  for (const std::string& each : *missing) list += (list.empty() ? "" : ", ") + each;
  lines.line("never occurred", grouped(missing->size()), list);
  return text + lines.take();
}

std::string CampaignSum::mark_table(bool names) const {
  Lines lines;
  lines.blank();
  lines.title("marks of the code");
  for (const MarkRarity rarity :
       {MarkRarity::common, MarkRarity::rare, MarkRarity::very_rare, MarkRarity::exempt}) {
    const auto all = std::ranges::count(all_marks(), rarity,
                                        [](const MarkPlace& mark) { return rarity_of(mark.name); });
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
  Lines lines;
  lines.title(fmt::format("{:<30}{:>9}{:>14}", "kind of fault", "in runs", "had an effect"));
  for (const auto& [name, kind] : kinds) {
    lines.title(fmt::format("  {:<28}{:>9}{:>14}", name, grouped(kind.runs), grouped(kind.sum)));
  }
  lines.blank();
  return lines.take();
}

// Faults that took effect, by kind and by state of the protocols.
std::string CampaignSum::state_table() const {
  const EffectsByKind rows = with_configured(effects_, fault_kinds_);
  if (rows.empty()) return {};
  std::string head = fmt::format("{:<28}", "kind of fault, while");
  for (const std::string_view state : kStateNames) head += fmt::format("{:>12}", state);
  Lines lines;
  lines.title(head);
  for (const auto& [kind, row] : rows) {
    std::string line = fmt::format("  {:<26}", kind);
    for (const std::uint64_t count : row) line += fmt::format("{:>12}", grouped(count));
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
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", oracle, grouped(runs));
    }
    return text.empty() ? std::string("-") : text;
  };
  Lines lines;
  lines.title(fmt::format("{:<24}{:>15}{:>10}  {:<24}{}", "broken assumption", "configurations",
                          "detected", "by, runs", "besides"));
  for (const auto& [name, each] : breaks_) {
    lines.title(fmt::format("  {:<22}{:>15}{:>10}  {:<24}{}", name, grouped(each.runs),
                            grouped(each.detected), spell(each.by), spell(each.besides)));
  }
  lines.blank();
  return lines.take();
}

// Configurations over tolerance, and the exempt findings in them.
std::string CampaignSum::over_line() const {
  const std::uint64_t runs = runs_of_tier(RunTier::over);
  if (runs == 0) return {};
  std::string exempt;
  for (const auto& [oracle, of_oracle] : exempt_) {
    exempt +=
        fmt::format("{}{} in {}", exempt.empty() ? ", exempt: " : ", ", oracle, grouped(of_oracle));
  }
  return fmt::format("over tolerance: {}{}\n\n", counted(runs, "run"), exempt);
}

// How often each oracle checked something. An oracle without checks is vacuous.
std::string CampaignSum::obligation_table() const {
  const CountSums& oracles = obligations_;
  if (oracles.empty()) return {};
  Lines lines;
  lines.title(fmt::format("{:<12}{:>9}{:>18}", "oracle", "in runs", "checks"));
  for (const auto& [name, oracle] : oracles) {
    lines.title(
        fmt::format("  {:<10}{:>9}{:>18}", name, grouped(oracle.shown), grouped(oracle.sum)));
  }
  lines.blank();
  return lines.take();
}

double CampaignSum::cpu_seconds() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : cpu_microseconds_) sum += each;
  return static_cast<double>(sum) / 1e6;
}

// The cost of the campaign, and what its result is worth.
std::string CampaignSum::cost_lines() const {
  const double cpu = cpu_seconds();
  if (cpu <= 0) return {};
  const double simulated = static_cast<double>(sim_milliseconds_) / 1e3;
  Lines lines;
  lines.blank();
  lines.title("cost");
  lines.count("events", events_,
              fmt::format("{} million in a second of the processor's time",
                          three_digits(static_cast<double>(events_) / cpu / 1e6)));
  lines.line("simulated", spoken(simulated),
             fmt::format("{} seconds in a second of the processor's time, idle time included",
                         grouped(static_cast<std::uint64_t>(simulated / cpu))));
  lines.line("processor", spoken(cpu),
             fmt::format("median of a run {}", spoken(median_cpu_seconds())));
  const auto& [same, diverged] = determinism_;
  lines.count("rerun", same + diverged,
              diverged > 0 ? fmt::format("runs, {} DIVERGED", grouped(diverged))
              : same > 0   ? "runs, none diverged"
                           : "runs: determinism was not checked");
  lines.blank();
  std::string text = lines.take();
  // The rule of three: with 1 - 0.05^(1/n), about 3/n, no failure in n runs has probability 0.05.
  // Only runs within tolerance count: the other tiers do not check everything.
  const std::uint64_t others = runs_of_tier(RunTier::over) + runs_of_tier(RunTier::contract);
  const std::uint64_t within = runs_ - others;
  if (failures_.empty() && within > 0) {
    const std::uint64_t one_in = within / 3;
    text += fmt::format(
        "No failure in {}{}: {}.\n", counted(within, "run"), others > 0 ? " within tolerance" : "",
        one_in < 2 ? "too few to say how rare failures are"
                   : fmt::format("of runs generated like these, fewer than one in {} "
                                 "fail, at 95 %",
                                 grouped(one_in)));
  }
  return text;
}

std::string CampaignSum::text(const CampaignFrame& frame) const {
  Lines lines;
  std::string head = headline(frame);
  if (runs_ == 0) return head + not_run_lines(frame);
  lines.blank();
  if (shares_.size() > 1) {
    lines.title(fmt::format("{:<48}{:>9}{:>9}", "scenario", "runs", "failed"));
    for (const Share& each : shares_) {
      lines.title(
          fmt::format("  {:<46}{:>9}{:>9}", each.name, grouped(each.runs), grouped(each.failed)));
    }
    lines.blank();
  }
  const Counts sums = this->sums();
  if (count_of(sums, "generated") > 0) {
    put_clicks(sums, lines);
    put_recovery(sums, lines);
  }
  if (count_of(sums, "operations") > 0) put_load(sums, lines);
  put_registry(sums, lines);
  put_faults(sums, lines);
  put_core(sums, lines);
  std::string died;
  for (const std::string& each : frame.died_before) died += "  " + each + "\n";
  if (!died.empty()) died = "\ndied before\n" + died;
  return head + not_run_lines(frame) + cause_table() + failure_list() + died + lines.take() +
         kind_table() + state_table() + break_table() + over_line() + obligation_table() +
         corner_table() + mark_table(frame.names_marks) + cost_lines();
}

}  // namespace photon::analysis
