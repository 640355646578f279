// The script of a configuration: every fault and operation with its own time.
#pragma once

#include "scenarios/config/config.h"
#include "scenarios/faults/all_faults.h"

namespace photonsim::scenarios::guided {

// Every list of operations.
template <class Visitor>
void each_operation_list(Config& config, Visitor&& visit) {
  auto& o = config.operations;
  visit(o.reshards), visit(o.kills), visit(o.moves), visit(o.forgets);
}

// When each fault and each operation takes place: faults first, in the order of their tables.
template <class Visitor>
void each_place(Config& config, Visitor&& visit) {
  for (const FaultTable* const table : kAllFaults) {
    const std::size_t entries = table->script.size(config.faults);
    for (std::size_t i = 0; i < entries; ++i) visit(table->script.place(config.faults, i));
  }
  each_operation_list(config, [&](auto& list) {
    for (auto& each : list) visit(PlaceInTime{&each.at, length_of(each)});
  });
}

}  // namespace photonsim::scenarios::guided
