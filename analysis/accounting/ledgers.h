// All ledgers of a run: they measure and judge nothing. Oracles and reports read them.
#pragma once

#include <array>

#include "analysis/accounting/accounting.h"
#include "analysis/accounting/counters.h"
#include "analysis/accounting/figure_ledger.h"
#include "analysis/accounting/latency_collector.h"
#include "analysis/accounting/load_ledger.h"
#include "analysis/accounting/recovery_ledger.h"
#include "analysis/accounting/series_ledger.h"
#include "analysis/accounting/undisturbed_shards.h"
#include "analysis/capacity/capacity_ledger.h"
#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

struct Ledgers {
  explicit Ledgers(const Evidence& of)
      : evidence(of),
        counting(counters, of),
        latency(of),
        load(of),
        recovery(of),
        shards(of),
        capacity(of),
        figures(of),
        series(capacity, figures) {}

  // All of them, in the order in which they take a record in: after the oracles have seen it,
  // before the evidence takes it.
  std::array<FactReader*, 8> readers() {
    return {&counting, &load, &shards, &recovery, &capacity, &figures, &series, &latency};
  }
  // After the last record.
  void finish() {
    accounting = account(evidence);
    capacity.finish();
    series.finish(evidence.now());
    figures.finish();
    analysis::finish(counters, evidence);
  }

  const Evidence& evidence;
  Counters counters;
  CounterLedger counting;
  LatencyCollector latency;
  LoadLedger load;
  RecoveryLedger recovery;
  UndisturbedShards shards;
  CapacityLedger capacity;
  FigureLedger figures;
  SeriesLedger series;
  Accounting accounting;  // complete after finish()
};

}  // namespace photon::analysis
