#include "campaigns/reduce/same_failure.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace photonsim::scenarios::shrink {
namespace {

constexpr std::string_view kCheck = "check";
constexpr std::string_view kProcess = "process";

// The words without digits: times, numbers, ids and place names vary between runs.
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

// The place and the condition; what follows varies between runs.
std::string check_of(const FailedCheck& check) {
  return check.text.substr(0, std::min(check.text.find(')'), check.text.size()));
}

FailureKind kind_of(const photon::analysis::Violation& violation) {
  return {violation.oracle, words_of(violation.message)};
}

}  // namespace

std::vector<FoundFailure> failures_of(const RunOutcome& outcome) {
  if (outcome.failed_check) {
    return {{{std::string(kCheck), check_of(*outcome.failed_check)}, outcome.failed_check->text}};
  }
  std::vector<FoundFailure> failures;
  const std::vector<photon::analysis::Violation>& all = outcome.summary.violations;
  for (const auto& each : all) failures.push_back({kind_of(each), each.message});
  if (failures.empty()) return failures;
  auto first = std::ranges::find(all, photon::analysis::Severity::safety,
                                 &photon::analysis::Violation::severity);
  if (first == all.end()) {  // exempt findings do not fail a run
    first = std::ranges::find_if(
        all, [&](const auto& each) { return !outcome.expectations.is_exempt(each.oracle); });
  }
  if (first == all.end()) first = all.begin();
  std::rotate(failures.begin(), failures.begin() + (first - all.begin()),
              failures.begin() + (first - all.begin()) + 1);
  return failures;
}

FoundFailure failure_of_process(const std::string& why) {
  return {{std::string(kProcess), why}, why};
}

const FoundFailure* find(const std::vector<FoundFailure>& failures, const FailureKind& kind) {
  const auto found = std::ranges::find(failures, kind, &FoundFailure::kind);
  return found == failures.end() ? nullptr : &*found;
}

}  // namespace photonsim::scenarios::shrink
