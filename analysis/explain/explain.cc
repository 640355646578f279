#include "analysis/explain/explain.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/accounting/accounting.h"
#include "analysis/corner_cases/corner_case.h"
#include "analysis/explain/mark_texts/mark_texts.h"
#include "analysis/explain/verdict_texts.h"
#include "analysis/explain/wrapped.h"
#include "analysis/oracles/oracle_table.h"
#include "core_impl/base/mark.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kColumns = 96;

// Parts of the code, by the first word of their marks.
struct Part {
  std::string_view name;
  std::string_view what;
};
constexpr std::array kParts{
    Part{"cell_log", "logs in a datacenter's shared storage, each with one writer at a time"},
    Part{"dispatcher",
         "the dispatcher: it reads clicks and sends each one to a joiner until it is "
         "finished"},
    Part{"event_store",
         "the EventStore: it finds queries by their ids, in its cache or in the logs"},
    Part{"incarnations",
         "the incarnation registry: it numbers the lives of processes and says which "
         "of them are over"},
    Part{"intake",
         "the common part of dispatchers and verifiers: the source of clicks and the "
         "journal of their progress"},
    Part{"joiner",
         "the joiner: it finds the query of a click, registers the click and writes the "
         "joined record"},
    Part{"leases", "the sharing of work: which worker owns which partition of the clicks"},
    Part{"logs", "the readers of log files: scans, damaged records, copies that grow or shrink"},
    Part{"output_copies", "the copying of joined records to the other datacenters"},
    Part{"paxos", "PaxosDB: elections, leases, votes, logs and snapshots of a replicated group"},
    Part{"registry", "the IdRegistry's server and store: batches, tokens, garbage collection"},
    Part{"registry_client",
         "the client of the IdRegistry: repetition, time-outs, the choice of a "
         "replica"},
    Part{"rpc", "requests between processes: redirection to a master, deadlines"},
    Part{"runtime", "what all processes share: requests to a volume, repeated until answered"},
    Part{"sharding", "the history of the number of shards, and the operator that changes it"},
    Part{"verification",
         "verification and recovery: it brings back clicks that a dead joiner lost"},
};

std::string section(std::string_view title, std::string_view text) {
  constexpr std::string_view kIndent = "  ";
  return fmt::format("\n{}\n{}\n", title, wrapped(text, kColumns - kIndent.size(), kIndent));
}

bool same(std::string_view left, std::string_view right) {
  const auto lower = [](char each) {
    return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
  };
  return std::ranges::equal(left, right, {}, lower, lower);
}

std::string oracle_text(const OracleRow& row) {
  const bool safety = row.severity == Severity::safety;
  return fmt::format("{}: {} (oracle, {})\n", row.name, row.title, safety ? "safety" : "liveness") +
         section("What must hold", row.invariant) +
         section("What a violation shows", row.evidence) +
         section("Where to look first", row.look_first) +
         section("When it is checked",
                 safety ? "During the run, from messages, storage and the environment; a "
                          "violation fails the run with exit code 3."
                        : "Only when no fault disturbs the system any more; a violation fails the "
                          "run with exit code 4.") +
         section("Source", row.source);
}

std::string corner_text(const CornerRow& row) {
  return fmt::format("{}: corner case of the IdRegistry\n", row.name) +
         section("When it counts", row.seen) + section("What a correct system does", row.expected) +
         section(
             "Why it is counted",
             "A case that never occurred has tested nothing. The reports show how often each one "
             "occurred, from the trace alone; no case is a failure by itself.") +
         section("Source", "SPEC B.9, J-H4");
}

std::string fate_text(const FateRow& row, std::string_view kind) {
  return fmt::format("{}: {}\n", row.name, kind) + section("What happened", row.meaning) +
         section("What to do", row.advice) +
         section("Source", "SPEC J.2: each click has one place in the accounts");
}

// The part of the code that the mark belongs to; no section if the first word of its name is none.
std::string part_section(std::string_view mark) {
  const auto* const part = std::ranges::find(kParts, mark.substr(0, mark.find('.')), &Part::name);
  return part == kParts.end()
             ? ""
             : section("Part of the code",
                       fmt::format("A {} of {}.", is_of_limit(mark) ? "comparison" : "branch",
                                   part->what));
}

std::string mark_text(const MarkPlace& place) {
  return fmt::format("{}: coverage mark\n", place.name) +
         section("What happens", sentence_of(place.name)) + part_section(place.name) +
         section("Place", fmt::format("{}, line {}; see the code around it for its condition",
                                      place.file, place.line)) +
         section("Why it is marked",
                 is_of_limit(place.name)
                     ? "A campaign counts the runs that met each side of the comparison, and "
                       "equality: a wrong comparison differs there alone."
                     : "A mark names a rare path of the code. A campaign counts the runs that "
                       "reach it and lists those never reached: a path that no run took is not "
                       "tested.") +
         section("Source", "DESIGN sections 3 and 6, SPEC J-H4");
}

// "BC-05" is the case of both "BC-05 before" and "BC-05 after".
bool is_half_of(std::string_view row, std::string_view name) {
  return row.size() > name.size() && row[name.size()] == ' ' &&
         same(row.substr(0, name.size()), name);
}

std::string corner_texts(std::string_view name) {
  std::string text;
  for (const CornerRow& row : corner_rows()) {
    if (!same(row.name, name) && !is_half_of(row.name, name)) continue;
    text += (text.empty() ? "" : "\n\n") + corner_text(row);
  }
  return text;
}

std::string fate_texts(std::string_view name) {
  for (const FateRow& row : loss_rows()) {
    if (same(row.name, name)) return fate_text(row, "class of lost clicks");
  }
  for (const FateRow& row : never_joinable_rows()) {
    if (same(row.name, name)) return fate_text(row, "reason why a click is never joinable");
  }
  return {};
}

std::string verdict_text(std::string_view name) {
  for (const VerdictRow& row : verdict_rows()) {
    if (!same(row.name, name)) continue;
    return fmt::format("{}: verdict of a report\n", row.name) +
           section("What it says", row.meaning) + section("What to do", row.advice);
  }
  return {};
}

}  // namespace

std::optional<std::string> explain(std::string_view name) {
  for (const OracleRow& row : oracle_rows()) {
    if (same(row.name, name)) return oracle_text(row);
  }
  std::string text = corner_texts(name);
  if (text.empty()) text = fate_texts(name);
  if (text.empty()) text = verdict_text(name);
  if (!text.empty()) return text;
  for (const MarkPlace& place : all_marks()) {
    if (same(place.name, name)) return mark_text(place);
  }
  return std::nullopt;
}

std::vector<std::string> explained_names() {
  std::vector<std::string> names;
  for (const OracleRow& row : oracle_rows()) names.emplace_back(row.name);
  for (const CornerRow& row : corner_rows()) names.emplace_back(row.name);
  for (const FateRow& row : loss_rows()) names.emplace_back(row.name);
  for (const FateRow& row : never_joinable_rows()) names.emplace_back(row.name);
  for (const VerdictRow& row : verdict_rows()) names.emplace_back(row.name);
  for (const MarkPlace& place : all_marks()) names.emplace_back(place.name);
  return names;
}

}  // namespace photon::analysis
