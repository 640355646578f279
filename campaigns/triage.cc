#include "campaigns/triage.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/verdict.h"
#include "campaigns/campaign.h"

namespace photon::analysis {
namespace {

bool has_digit(std::string_view word) {
  return std::ranges::any_of(
      word, [](char each) { return std::isdigit(static_cast<unsigned char>(each)) != 0; });
}

// Calls `visit` with each word of the text.
template <class Visitor>
void each_word(std::string_view text, Visitor&& visit) {
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find_first_of(" \n\t"), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (!word.empty()) visit(word);
  }
}

// "#" and the punctuation after it for a word that varies between runs, the others as they are.
std::string normalised_word(std::string_view word) {
  if (!has_digit(word) && word.find('/') == std::string_view::npos) return std::string(word);
  const std::size_t last = word.find_last_not_of(",;:.)");
  return "#" + std::string(last == std::string_view::npos ? "" : word.substr(last + 1));
}

// Its words, with `#` for each number, id and name of a process, which vary between runs.
std::string normalised(std::string_view text) {
  std::string words;
  each_word(text, [&](std::string_view word) {
    if (!words.empty()) words += ' ';
    words += normalised_word(word);
  });
  return words;
}

// The role of the first process that is named: "registry" of "us-east1/registry/0" and of
// "registry/0@us-west1".
std::string role_in(std::string_view text) {
  std::string role;
  each_word(text, [&](std::string_view word) {
    if (!role.empty() || word.find('/') == std::string_view::npos || !has_digit(word)) return;
    while (!word.empty()) {
      const std::size_t slash = std::min(word.find('/'), word.size());
      const std::string_view part = word.substr(0, slash);
      word.remove_prefix(std::min(slash + 1, word.size()));
      if (part.empty() || has_digit(part)) continue;
      role = part;
      return;
    }
  });
  return role;
}

// The FILE:LINE of the failed check and its condition; what follows them varies between runs.
FailureCause cause_of_check(std::string_view what) {
  constexpr std::string_view kPrefix = "a check of the code failed: ";
  if (what.starts_with(kPrefix)) what.remove_prefix(kPrefix.size());
  what = what.substr(0, std::min(what.find(')'), what.size()));
  const std::size_t colon = what.find(": ");
  if (colon == std::string_view::npos) return {"check", {}, std::string(what)};
  return {"check", std::string(what.substr(0, colon)), std::string(what.substr(colon + 2))};
}

// The finding that decides the verdict: safety before liveness.
const OracleFindings* decisive(const RunRecord& run) {
  const OracleFindings* found = nullptr;
  for (const OracleFindings& each : run.findings) {
    if (each.standing != Standing::failing || each.count == 0) continue;
    const bool better = found == nullptr ||
                        (each.severity == Severity::safety && found->severity != Severity::safety);
    if (better) found = &each;
  }
  return found;
}

}  // namespace

std::string FailureCause::text() const {
  std::string text = found_by;
  if (!site.empty()) text += fmt::format(" ({})", site);
  return message.empty() ? text : text + ": " + message;
}

FailureCause cause_of(const RunRecord& run) {
  if (run.end == RunEnd::died) return {"process", {}, run.what};
  if (run.exit_code == kOverLimit.exit_code) return {"limit", {}, normalised(run.what)};
  if (run.determinism == Determinism::diverged) return {"determinism", {}, {}};
  if (run.exit_code == kCheckFailed.exit_code) return cause_of_check(run.what);
  if (const OracleFindings* found = decisive(run)) {
    return {found->oracle, role_in(found->first_message), normalised(found->first_message)};
  }
  return {std::string(verdict_name(run.exit_code)), {}, normalised(run.what)};
}

std::vector<FailureGroup> failure_groups(const CampaignSum& sum) {
  std::map<FailureCause, FailureGroup> by_cause;
  for (const auto& [key, run] : sum.failures()) {
    const FailureCause cause = cause_of(run);
    FailureGroup& group = by_cause[cause];
    const bool worse = group.runs.empty() || rank_of(run.exit_code) < rank_of(group.exit_code);
    if (worse) group.exit_code = run.exit_code;
    group.cause = cause;
    group.runs.push_back(&run);
  }
  std::vector<FailureGroup> groups;
  for (auto& [cause, group] : by_cause) groups.push_back(std::move(group));
  std::ranges::stable_sort(groups, [](const FailureGroup& one, const FailureGroup& other) {
    const std::size_t rank = rank_of(one.exit_code);
    const std::size_t other_rank = rank_of(other.exit_code);
    if (rank != other_rank) return rank < other_rank;
    if (one.runs.size() != other.runs.size()) return one.runs.size() > other.runs.size();
    const auto key = [](const FailureGroup& group) {
      return std::pair(group.runs.front()->scenario, group.runs.front()->seed);
    };
    return key(one) < key(other);
  });
  return groups;
}

std::vector<const RunRecord*> each_cause_first(const std::vector<FailureGroup>& groups) {
  std::vector<const RunRecord*> runs;
  bool more = true;
  for (std::size_t i = 0; more; ++i) {
    more = false;
    for (const FailureGroup& group : groups) {
      if (i >= group.runs.size()) continue;
      runs.push_back(group.runs[i]);
      more = true;
    }
  }
  return runs;
}

}  // namespace photon::analysis
