#include "analysis/judge/judge.h"

#include <algorithm>
#include <utility>

#include "analysis/oracles/b_18_redundancy.h"
#include "analysis/oracles/j_p1_core.h"
#include "core_impl/trace/subject.h"

namespace photon::analysis {

namespace {

template <class Class>
const Class* one_of(const Oracles& oracles) {
  for (const auto& oracle : oracles) {
    if (const auto* found = dynamic_cast<const Class*>(oracle.get())) return found;
  }
  return nullptr;
}

}  // namespace

Judge::Judge(JudgeConfig config, TracePlaces places)
    : evidence_(std::move(config), std::move(places)),
      oracles_(make_oracles(evidence_, ledgers_, log_)) {
  core_ = one_of<CoreWorks>(oracles_);
  redundancy_ = one_of<Redundancy>(oracles_);
  const bool counted = this->config().corner_cases || this->config().registry_only();
  if (counted) corner_cases_ = std::make_unique<CornerCases>(evidence_);
  std::vector<Subscriptions<FactReader>::Subscriber> before;
  std::vector<Subscriptions<Oracle>::Subscriber> after;
  for (const auto& oracle : oracles_) {
    before.push_back({oracle.get(), oracle->kinds()});
    after.push_back({oracle.get(), oracle->absorbed_kinds()});
  }
  for (FactReader* const ledger : ledgers_.readers()) before.push_back({ledger, ledger->kinds()});
  if (counted) before.push_back({corner_cases_.get(), corner_cases_->kinds()});
  before_ = Subscriptions<FactReader>(before);
  after_ = Subscriptions<Oracle>(after);
}

Judge::~Judge() = default;

// The one hash look-up of a record: which event is it about? Repetitions of other replicas are
// about none.
std::uint32_t Judge::resolve(const trace::Record& record) {
  const trace::Subject subject = trace::subject_of(record);
  if (subject.of == trace::Subject::Of::nothing) return kNoIndex;
  if (subject.of == trace::Subject::Of::query) return evidence_.query_index(subject.id);
  return repeats(record) ? kNoIndex : evidence_.click_index(subject.id);
}

bool Judge::repeats(const trace::Record& record) const {
  if (record.header.kind != trace::Kind::operation_applied) return false;
  const auto& applied = record.as<trace::OperationApplied>();
  return evidence_.registry().consensus().operation(applied) != nullptr;
}

void Judge::record(const trace::Record& record) {
  ++records_;
  const Fact fact{record, resolve(record), std::exchange(moment_, SimTime::max())};
  if (record.header.kind == trace::Kind::recalled) moment_ = record.as<trace::Recalled>().moment;
  for (FactReader* const reader : before_.of(fact)) reader->on_fact(fact);
  evidence_.absorb(record, fact.event);
  for (Oracle* const oracle : after_.of(fact)) oracle->on_absorbed(fact);
}

std::uint64_t Judge::unfinished_at_core() const { return core_->unfinished(); }

bool Judge::is_stall_exempt() const { return core_->is_exempt(); }

UndecidedIds Judge::undecided() const {
  UndecidedIds sum;
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
    oracle->finish(healed ? Liveness::checked : Liveness::exempt);
  }
}

}  // namespace photon::analysis
