// The script of a configuration: every fault and operation with its own time.
#pragma once

#include "scenarios/language/config.h"

namespace photonsim::scenarios::guided {

// Visits every list of a script whose elements may be added, moved and removed.
template <class Script, class Visitor>
void each_list(Script& config, Visitor&& visit) {
  auto& f = config.faults;
  visit(f.outages), visit(f.crashes), visit(f.pauses), visit(f.partitions), visit(f.links);
  visit(f.slow), visit(f.disks), visit(f.log_damages), visit(f.log_stalls);
  visit(f.log_truncations), visit(f.output_losses), visit(f.truetime_outages), visit(f.clocks);
  visit(f.cache_losses), visit(f.late_configurations);
  auto& o = config.operations;
  visit(o.reshards), visit(o.kills), visit(o.moves), visit(o.forgets);
}

}  // namespace photonsim::scenarios::guided
