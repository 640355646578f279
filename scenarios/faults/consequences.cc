#include "scenarios/faults/consequences.h"

#include "scenarios/faults/all_faults.h"

namespace photonsim::scenarios {

Consequences consequences_of(const Config& config) {
  Consequences all;
  for (const FaultTable* const table : kAllFaults) {
    if (table->consequences != nullptr) table->consequences(config.faults, all);
  }
  return all;
}

}  // namespace photonsim::scenarios
