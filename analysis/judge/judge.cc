#include "analysis/judge/judge.h"

#include <utility>

#include "analysis/oracles/b_18_redundancy.h"
#include "analysis/oracles/j_p1_core.h"

namespace photon::analysis {

namespace {

template <class Class>
const Class* one_of(const Oracles& oracles) {
  for (const auto& oracle : oracles) {
    if (const auto* found = dynamic_cast<const Class*>(oracle.get())) return found;
  }
  return nullptr;
}

template <class Subscribers>
void subscribe(Subscribers& to, std::span<const trace::Kind> kinds, Oracle* oracle) {
  for (const trace::Kind kind : kinds) to[static_cast<std::size_t>(kind)].push_back(oracle);
}

}  // namespace

Judge::Judge(JudgeConfig config, TracePlaces places)
    : evidence_(std::move(config), std::move(places)),
      oracles_(make_oracles(evidence_, ledgers_, log_)) {
  core_ = one_of<CoreWorks>(oracles_);
  redundancy_ = one_of<Redundancy>(oracles_);
  const bool counted = this->config().corner_cases || this->config().registry_only();
  if (counted) corner_cases_ = std::make_unique<CornerCases>(evidence_);
  for (const auto& oracle : oracles_) {
    subscribe(before_, oracle->kinds(), oracle.get());
    subscribe(after_, oracle->absorbed_kinds(), oracle.get());
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
  const auto kind = static_cast<std::size_t>(record.header.kind);
  if (kind < kKinds) {
    for (Oracle* oracle : before_[kind]) oracle->on_fact(fact);
  }
  ledgers_.on_fact(fact);
  if (corner_cases_ != nullptr) corner_cases_->on_fact(fact);
  evidence_.absorb(record, fact.event);
  if (kind < kKinds) {
    for (Oracle* oracle : after_[kind]) oracle->on_absorbed(fact);
  }
}

std::uint64_t Judge::unfinished_at_core() const { return core_->unfinished(); }

bool Judge::is_stall_excused() const { return core_->is_excused(); }

std::uint64_t Judge::undecided() const {
  std::uint64_t sum = 0;
  for (const auto& oracle : oracles_) sum += oracle->undecided();
  return sum;
}

std::uint64_t Judge::obligations(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const auto& oracle : oracles_) sum += oracle->name() == name ? oracle->obligations() : 0;
  return sum;
}

void Judge::finish() {
  if (std::exchange(finished_, true)) return;
  const bool healed = evidence_.phase() >= trace::Phase::faults_ended;
  ledgers_.finish();
  for (const auto& oracle : oracles_) {
    oracle->finish(healed ? Liveness::demanded : Liveness::excused);
  }
}

}  // namespace photon::analysis
