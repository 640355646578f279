// What became of each click, with its times: a row for each, for tables of a user's own log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/accounting/accounting.h"

namespace photon::analysis {

struct JoinedPair {
  EventId click{};
  EventId query{};  // in the output; without one that which the click names; null: none
  Fate fate{};
  SimTime generated_at{};
  SimTime registered_at = kNever;   // of the registration that holds at the end; kNever: none
  SimTime written_at = kNever;      // when the pair was durable first
  std::uint32_t writer = kNoIndex;  // the joiner that wrote it; an index of JoinedPairs::writers

  bool operator==(const JoinedPair&) const = default;
};

struct JoinedPairs {
  std::vector<JoinedPair> rows{};      // in order of generation
  std::vector<std::string> writers{};  // names of joiners
};

// Requires the accounts of this evidence.
JoinedPairs joined_pairs(const Evidence& evidence, const Accounting& accounts);

}  // namespace photon::analysis
