#include "campaigns/runs/failure_cause.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "analysis/reports/verdict.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using analysis::RunEnd;

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

// Its words, with one `#` for numbers, ids and names of processes, however many stand in a row.
std::string normalised(std::string_view text) {
  std::string words;
  std::size_t last = std::string::npos;  // where a `#` at the end of `words` begins
  each_word(text, [&](std::string_view word) {
    const std::string next = normalised_word(word);
    const bool varies = next.starts_with('#');
    if (varies && last != std::string::npos) {
      words.resize(last);
    } else if (!words.empty()) {
      words += ' ';
    }
    last = varies ? words.size() : std::string::npos;
    words += next;
  });
  return words;
}

// "joiner" of "us-east1/joiner/0".
std::string_view role_of(std::string_view process) {
  const std::size_t place = process.find('/');
  if (place == std::string_view::npos) return process;
  process.remove_prefix(place + 1);
  return process.substr(0, process.find('/'));
}

// The finding that decides the verdict: safety before liveness.
const analysis::OracleFindings* decisive(const analysis::RunRecord& run) {
  const analysis::OracleFindings* found = nullptr;
  for (const analysis::OracleFindings& each : run.findings) {
    if (each.standing != analysis::Standing::failing || each.count == 0) continue;
    const bool better = found == nullptr || (each.severity == analysis::Severity::safety &&
                                             found->severity != analysis::Severity::safety);
    if (better) found = &each;
  }
  return found;
}

FailureCause cause_of_complete(const analysis::RunRecord& run) {
  if (const analysis::OracleFindings* found = decisive(run)) {
    return cause_of_finding(found->oracle, found->process, found->first_message);
  }
  return {std::string(analysis::verdict_name(run.exit_code)), {}, normalised(run.what)};
}

}  // namespace

std::string FailureCause::text() const {
  std::string text = found_by;
  if (!site.empty()) text += fmt::format(" ({})", site);
  return message.empty() ? text : text + ": " + message;
}

FailureCause cause_of_finding(std::string_view oracle, std::string_view process,
                              std::string_view message) {
  return {std::string(oracle), std::string(role_of(process)), normalised(message)};
}

FailureCause cause_of(const analysis::RunRecord& run) {
  if (run.determinism == analysis::Determinism::diverged) return {"determinism", {}, {}};
  switch (run.end) {
    case RunEnd::complete:
      return cause_of_complete(run);
    case RunEnd::check_failed:
      return {"check", run.check_site, run.check_message};
    case RunEnd::exception:
      return {"exception", {}, normalised(run.what)};
    case RunEnd::over_events:
      return {"limit", {}, "kernel events"};
    case RunEnd::over_memory:
      return {"limit", {}, "memory"};
    case RunEnd::over_time:
      return {"limit", {}, "wall time"};
    case RunEnd::died:
      return {"process", {}, run.what};
  }
  return {};
}

}  // namespace photonsim::campaigns
