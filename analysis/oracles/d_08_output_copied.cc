#include "analysis/oracles/d_08_output_copied.h"

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void OutputCopied::finish(Liveness liveness) {
  if (liveness == Liveness::exempt || !config().output_copies) return;
  oblige(ledgers_.accounting.joined);
  for (const Remark& remark : ledgers_.accounting.remarks) {
    if (remark.what != Remark::What::not_copied) continue;
    report_at_end(kNoNode, join_.click(remark.click).id, remark.why);
  }
}

}  // namespace photon::analysis
