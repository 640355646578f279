// The judge: reads a trace, live or from a file, and decides whether the run was correct.
//
//   Judge judge(config);            // then every record, in order, through record()
//   judge.finish();                 // once, after the last record
//   judge.violations(), accounting(), latency(), counters()
//
// Cost O(1) per record, one hash look-up for the event id, and no call of a reader that ignores the
// record (subscriptions.h). Memory follows the clicks (docs/RESULTS.md) and the slots (some 250
// bytes each), not the records. What is known of a click that no record names any more is packed
// (evidence/packed_table.h): nothing of it is lost, and a late record about it is judged the same.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "analysis/accounting/ledgers.h"
#include "analysis/corner_cases/corner_cases.h"
#include "analysis/evidence/evidence.h"
#include "analysis/judge/subscriptions.h"
#include "analysis/oracles/oracle.h"
#include "analysis/oracles/oracle_table.h"
#include "analysis/oracles/violation.h"
#include "analysis/trace_files/judge_config.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

class CoreWorks;
class Redundancy;

class Judge final : public trace::Sink {
 public:
  // `places`: names of processes for messages, if they are known.
  explicit Judge(JudgeConfig config, TracePlaces places = {});
  ~Judge() override;

  // Takes the next record; `header.at` never decreases.
  void record(const trace::Record& record) override;

  // Ends the trace: completes the ledgers, then each oracle; liveness is checked if the run reached
  // Phase::faults_ended. Idempotent.
  void finish();

  const JudgeConfig& config() const { return evidence_.config(); }
  const ViolationLog& violations() const { return log_; }
  const Evidence& evidence() const { return evidence_; }
  const LatencyCollector& latency() const { return ledgers_.latency; }
  const Counters& counters() const { return ledgers_.counters; }
  const LoadLedger& load() const { return ledgers_.load; }
  const CapacityLedger& capacity() const { return ledgers_.capacity; }
  const SeriesLedger& series() const { return ledgers_.series; }
  const FigureLedger& figures() const { return ledgers_.figures; }
  const RecoveryLedger& recovery() const { return ledgers_.recovery; }
  // Null unless they are counted: of a registry alone, or with run.corner_cases.
  const CornerCases* corner_cases() const { return corner_cases_.get(); }
  // Ids that some oracle stopped judging (J-S4): a run with any is not clean.
  UndecidedIds undecided() const;
  // How often the oracle of that name had something to check (Oracle::obligations).
  std::uint64_t obligations(std::string_view name) const;
  const Oracles& oracles() const { return oracles_; }
  const Accounting& accounting() const { return ledgers_.accounting; }  // after finish()
  std::uint64_t records() const { return records_; }

  // For the quiescence protocol (J-P0): clicks that still need work of some process
  // (Evidence::open_clicks). Zero means that the run is quiescent.
  std::uint64_t open_clicks() const { return evidence_.join().open_clicks(); }
  // The same for the operations of a registry-only load.
  std::uint64_t open_operations() const { return ledgers_.load.open(); }
  // Clicks that the core still has to finish (J-P1); and whether it could not, by proof.
  std::uint64_t unfinished_at_core() const;
  bool is_stall_exempt() const;
  // Replicas that have not caught up yet, and how long they may take (B-18).
  const Redundancy& redundancy() const { return *redundancy_; }

 private:
  std::uint32_t resolve(const trace::Record& record);
  bool repeats(const trace::Record& record) const;

  ViolationLog log_;
  Evidence evidence_;
  Ledgers ledgers_{evidence_};
  std::unique_ptr<CornerCases> corner_cases_{};
  Oracles oracles_;
  const CoreWorks* core_ = nullptr;         // one of them
  const Redundancy* redundancy_ = nullptr;  // another
  Subscriptions<FactReader> before_;        // oracles, ledgers, corner cases: FactReader::kinds
  Subscriptions<Oracle> after_;             // Oracle::absorbed_kinds
  SimTime moment_ = SimTime::max();         // of the next record, if that is recalled
  std::uint64_t records_ = 0;
  bool finished_ = false;
};

}  // namespace photon::analysis
