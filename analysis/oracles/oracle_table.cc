#include "analysis/oracles/oracle_table.h"

#include <algorithm>

#include "analysis/oracles/b_18_redundancy.h"
#include "analysis/oracles/b_68_boundary_moves.h"
#include "analysis/oracles/d_08_output_copied.h"
#include "analysis/oracles/j_2_accounts.h"
#include "analysis/oracles/j_p0_all_settles.h"
#include "analysis/oracles/j_p1_core.h"
#include "analysis/oracles/j_p2_commits.h"
#include "analysis/oracles/j_p3_backlog.h"
#include "analysis/oracles/j_p4_brought_back.h"
#include "analysis/oracles/j_p5_garbage_goes.h"
#include "analysis/oracles/j_p6_retries.h"
#include "analysis/oracles/j_s10_tokens.h"
#include "analysis/oracles/j_s11_recovery.h"
#include "analysis/oracles/j_s11_verdicts.h"
#include "analysis/oracles/j_s12_caps.h"
#include "analysis/oracles/j_s13_no_premature_answer.h"
#include "analysis/oracles/j_s14_dispatcher_durability.h"
#include "analysis/oracles/j_s15_right_join.h"
#include "analysis/oracles/j_s16_nothing_from_nowhere.h"
#include "analysis/oracles/j_s18_justified_completion.h"
#include "analysis/oracles/j_s18_load_answers.h"
#include "analysis/oracles/j_s19_event_store.h"
#include "analysis/oracles/j_s1_at_most_once.h"
#include "analysis/oracles/j_s2_register_first.h"
#include "analysis/oracles/j_s3_one_owner.h"
#include "analysis/oracles/j_s4_linearizable.h"
#include "analysis/oracles/j_s5_stable_mapping.h"
#include "analysis/oracles/j_s6_consensus.h"
#include "analysis/oracles/j_s7_lease_grants.h"
#include "analysis/oracles/j_s7_one_master.h"
#include "analysis/oracles/j_s8_gc_boundary.h"
#include "analysis/oracles/j_s9_no_early_drop.h"

namespace photon::analysis {
namespace {

template <class... Classes>
void make(const OracleRow& row, const Evidence& evidence, const Ledgers& ledgers, ViolationLog& log,
          Oracles& oracles) {
  const OracleInput input{row.name, row.severity, evidence, ledgers, log};
  (oracles.push_back(std::make_unique<Classes>(input)), ...);
}

constexpr OracleRow kRows[] = {
    {"J-S1", Severity::safety, make<AtMostOnce>},
    {"J-S2", Severity::safety, make<RegisterFirst>},
    {"J-S3", Severity::safety, make<OneOwner>},
    {"J-S4", Severity::safety, make<Linearizability>},
    {"J-S5", Severity::safety, make<StableMapping>},
    {"J-S6", Severity::safety, make<Consensus>},
    {"J-S7", Severity::safety, make<OneMaster, LeaseGrants>},
    {"J-S8", Severity::safety, make<GcBoundary>},
    {"J-S9", Severity::safety, make<NoEarlyDrop>},
    {"J-S10", Severity::safety, make<Tokens>},
    {"J-S11", Severity::safety, make<Recovery, Verdicts>},
    {"J-S12", Severity::safety, make<Caps>},
    {"J-S13", Severity::safety, make<NoPrematureAnswer>},
    {"J-S14", Severity::safety, make<DispatcherDurability>},
    {"J-S15", Severity::safety, make<RightJoin>},
    {"J-S16", Severity::safety, make<NothingFromNowhere>},
    {"J-S18", Severity::safety, make<JustifiedCompletion, LoadAnswers>},
    {"J-S19", Severity::safety, make<EventStoreTruth>},
    {"J.2", Severity::safety, make<Accounts>},
    {"J-P0", Severity::liveness, make<AllSettles>},
    {"J-P1", Severity::liveness, make<CoreWorks>},
    {"J-P2", Severity::liveness, make<CommitsGoOn>},
    {"J-P3", Severity::liveness, make<BacklogDecreases>},
    {"J-P4", Severity::liveness, make<BroughtBack>},
    {"J-P5", Severity::liveness, make<GarbageGoes>},
    {"J-P6", Severity::liveness, make<RetriesInTime>},
    {"B-18", Severity::liveness, make<Redundancy>},
    {"B-68", Severity::liveness, make<BoundaryMoves>},
    {"D-08", Severity::liveness, make<OutputCopied>},
};

}  // namespace

std::span<const OracleRow> oracle_rows() { return kRows; }

const OracleRow* find_oracle(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &OracleRow::name);
  return found == std::end(kRows) ? nullptr : found;
}

Oracles make_oracles(const Evidence& evidence, const Ledgers& ledgers, ViolationLog& log) {
  Oracles oracles;
  for (const OracleRow& row : kRows) row.make(row, evidence, ledgers, log, oracles);
  return oracles;
}

}  // namespace photon::analysis
