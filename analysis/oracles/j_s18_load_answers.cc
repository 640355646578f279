#include "analysis/oracles/j_s18_load_answers.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/accounting/ledgers.h"

namespace photon::analysis {

void LoadAnswers::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::load_done) return on_done(fact);
  const bool of_a_load = ledgers_.load.asked() > 0;
  if (of_a_load && fact.source() == trace::Source::delivered) on_answer(fact);
}

void LoadAnswers::on_answer(const Fact& fact) {
  if (fact.header().at != reached_at_) reached_.clear();
  reached_at_ = fact.header().at;
  reached_.push_back({fact.header().node, fact.as<trace::RegistryAnswer>()});
}

bool LoadAnswers::has_reached(const Fact& fact) const {
  const auto& done = fact.as<trace::LoadDone>();
  return reached_at_ == fact.header().at && std::ranges::any_of(reached_, [&](const Reached& each) {
           const trace::RegistryAnswer& answer = each.answer;
           return each.node == fact.header().node && answer.id == done.id &&
                  answer.token == done.token && answer.operation == done.operation &&
                  answer.code == done.code;
         });
}

void LoadAnswers::on_done(const Fact& fact) {
  const auto& done = fact.as<trace::LoadDone>();
  oblige();
  if (!ledgers_.load.is_open(fact.header().node, done)) {
    return report(fact, done.id,
                  "a client received the end of an operation that it did not ask for");
  }
  if (trace::is_definitive(done.code) && has_reached(fact)) return;
  report(fact, done.id,
         fmt::format("an operation ended with `{}`, which no reply brought as its end",
                     trace::name_of(done.code)));
}

}  // namespace photon::analysis
