// All oracles, by the names that reports, scenarios and results files give them.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/oracles/violation.h"

namespace photon::analysis {

class Evidence;
class Oracle;
struct Ledgers;

using Oracles = std::vector<std::unique_ptr<Oracle>>;

struct OracleRow {
  std::string_view name;  // of SPEC: "J-S1", "B-18"
  Severity severity = Severity::safety;
  // Constructs the classes of this name, one or two, at the end of the list.
  void (*make)(const OracleRow& row, const Evidence& evidence, const Ledgers& ledgers,
               ViolationLog& log, Oracles& oracles);
};

// Safety first.
std::span<const OracleRow> oracle_rows();
// Null if no oracle has that name.
const OracleRow* find_oracle(std::string_view name);

Oracles make_oracles(const Evidence& evidence, const Ledgers& ledgers, ViolationLog& log);

}  // namespace photon::analysis
