// All oracles, by the names that reports, scenarios and results files give them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/oracles/violation.h"

namespace photon::analysis {

class Evidence;
class Oracle;
struct Ledgers;

using Oracles = std::vector<std::unique_ptr<Oracle>>;

// The sentences are for readers that know neither SPEC nor the code: `photonsim explain NAME`
// prints all of them, and reports print `rule_text` under a violation.
struct OracleRow {
  std::string_view name;   // of SPEC: "J-S1", "B-18"
  std::string_view title;  // a few words
  Severity severity = Severity::safety;
  std::string_view invariant;   // what must hold, in two sentences
  std::string_view source;      // SPEC, sections of the papers
  std::string_view evidence;    // the evidence in the message of a violation
  std::string_view look_first;  // where the cause usually lies
  // Constructs the classes of this name, at least one, at the end of the list.
  void (*make)(const OracleRow& row, const Evidence& evidence, const Ledgers& ledgers,
               ViolationLog& log, Oracles& oracles);
  // It has something to check in at least one of this number of generated configurations, measured.
  std::uint64_t shown_in_one_of = 50;
};

// Safety first.
std::span<const OracleRow> oracle_rows();
// Null if no oracle has that name.
const OracleRow* find_oracle(std::string_view name);

// "The rule: ... Look first at: ..."; empty if no oracle has that name. Printed under a violation.
std::string rule_text(std::string_view oracle);

Oracles make_oracles(const Evidence& evidence, const Ledgers& ledgers, ViolationLog& log);

}  // namespace photon::analysis
