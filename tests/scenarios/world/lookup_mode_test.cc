// The three ways in which look-ups are served, in the whole of Photon; the master is cut off.
#include <map>
#include <set>

#include "core_impl/trace/registry.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

using photon::trace::LookupMode;

// Which replicas answered look-ups definitively, by the mode that the answer names.
class Answers final : public photon::trace::Sink {
 public:
  void record(const photon::trace::Record& record) override {
    using namespace photon::trace;
    if (record.header.kind != Kind::registry_answer || record.header.source != Source::sent) return;
    const auto& answer = record.as<RegistryAnswer>();
    if (answer.operation != RegistryOperation::lookup || !is_definitive(answer.code)) return;
    ++count[answer.lookups];
    answerers[answer.lookups].insert(record.header.node);
  }
  std::map<LookupMode, std::uint64_t> count;
  std::map<LookupMode, std::set<photon::NodeId>> answerers;
};

void run_in(LookupMode mode, const std::string& name) {
  Answers answers;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Ran ran = run("tests/mutants/scenarios/cut_master.toml", seed,
                        {"registry.lookup_mode=\"" + name + "\""}, &answers);
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.joined > 250);
  }
  CHECK(answers.count.size() == 1);
  CHECK(answers.count[mode] > 1000);
  // One pipeline in the east, one in the west: two replicas are the nearest to a client.
  if (mode == LookupMode::replica) CHECK(answers.answerers[mode].size() >= 2);
}

}  // namespace

TEST_CASE("B-07 B-14 J-S4 J-S7 look-ups in the queue, outside it, and at the nearest replica") {
  SECTION("queue_ordered") { run_in(LookupMode::queue_ordered, "queue_ordered"); }
  SECTION("bypass") { run_in(LookupMode::bypass, "bypass"); }
  SECTION("replica") { run_in(LookupMode::replica, "replica"); }
}
