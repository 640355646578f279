// The value of tokens: the same lost answers with them and without.

#include <set>

#include "core_impl/trace/registry.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;

namespace {

// The inserts that took effect without an answer to the joiner.
class AnswerWatch final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::operation_applied) {
      const auto& applied = record.as<trace::OperationApplied>();
      const bool insert = applied.operation == trace::RegistryOperation::insert;
      // Every replica applies it, most of them after the answer.
      const bool first = insert && applied.fresh != 0 && applied_.insert(applied.token).second;
      if (first) unanswered_.insert(applied.token);
    } else if (record.header.kind == trace::Kind::registry_answer &&
               record.header.source == trace::Source::delivered) {
      unanswered_.erase(record.as<trace::RegistryAnswer>().token);
    }
  }
  std::uint64_t unanswered() const { return unanswered_.size(); }

 private:
  std::set<photon::Token> applied_, unanswered_;
};

const std::vector<std::string> kShort{"run.duration=90s", "workload.synthetic.clicks=1200"};

}  // namespace

TEST_CASE("D-11 J-L1 G-17 lost answers with tokens: no click is lost") {
  AnswerWatch watch;
  const Ran ran = run("scenarios/lost_answers.toml", 1, kShort, &watch);
  CAPTURE(ran.json);
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(ran.outcome.summary.registry.lost_replies > 20);
  CHECK(lost(ran) == 0);
  CHECK(lost_by(ran, "L-reply") == 0);
}

TEST_CASE("D-11 J-L1 G-17 without tokens: as many clicks are lost as answers after the effect") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    AnswerWatch watch;
    std::vector<std::string> overrides = kShort;
    overrides.emplace_back("joiner.tokens=false");
    const Ran ran = run("scenarios/lost_answers.toml", seed, overrides, &watch);
    CAPTURE(ran.replay, ran.json);
    CHECK(ran.outcome.summary.violations_total == 0);
    CHECK(watch.unanswered() > 20);
    CHECK(lost_by(ran, "L-reply") == watch.unanswered());
    CHECK(lost(ran) == watch.unanswered());
  }
}
