// All ledgers of a run: they measure and judge nothing. Oracles and reports read them.
#pragma once

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
#include "analysis/evidence/fact.h"

namespace photon::analysis {

struct Ledgers {
  explicit Ledgers(const Evidence& of)
      : evidence(of),
        latency(of),
        load(of),
        recovery(of),
        shards(of),
        capacity(of),
        figures(of),
        series(capacity, figures) {}

  // Takes one record in: after the oracles have seen it, before the evidence takes it.
  void on_fact(const Fact& fact) {
    count(counters, evidence, fact);
    load.on_fact(fact);
    shards.on_fact(fact);
    recovery.on_fact(fact);
    capacity.on_fact(fact);
    figures.on_fact(fact);
    series.on_fact(fact);
    if (fact.header().kind == trace::Kind::output_record) latency.on_output(fact);
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
