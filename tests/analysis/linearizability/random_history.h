// Random histories of one registry id with known truth: answers come from a real sequential object
// at instants inside each operation, so a history is legal until it is damaged.
#pragma once

#include <cstdint>

#include "analysis/linearizability/history.h"
#include "analysis/linearizability/registry_model.h"

namespace photon::analysis::testing {

struct HistoryShape {
  std::uint32_t operations = 12;
  std::uint32_t clients = 4;     // how many may be concurrent
  std::uint32_t tokens = 3;      // inserts race with this number of tokens
  std::uint32_t indefinite = 2;  // about this number lose their answer
  bool removals = false;         // with remove_if and clear_if
  bool expiry = false;           // the boundary passes the id
};

// Legal by construction.
History<RegistryModel> legal_history(std::uint64_t seed, const HistoryShape& shape);

// Changes one answer, or one interval, at random. Often illegal, not always.
void damage(History<RegistryModel>& history, std::uint64_t seed);

}  // namespace photon::analysis::testing
