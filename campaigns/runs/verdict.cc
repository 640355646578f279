#include "campaigns/runs/verdict.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/verdict.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/points.h"
#include "campaigns/runs/shell_words.h"
#include "core_impl/base/check.h"
#include "scenarios/extensions/extensions.h"
#include "scenarios/language/schema.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

using scenarios::Expectations;
using scenarios::Tier;

namespace {

using photon::analysis::InertFault;

// Whether the key is a table that a scenario may state several times, as [[faults.crash]].
bool is_list(std::string_view key) {
  const scenarios::TableSpec* const table = scenarios::find_table(key);
  return table != nullptr && table->repeated;
}

// For faults that are stated by lists.
std::string remedy_for_listed(const std::vector<InertFault>& faults) {
  const std::string_view it = faults.size() == 1 ? "it" : "them";
  std::vector<std::string> removals;
  for (const InertFault& each : faults) {
    std::string removal = fmt::format("--set {}=[]", each.key);
    if (std::ranges::find(removals, removal) == removals.end()) {
      removals.push_back(std::move(removal));
    }
  }
  return fmt::format("move {0}, remove {0} ({1}), or accept {0} (--set faults.inert=allow)", it,
                     fmt::join(removals, ", "));
}

// For at least one fault, all with the same remedy.
std::string inert_faults_sentence(const std::vector<InertFault>& faults, std::string_view remedy) {
  if (faults.size() == 1) {
    return fmt::format("this fault had no effect: {}; {}", faults.front().text, remedy);
  }
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(kNamed, faults.size()); ++i) {
    named.push_back(faults[i].text);
  }
  const std::string rest =
      faults.size() > kNamed ? fmt::format(", and {} more", faults.size() - kNamed) : std::string();
  return fmt::format("{} faults had no effect: {}{}; {}", faults.size(), fmt::join(named, ", "),
                     rest, remedy);
}

std::uint64_t exempt_findings(const photon::analysis::Summary& summary,
                              const Expectations& expectations) {
  std::uint64_t sum = 0;
  for (const auto& [oracle, count] : summary.violations_by_rule) {
    if (expectations.is_exempt(oracle)) sum += count;
  }
  return sum;
}

photon::analysis::RunTier tier_of(Tier tier) {
  switch (tier) {
    case Tier::kOver:
      return photon::analysis::RunTier::over;
    case Tier::kContract:
      return photon::analysis::RunTier::contract;
    case Tier::kWithin:
      break;
  }
  return photon::analysis::RunTier::within;
}

bool is_detected(const photon::analysis::Summary& summary, const Expectations& expectations) {
  return std::ranges::any_of(summary.violations_by_rule, [&](const auto& rule) {
    return rule.second > 0 && expectations.is_expected(rule.first);
  });
}

std::string undetected(const photon::analysis::Summary& summary, const Expectations& expectations) {
  std::string others;
  for (const auto& [oracle, count] : summary.violations_by_rule) {
    if (count > 0) others += (others.empty() ? "; others did: " : ", ") + oracle;
  }
  return fmt::format(
      "an assumption is broken (scenario.breaks = \"{}\"), and no damage was detected by {}{}; "
      "break it where the system depends on it, or fix the oracle",
      expectations.breaks, fmt::join(expectations.detected_by, " or "), others);
}

}  // namespace

int verdict_of(const photon::analysis::Summary& summary, const Expectations& expectations) {
  if (summary.safety_violations > 0 && expectations.expects_safety()) return kSafetyViolation;
  const std::uint64_t liveness = summary.violations_total - summary.safety_violations;
  const bool lively = expectations.tier != Tier::kContract;
  if (lively && liveness > exempt_findings(summary, expectations)) return kLivenessViolation;
  return shortfalls(summary, expectations).empty() ? kOk : kInertFault;
}

int verdict_of(const scenarios::RunOutcome& outcome) {
  if (outcome.interrupted) return kInterrupted;
  if (outcome.failed_check) return kInternal;
  if (!outcome.over_limit.empty()) return kEnvironment;
  return verdict_of(outcome.summary, outcome.expectations);
}

std::string damage_line(const scenarios::RunOutcome& outcome) {
  const Expectations& expectations = outcome.expectations;
  if (expectations.tier != Tier::kContract || !is_detected(outcome.summary, expectations))
    return {};
  std::string by;
  for (const auto& [oracle, count] : outcome.summary.violations_by_rule) {
    if (count > 0 && expectations.is_expected(oracle)) by += (by.empty() ? "" : ", ") + oracle;
  }
  return fmt::format("the damage that this tier expects ({}) was detected by {}: {}",
                     expectations.breaks, by, violations_line(outcome.summary));
}

photon::analysis::RunRecord record_of(const scenarios::RunOutcome& outcome) {
  using photon::analysis::Standing;
  const Expectations& expectations = outcome.expectations;
  photon::analysis::RunRecord record;
  if (outcome.is_complete()) {
    record = photon::analysis::run_record_of(outcome.summary, outcome.histograms);
    record.tier = tier_of(expectations.tier);
    record.broken_assumption = expectations.breaks;
    record.damage_detected =
        expectations.tier == Tier::kContract && is_detected(outcome.summary, expectations);
    for (auto& each : record.findings) {
      if (expectations.tier == Tier::kContract && expectations.is_expected(each.oracle)) {
        each.standing = Standing::expected;
      } else if (expectations.tier == Tier::kOver && expectations.is_exempt(each.oracle)) {
        each.standing = Standing::exempt;
      }
    }
    record.fault_effects = outcome.fault_effects;
  } else {
    record.end = photon::analysis::RunEnd::over_events;
    record.seed = outcome.summary.seed;
  }
  if (const auto& failed = outcome.failed_check) {
    record.end = photon::analysis::RunEnd::check_failed;
    record.check_site = failed->site;
    record.check_message = failed->message;
    record.check_process = failed->process;
  }
  record.exit_code = verdict_of(outcome);
  if (record.exit_code != kOk) record.what = failure_line(outcome);
  record.marks = photon::analysis::named_marks(outcome.marks);
  return record;
}

std::vector<std::string> shortfalls(const photon::analysis::Summary& summary,
                                    const Expectations& expectations) {
  std::vector<std::string> sentences;
  if (expectations.tier == Tier::kContract && !is_detected(summary, expectations)) {
    sentences.push_back(undetected(summary, expectations));
  }
  std::vector<InertFault> listed;
  for (const InertFault& each : summary.inert_faults) {
    if (is_list(each.key)) listed.push_back(each);
  }
  if (!listed.empty()) {
    sentences.push_back(inert_faults_sentence(listed, remedy_for_listed(listed)));
  }
  for (const InertFault& each : summary.inert_faults) {
    if (is_list(each.key)) continue;
    const std::string remedy = fmt::format(
        "set it to 0 (--set {}=0), or send more messages (--set faults.inert=allow accepts it)",
        each.key);
    sentences.push_back(inert_faults_sentence({each}, remedy));
  }
  for (const std::string& each : summary.unexpected_ends) {
    sentences.push_back(
        "this operation did not end as it should: " + each +
        "; request it when it is possible, or, for a reshard or a "
        "move, state its expected end (photonsim explain operations.reshard.expect)");
  }
  if (summary.undecided_ids.total() > 0 && !summary.undecided_allowed) {
    sentences.push_back(photon::analysis::checks_not_made(summary));
  }
  return sentences;
}

int worse_of(int a, int b) {
  const std::size_t rank_a = photon::analysis::rank_of(a);
  const std::size_t rank_b = photon::analysis::rank_of(b);
  PHOTON_CHECK(std::max(rank_a, rank_b) < photon::analysis::kWorstFirst.size(),
               "an exit code is no verdict of a run");
  return rank_a < rank_b ? a : b;
}

std::string violations_line(const photon::analysis::Summary& summary) {
  if (summary.violations.empty()) return {};
  const auto& first = summary.violations.front();
  const std::string count = summary.violations_total == 1
                                ? std::string("1 violation")
                                : fmt::format("{} violations; the first", summary.violations_total);
  return fmt::format("{}: {}, {}", count, first.oracle, first.message);
}

std::string early_end_line(const scenarios::RunOutcome& outcome) {
  if (outcome.failed_check) return "a check of the code failed: " + outcome.failed_check->text;
  return outcome.over_limit;
}

std::string failure_line(const scenarios::RunOutcome& outcome) {
  std::string line;
  const auto say = [&](const std::string& sentence) {
    if (!sentence.empty()) line += (line.empty() ? "" : "; ") + sentence;
  };
  say(early_end_line(outcome));
  say(violations_line(outcome.summary));
  if (!outcome.is_complete()) return line;  // what it would have done is unknown
  const std::vector<std::string> missed = shortfalls(outcome.summary, outcome.expectations);
  if (!missed.empty()) {
    say(missed.size() == 1
            ? missed.front()
            : fmt::format("{} shortfalls; the first: {}", missed.size(), missed.front()));
  }
  return line;
}

std::string faults_text(const photon::models::InputFaults& faults) {
  std::string text;
  for (const std::string& each : faults.texts()) {
    text += (text.empty() ? "" : "\n") + scenarios::printable(each);
  }
  return text;
}

// As it was called, where it brings parts of its own: only it can repeat its runs.
std::string program_word() { return shell_word(scenarios::installed_extensions().program); }

std::string swarm_replay_line(const scenarios::swarm::Options& options, std::uint64_t seed) {
  return program_word() + " repro --swarm --seed " + std::to_string(seed) + swarm_words(options);
}

std::string repro_line(std::string_view file) {
  return program_word() + " repro " + shell_word(file);
}

std::string replay_line(std::string_view scenario, const std::vector<std::string>& overrides,
                        std::uint64_t seed) {
  std::string line = program_word() + " repro " + shell_word(scenario);
  for (const std::string& each : overrides) line += " --set " + shell_word(each);
  return line + " --seed " + std::to_string(seed);
}

}  // namespace photonsim::campaigns
