// The registry alone under its own load: the report of a run, and that its work is real.
#include <map>
#include <set>
#include <utility>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/registry.h"
#include "scenarios/deployment/deployment.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

namespace trace = photon::trace;

const std::string kBase = "scenarios/registry/base.toml";

class Census final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::process_started) {
      ++roles[static_cast<photonsim::scenarios::Role>(record.as<trace::ProcessStarted>().role)];
    } else if (record.header.kind == trace::Kind::load_asked) {
      const auto& asked = record.as<trace::LoadAsked>();
      places.insert(record.header.datacenter.value());
      if (!asked.token.is_empty()) ++tokens[asked.token];
    }
  }
  std::map<photonsim::scenarios::Role, std::size_t> roles{};
  std::map<photon::Token, std::size_t> tokens{};
  std::set<std::uint32_t> places{};
};

// Inserts whose token differs in the life alone from one that the same client used for the same id.
class TokenTwins final : public trace::Sink {
 public:
  std::size_t asked = 0;
  std::map<trace::RegistryCode, std::size_t> answers{};
  std::size_t looked_after = 0;

  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::load_done) return on_done(record.as<trace::LoadDone>());
    if (record.header.kind != trace::Kind::load_asked) return;
    const auto& load = record.as<trace::LoadAsked>();
    if (load.operation == trace::RegistryOperation::insert) {
      photon::Token other = load.token;
      --other.incarnation;
      if (inserted_.contains({load.id, other})) {
        ++asked;
        twins_.insert({load.id, load.token});
      }
      inserted_.insert({load.id, load.token});
    } else if (twins_.contains({load.id, load.token})) {
      ++looked_after;
    }
  }

 private:
  using Key = std::pair<photon::EventId, photon::Token>;
  void on_done(const trace::LoadDone& done) {
    const bool insert = done.operation == trace::RegistryOperation::insert;
    if (insert && twins_.contains({done.id, done.token})) ++answers[done.code];
  }
  std::set<Key> inserted_;
  std::set<Key> twins_;
};

}  // namespace

TEST_CASE("B-40 a client's new life repeats tokens of the life before but for the life") {
  TokenTwins twins;
  const Ran ran =
      run(kBase, 7,
          {"faults.crash=[{process=\"us-east1/client/0\",at=\"10s\",restart_after=\"1s\"},"
           "{process=\"us-west1/client/1\",at=\"15s\",restart_after=\"1s\"}]"},
          &twins);
  require_clean(ran);
  CHECK(twins.asked >= 4);
  CHECK(twins.answers.size() == 1);
  CHECK(twins.answers[trace::RegistryCode::already_exists] == twins.asked);
  CHECK(twins.looked_after > 0);
}

TEST_CASE("a registry load runs without pipelines and every operation is answered") {
  using photonsim::scenarios::Role;
  Census census;
  const Ran ran = run(kBase, 7, {"registry.shards=2", "workload.registry.repeated=0.2"}, &census);
  INFO(ran.json);
  const auto& load = ran.outcome.summary.load;
  CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
  CHECK(load.operations > 800);
  CHECK(load.answered == load.operations);
  CHECK(load.insert_latency.count + load.lookup_latency.count == load.answered);
  CHECK(load.insert_latency.mean > ran.outcome.summary.registry.commit_latency.mean);
  CHECK(ran.outcome.summary.registry.mean_batch > 1);
  CHECK(census.roles[Role::kRegistry] == 10);
  CHECK(census.roles[Role::kClient] == 4);
  CHECK(census.roles.count(Role::kJoiner) + census.roles.count(Role::kDispatcher) == 0);
  CHECK(census.places.size() == 2);
  std::size_t repeated = 0;
  for (const auto& [token, times] : census.tokens) repeated += times > 1 ? 1 : 0;
  CHECK(repeated > census.tokens.size() / 10);
}

TEST_CASE("J-S17 a registry load is reproducible, and differs with another seed") {
  const Ran one = run(kBase, 3, {"network.loss=2%"});
  CHECK(one.json == run(kBase, 3, {"network.loss=2%"}).json);
  CHECK(one.json != run(kBase, 4, {"network.loss=2%"}).json);
}

TEST_CASE("J-P0 a registry load finishes although its clients crash and datacenters are cut off") {
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(10); ++seed) {
    const Ran ran = run("scenarios/registry/campaign_five.toml", seed);
    INFO("replay: " << ran.replay);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    const auto& load = ran.outcome.summary.load;
    CHECK(load.answered + load.abandoned == load.operations);
    CHECK(load.answered > 200);
  }
}

TEST_CASE("J-P0 a majority that never returns leaves operations without an answer") {
  const Ran ran = run(kBase, 1,
                      {"registry.shards=1", "scenario.tier=contract",
                       "scenario.breaks=majority_lost", "scenario.detected_by=J-P0",
                       "faults.crash=[{process=\"registry/0@us-east1\",at=\"3s\",lose_disk=true},"
                       "{process=\"registry/0@us-east4\",at=\"3s\",lose_disk=true},"
                       "{process=\"registry/0@us-west1\",at=\"3s\",lose_disk=true}]"});
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations > 100);
}
