#include "analysis/oracles/j_p4_brought_back.h"

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void BroughtBack::finish(Liveness liveness) {
  if (liveness == Liveness::exempt || !config().verified()) return;
  oblige(ledgers_.recovery.recovered());
  for (const Remark& remark : ledgers_.accounting.remarks) {
    if (remark.what != Remark::What::not_brought_back) continue;
    oblige();
    report_at_end(kNoNode, join_.click(remark.click).id, remark.why);
  }
}

}  // namespace photon::analysis
