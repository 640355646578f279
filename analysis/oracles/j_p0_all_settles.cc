#include "analysis/oracles/j_p0_all_settles.h"

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void AllSettles::finish(Liveness liveness) {
  if (liveness == Liveness::exempt) return;
  oblige(ledgers_.accounting.generated + ledgers_.load.asked());
  for (const Remark& remark : ledgers_.accounting.remarks) {
    const bool stuck = remark.what == Remark::What::pending || remark.what == Remark::What::lingers;
    if (stuck) report_at_end(kNoNode, join_.click(remark.click).id, remark.why);
  }
  for (const LoadLedger::OpenCall& call : ledgers_.load.open_calls()) {
    report_at_end(
        call.client, call.id,
        fmt::format("an operation asked for at {} has no definitive answer", describe(call.at)));
  }
}

}  // namespace photon::analysis
