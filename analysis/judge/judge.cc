#include "analysis/judge/judge.h"

#include <utility>

#include "analysis/oracles/j_p1_core.h"
#include "analysis/oracles/j_p2_commits.h"
#include "analysis/oracles/j_p3_backlog.h"
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

template <class... Oracles>
void make_oracles(const Evidence& evidence, ViolationLog& log,
                  std::vector<std::unique_ptr<Oracle>>& oracles) {
  (oracles.push_back(std::make_unique<Oracles>(evidence, log)), ...);
}

}  // namespace

Judge::Judge(JudgeConfig config) : evidence_(std::move(config)), latency_(evidence_) {
  make_oracles<AtMostOnce, RegisterFirst, OneOwner, Linearizability, StableMapping, Consensus,
               OneMaster, LeaseGrants, GcBoundary, NoEarlyDrop, Tokens, Recovery, Verdicts, Caps,
               NoPrematureAnswer, DispatcherDurability, RightJoin, NothingFromNowhere,
               JustifiedCompletion, EventStoreTruth, CommitsGoOn, BacklogDecreases, RetriesInTime>(
      evidence_, log_, oracles_);
  auto core = std::make_unique<CoreWorks>(evidence_, log_);
  core_ = core.get();
  oracles_.push_back(std::move(core));
  const bool counted = this->config().corner_cases || this->config().registry_only();
  if (counted) corner_cases_ = std::make_unique<CornerCases>(evidence_);
  for (const auto& oracle : oracles_) {
    for (const trace::Kind kind : oracle->kinds()) {
      subscribers_[static_cast<std::size_t>(kind)].push_back(oracle.get());
    }
  }
}

Judge::~Judge() = default;

// The one hash look-up of a record: which event is it about?
std::uint32_t Judge::resolve(const trace::Record& record) {
  using trace::Kind;
  switch (record.header.kind) {
    case Kind::click_generated: {
      const auto& fact = record.as<trace::ClickGenerated>();
      return evidence_.click_index(fact.click);
    }
    case Kind::registry_ask: {
      const auto& ask = record.as<trace::RegistryAsk>();
      const bool sent = record.header.source == trace::Source::sent;
      if (!sent && trace::is_read(ask.operation)) return kNoIndex;  // nobody counts their copies
      return evidence_.click_index(ask.id);
    }
    case Kind::registry_answer:
      return evidence_.click_index(record.as<trace::RegistryAnswer>().id);
    case Kind::operation_applied: {
      const auto& fact = record.as<trace::OperationApplied>();
      const bool about_an_id = fact.operation == trace::RegistryOperation::insert ||
                               fact.operation == trace::RegistryOperation::clear ||
                               fact.operation == trace::RegistryOperation::remove;
      if (!about_an_id) return kNoIndex;
      if (evidence_.consensus().operation(fact) != nullptr) return kNoIndex;  // a repetition
      return evidence_.click_index(fact.id);
    }
    case Kind::join_ask:
      return evidence_.click_index(record.as<trace::JoinAsk>().click);
    case Kind::join_answer:
      return evidence_.click_index(record.as<trace::JoinAnswer>().click);
    case Kind::query_answer: {
      // Only misses of the log tier are evidence for anybody.
      const auto& fact = record.as<trace::QueryAnswer>();
      const bool miss = record.header.source == trace::Source::delivered &&
                        fact.status == trace::QueryStatus::not_found &&
                        fact.tier == trace::QueryTier::logs;
      return miss ? evidence_.query_index(fact.query) : kNoIndex;
    }
    case Kind::adapter_decided:
      return evidence_.click_index(record.as<trace::AdapterDecided>().click);
    case Kind::click_read:
      return evidence_.click_index(record.as<trace::ClickRead>().click);
    case Kind::click_done:
      return evidence_.click_index(record.as<trace::ClickDone>().click);
    case Kind::output_record:
      return evidence_.click_index(record.as<trace::OutputRecord>().click);
    case Kind::click_reinjected:
      return evidence_.click_index(record.as<trace::ClickReinjected>().click);
    case Kind::click_verified:
      return evidence_.click_index(record.as<trace::ClickVerified>().click);
    case Kind::output_lost:
      return evidence_.click_index(record.as<trace::OutputLost>().click);
    case Kind::input_damaged: {
      // Of clicks; what queries there are nobody counts.
      const auto& fact = record.as<trace::InputDamaged>();
      return fact.click != 0 ? evidence_.click_index(fact.event) : kNoIndex;
    }
    case Kind::unjoinable_logged:
      return evidence_.click_index(record.as<trace::UnjoinableLogged>().click);
    case Kind::retry_saved:
      return evidence_.click_index(record.as<trace::RetrySaved>().click);
    case Kind::retry_removed:
      return evidence_.click_index(record.as<trace::RetryRemoved>().click);
    default:
      return kNoIndex;
  }
}

void Judge::record(const trace::Record& record) {
  ++records_;
  const Fact fact{record, resolve(record)};
  count(counters_, evidence_, fact);
  load_.on_fact(fact);
  boundary_watch_.on_fact(fact);
  recovery_.on_fact(fact);
  if (corner_cases_ != nullptr) corner_cases_->on_fact(fact);
  const auto kind = static_cast<std::size_t>(record.header.kind);
  if (kind < kKinds) {
    for (Oracle* oracle : subscribers_[kind]) oracle->look_at(fact);
  }
  if (record.header.kind == trace::Kind::output_record) latency_.on_output(fact);
  evidence_.absorb(record, fact.event);
  redundancy_.on_fact(fact);
}

std::uint64_t Judge::unfinished_at_core() const { return core_->unfinished(); }

bool Judge::is_stall_excused() const { return core_->is_excused(); }

std::uint64_t Judge::undecided() const {
  std::uint64_t sum = 0;
  for (const auto& oracle : oracles_) sum += oracle->undecided();
  return sum;
}

std::uint64_t Judge::demands(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const auto& oracle : oracles_) sum += oracle->name() == name ? oracle->demands() : 0;
  return sum;
}

void Judge::finish() {
  if (std::exchange(finished_, true)) return;
  const Liveness liveness =
      evidence_.phase() >= trace::Phase::faults_ended ? Liveness::demanded : Liveness::excused;
  accounting_ = account(evidence_, liveness, log_);
  analysis::finish(counters_, evidence_);
  load_.finish(liveness == Liveness::demanded);
  boundary_watch_.finish(liveness == Liveness::demanded);
  redundancy_.finish(liveness == Liveness::demanded);
}

}  // namespace photon::analysis
