#include "campaigns/reduce/same_failure.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace photonsim::scenarios::shrink {
namespace {

constexpr std::string_view kCheck = "check";

// The words without digits: times, numbers, ids and names of places differ from run to run.
std::string words_of(std::string_view text) {
  std::string words;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    const auto is_digit = [](char each) { return std::isdigit(static_cast<unsigned char>(each)); };
    if (word.empty() || std::ranges::any_of(word, is_digit)) continue;
    if (!words.empty()) words += ' ';
    words += word;
  }
  return words;
}

// The place and the condition; what follows tells of the one run.
std::string check_of(const FailedCheck& check) {
  return check.text.substr(0, std::min(check.text.find(')'), check.text.size()));
}

FailureKind kind_of(const photon::analysis::Violation& violation) {
  return {violation.oracle, words_of(violation.message)};
}

}  // namespace

std::optional<FailureKind> kind_of(const RunOutcome& outcome) {
  if (outcome.failed_check)
    return FailureKind{std::string(kCheck), check_of(*outcome.failed_check)};
  if (outcome.summary.violations.empty()) return std::nullopt;
  const std::vector<photon::analysis::Violation>& all = outcome.summary.violations;
  const auto safety = std::ranges::find(all, photon::analysis::Severity::safety,
                                        &photon::analysis::Violation::severity);
  if (safety != all.end()) return kind_of(*safety);
  // What is excused fails no run.
  const auto stuck = std::ranges::find_if(
      all, [&](const auto& each) { return !outcome.demands.is_excused(each.oracle); });
  return kind_of(stuck != all.end() ? *stuck : all.front());
}

bool shows(const RunOutcome& outcome, const FailureKind& kind) {
  if (outcome.failed_check) {
    return kind.oracle == kCheck && check_of(*outcome.failed_check) == kind.message;
  }
  return std::ranges::any_of(outcome.summary.violations,
                             [&](const auto& each) { return kind_of(each) == kind; });
}

std::string message_of(const RunOutcome& outcome, const FailureKind& kind) {
  if (outcome.failed_check) return outcome.failed_check->text;
  for (const auto& each : outcome.summary.violations) {
    if (kind_of(each) == kind) return each.message;
  }
  return {};
}

}  // namespace photonsim::scenarios::shrink
