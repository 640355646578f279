// The judge: reads a trace, live or from a file, and says whether the run was right.
//
//   Judge judge(config);            // then every record, in order, through record()
//   judge.finish();                 // once, after the last record
//   judge.violations(), accounting(), latency(), counters()
//
// Cost O(1) per record, one hash look-up for the event id. Memory follows the clicks (some 860
// bytes each, docs/RESULTS.md) and the slots (some 250 bytes each), not the records.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "analysis/accounting/accounting.h"
#include "analysis/accounting/counters.h"
#include "analysis/accounting/latency_collector.h"
#include "analysis/accounting/load_book.h"
#include "analysis/accounting/recovery_book.h"
#include "analysis/corner_cases/corner_cases.h"
#include "analysis/evidence/evidence.h"
#include "analysis/oracles/boundary_watch.h"
#include "analysis/oracles/oracle.h"
#include "analysis/oracles/redundancy_watch.h"
#include "analysis/oracles/violation.h"
#include "analysis/trace_files/judge_config.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

class CoreWorks;

class Judge final : public trace::Sink {
 public:
  explicit Judge(JudgeConfig config);
  ~Judge() override;

  // Takes the next record; `header.at` never decreases.
  void record(const trace::Record& record) override;

  // Ends the trace: classifies every click, demands liveness if the run reached
  // Phase::faults_ended. Idempotent.
  void finish();

  const JudgeConfig& config() const { return evidence_.config(); }
  const ViolationLog& violations() const { return log_; }
  const Evidence& evidence() const { return evidence_; }
  const LatencyCollector& latency() const { return latency_; }
  const Counters& counters() const { return counters_; }
  const LoadBook& load() const { return load_; }
  const BoundaryWatch& boundary_watch() const { return boundary_watch_; }
  const RedundancyWatch& redundancy() const { return redundancy_; }
  const RecoveryBook& recovery() const { return recovery_; }
  // Null unless they are counted: of a registry alone, or with run.corner_cases.
  const CornerCases* corner_cases() const { return corner_cases_.get(); }
  // Ids that some oracle stopped judging (J-S4): a run with any is not clean.
  std::uint64_t undecided() const;
  // How often the oracle of that name demanded something (Oracle::demands).
  std::uint64_t demands(std::string_view name) const;
  const std::vector<std::unique_ptr<Oracle>>& oracles() const { return oracles_; }
  const Accounting& accounting() const { return accounting_; }  // after finish()
  std::uint64_t records() const { return records_; }

  // For the quiescence protocol (J-P0): clicks that somebody still has to do something about
  // (Evidence::open_clicks). Zero means there is nothing left to wait for.
  std::uint64_t open_clicks() const { return evidence_.open_clicks(); }
  // The same for the operations of a registry-only load.
  std::uint64_t open_operations() const { return load_.open(); }
  // Clicks that the core still has to finish (J-P1); and whether it could not, by proof.
  std::uint64_t unfinished_at_core() const;
  bool is_stall_excused() const;

 private:
  static constexpr std::size_t kKinds = 512;

  std::uint32_t resolve(const trace::Record& record);

  ViolationLog log_;
  Evidence evidence_;
  LatencyCollector latency_;
  Counters counters_;
  LoadBook load_{evidence_, log_};
  BoundaryWatch boundary_watch_{evidence_, log_};
  RedundancyWatch redundancy_{evidence_, log_};
  RecoveryBook recovery_{evidence_};
  std::unique_ptr<CornerCases> corner_cases_{};
  Accounting accounting_;
  std::vector<std::unique_ptr<Oracle>> oracles_;
  CoreWorks* core_ = nullptr;  // one of them
  std::array<std::vector<Oracle*>, kKinds> subscribers_;
  std::uint64_t records_ = 0;
  bool finished_ = false;
};

}  // namespace photon::analysis
