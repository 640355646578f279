// Verification and recovery end to end.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/registry.h"
#include "scenarios/deployment/deployment.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

const std::string kRecovery = "scenarios/recovery.toml";
const std::string kBesideSlowOutput = "tests/mutants/scenarios/recovery.toml";

// Until the second save of the incarnation registries, which verifiers' grants share with joiners'.
constexpr std::size_t kCompared = 500;

// The start of a run, without verifiers: later they work in the same cells. And its environment to
// the end: clicks, and the faults that took effect.
class Beginning final : public photon::trace::Sink {
 public:
  std::vector<std::uint64_t> records;
  std::vector<std::uint64_t> environment;
  std::size_t others() const { return others_.size(); }  // processes in some runs only

  void record(const photon::trace::Record& record) override {
    using photon::trace::Kind;
    const photon::NodeId node = record.header.node;
    if (record.header.kind == Kind::process_started) {
      using photonsim::scenarios::Role;
      const auto role = Role(record.as<photon::trace::ProcessStarted>().role);
      if (role == Role::kVerifier || role == Role::kAuditor || role == Role::kMirror) {
        others_.insert(node);
      }
    }
    if (others_.contains(node) || others_.contains(record.header.peer)) return;
    photon::trace::Record said = record;
    said.header.message = 0;  // counts their messages as well
    const std::uint64_t hash = photon::hash_bytes(std::as_bytes(std::span(&said, 1)), 0);
    switch (record.header.kind) {
      case Kind::click_generated:
      case Kind::process_crashed:
      case Kind::outage_began:
        environment.push_back(hash);
        break;
      default:
        break;
    }
    if (records.size() < kCompared) records.push_back(hash);
  }

 private:
  std::set<photon::NodeId> others_;
};

// Which verifiers brought a click back.
class Returns final : public photon::trace::Sink {
 public:
  using Verifier = std::pair<photon::DatacenterId, photon::NodeId>;

  void record(const photon::trace::Record& record) override {
    const bool returned = record.header.kind == photon::trace::Kind::click_reinjected &&
                          record.header.source == photon::trace::Source::durable;
    if (!returned) return;
    const auto& click = record.as<photon::trace::ClickReinjected>().click;
    by_click_[click].insert({record.header.datacenter, record.header.node});
  }
  // Datacenters in which two verifiers brought the same click back.
  std::set<photon::DatacenterId> shared() const {
    std::set<photon::DatacenterId> found;
    for (const auto& [click, verifiers] : by_click_) {
      const auto same = [](const Verifier& a, const Verifier& b) { return a.first == b.first; };
      auto at = verifiers.begin();
      while ((at = std::adjacent_find(at, verifiers.end(), same)) != verifiers.end()) {
        found.insert((at++)->first);
      }
    }
    return found;
  }

 private:
  std::map<photon::EventId, std::set<Verifier>> by_click_;
};

// Inserts that were sent before verification removed their id, and register it anew.
class LateInserts final : public photon::trace::Sink {
 public:
  std::uint64_t for_the_dead = 0;
  std::uint64_t for_the_living = 0;
  std::uint64_t removed_again = 0;  // a copy of the removal arrives behind such an insert

  void record(const photon::trace::Record& record) override {
    using photon::trace::Kind;
    const photon::trace::Header& header = record.header;
    const Life life{header.node.value(), header.incarnation.value()};
    if (header.kind == Kind::process_crashed) {
      ended_.insert(life);
    } else if (header.kind == Kind::registry_ask && header.source == photon::trace::Source::sent) {
      const auto& ask = record.as<photon::trace::RegistryAsk>();
      if (ask.operation != photon::trace::RegistryOperation::insert) return;
      const bool in_time = !removals_.contains(ask.id);
      if (in_time) sent_in_time_.try_emplace(ask.token, life);
    } else if (header.kind == Kind::operation_applied) {
      on_applied(record.as<photon::trace::OperationApplied>());
    }
  }

 private:
  using Life = std::pair<std::uint32_t, std::uint32_t>;  // process, life

  void on_applied(const photon::trace::OperationApplied& applied) {
    using photon::trace::RegistryCode;
    using photon::trace::RegistryOperation;
    const auto place = std::tuple(applied.shard, applied.slot, applied.index);
    if (!applied_.insert(place).second) return;  // by another replica
    const auto removed = removals_.find(applied.id);
    if (applied.operation == RegistryOperation::remove) {
      if (applied.code == RegistryCode::removed) removals_[applied.id] = applied.token;
      const bool copy = removed != removals_.end() && removed->second == applied.token;
      const bool behind = copy && late_.contains(applied.id);
      removed_again += behind && applied.code == RegistryCode::no_match ? 1 : 0;
    } else if (applied.operation == RegistryOperation::insert && applied.fresh == 1) {
      const auto sender = sent_in_time_.find(applied.token);
      if (removed == removals_.end() || sender == sent_in_time_.end()) return;
      late_.insert(applied.id);
      ++(ended_.contains(sender->second) ? for_the_dead : for_the_living);
    }
  }

  std::set<Life> ended_;
  std::set<std::tuple<photon::ShardId, std::uint64_t, std::uint32_t>> applied_;
  std::map<photon::EventId, photon::Token> removals_;  // the latest of each id
  std::map<photon::Token, Life> sent_in_time_;         // before their id was removed
  std::set<photon::EventId> late_;
};

std::uint64_t corner(const Ran& ran, std::string_view name) {
  for (const auto& [each, count] : ran.outcome.summary.corner_cases) {
    if (each == name) return count;
  }
  return 0;
}

// A dispatcher returns to a backlog older than `unregistered_after`: verifiers have brought all of
// it back long before a dispatcher takes it.
Ran run_backlog(const std::string& faults) {
  return run("scenarios/two_day_downtime_scaled.toml", 1,
             {R"(topology.pipelines=["us-east1"])", faults,
              R"(verification={enabled=true,unregistered_after="432s",grace="6s",)"
              R"(recheck_initial="6s",recheck_cap="36s"})"});
}

}  // namespace

TEST_CASE("J-S17 F-02 verifiers and mirrors change no other process's number or random draws") {
  const std::string faults = R"(faults.random=[
    {kind = "process_crash", target = "joiner", mean_interval = "5s", restart_after = "3s"},
    {kind = "process_crash", target = "registry", mean_interval = "10s", restart_after = "3s"}])";
  const auto begin = [&](Beginning& beginning, const std::vector<std::string>& how) {
    std::vector<std::string> settings{faults, "run.duration=2min", "workload.synthetic.clicks=600",
                                      "faults.outage.0.at=1min"};
    settings.insert(settings.end(), how.begin(), how.end());
    run(kRecovery, 3, settings, &beginning);
  };
  Beginning without;
  Beginning with;
  Beginning copying;
  begin(without, {"verification.enabled=false"});
  begin(with, {"verification.verifiers=2"});
  begin(copying, {"verification.enabled=false", "joiner.output_copies=true"});
  CHECK(without.others() == 0);
  CHECK(with.others() == 6);
  CHECK(copying.others() == 2);
  CHECK(without.records.size() == kCompared);
  CHECK(without.environment.size() > 620);
  const auto equal = [](const auto& left, const auto& right) { return left == right; };
  CHECK(equal(with.records, without.records));
  CHECK(equal(with.environment, without.environment));
  CHECK(equal(copying.environment, without.environment));
}

TEST_CASE("F-17 J-P4 G-19 all clicks that killed joiners lose are brought back") {
  const Ran without = run(kRecovery, 1, {"verification.enabled=false", "faults.random=[]"});
  CHECK(without.outcome.summary.generated == without.outcome.summary.joined);
  const Ran ran = run(kRecovery, 1);
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(lost(ran) == 0);
  CHECK(summary.joined == summary.generated);
  CHECK(summary.recovery.recovered > 10);
  CHECK(summary.recovery.removals >= summary.recovery.recovered);
  // D-15: it is charged to the crashes, brought back or not.
  CHECK(summary.joiner_ends.lost == 0);
  CHECK(summary.joiner_ends.returned >= summary.recovery.recovered);
  CHECK(summary.recovery.cleared == summary.joined);  // F-12: no token stays for long
  // Within grace, two scans and a dispatch of the death that lost the click, not hours.
  CHECK(summary.recovery.time.max < 5 * 60);
}

TEST_CASE("F-01 F-18 without verification the same crashes lose clicks, and L-crash has them all") {
  const Ran ran = run(kRecovery, 1, {"verification.enabled=false", R"(faults.random=[
    {kind = "process_crash", target = "joiner", mean_interval = "5s", restart_after = "3s"}])"});
  require_clean(ran);
  CHECK(lost_by(ran, "L-crash") > 5);
  CHECK(lost(ran) == lost_by(ran, "L-crash"));
  CHECK(ran.outcome.summary.recovery.enabled == false);
}

TEST_CASE("F-14 J-P4 J.2 beside storage that loses output, what is provable is brought back") {
  const std::string losses = R"(faults.output_loss=[{datacenter="us-east1",at="3min",records=200},
    {datacenter="us-west1",at="5min",records=200}])";
  const Ran ran = run(kRecovery, 1, {losses});
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(lost_by(ran, "L-storage") == 400);
  CHECK(lost_by(ran, "L-indeterminate") > 0);
  CHECK(lost(ran) == 400 + lost_by(ran, "L-indeterminate"));
  CHECK(summary.recovery.indeterminate >= lost_by(ran, "L-indeterminate"));
  // Nearly every life has lost records, and still most of its lost clicks are brought back.
  CHECK(summary.recovery.recovered > 2 * lost_by(ran, "L-indeterminate"));
}

TEST_CASE(
    "F-04 F-07 M-37 slow joiners keep their clicks, also while the registry of lives is silent") {
  const Ran ran = run("scenarios/partitioned_joiner.toml", 2);
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(summary.recovery.removals == 0);
  CHECK(summary.joined == summary.generated);
  // Some were held long after they came of age; a verifier that takes silence for death
  // removes 15 ids.
  const auto output =
      std::ranges::find(summary.stages, "output", [](const auto& stage) { return stage.first; });
  REQUIRE(output != summary.stages.end());
  CHECK(output->second.max > 30);
}

TEST_CASE("F-09 M-38 two verifiers in each pipeline bring back the same clicks, and no others") {
  Returns returns;
  const Ran ran =
      run("scenarios/two_verifiers.toml", 1, {"run.duration=4min", "faults.outage=[]"}, &returns);
  require_clean(ran);
  const auto& recovery = ran.outcome.summary.recovery;
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(recovery.recovered > 5);
  CHECK(returns.shared().size() == 2);  // in each pipeline both did so with the same click
}

TEST_CASE("F-04 F-06 F-08 F-09 F-13 recovery beside slow output, whichever part of it dies") {
  std::uint64_t recovered = 0;
  std::uint64_t repeated = 0;
  const std::uint64_t seeds = photon::testing::effort(8);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Ran ran = run(kBesideSlowOutput, seed);
    require_clean(ran);
    const auto& summary = ran.outcome.summary;
    CHECK(summary.joined == summary.generated);
    recovered += summary.recovery.recovered;
    CHECK(summary.recovery.returned >= summary.recovery.removals);
    repeated += summary.recovery.returned - summary.recovery.removals;
  }
  CHECK(recovered > 20 * seeds);
  CHECK(repeated > 0);  // two verifiers, and lives that repeat what an earlier one had intended
}

TEST_CASE("F-04 BC-12 J-S11 late inserts, of dead and of living joiners, lose no click for good") {
  LateInserts late;
  std::uint64_t corners = 0;
  std::uint64_t from_the_living = 0;  // removals from owners that had not lost the id in a crash
  const auto shown = [&] {
    return corners > 0 && late.for_the_dead > 0 && late.for_the_living > 0 &&
           late.removed_again > 0;
  };
  // 40 seeds have 14 such inserts for the living, and 42 second removals behind one.
  for (std::uint64_t seed = 1; photon::testing::another_seed(seed, 20, shown()); ++seed) {
    LateInserts seen;
    const Ran ran = run("tests/mutants/scenarios/late_inserts.toml", seed, {}, &seen);
    require_clean(ran);
    const auto& summary = ran.outcome.summary;
    CHECK(summary.joined == summary.generated);
    corners += corner(ran, "BC-12");
    REQUIRE(summary.recovery.removals >= summary.recovery.recovered);
    from_the_living += summary.recovery.removals - summary.recovery.recovered;
    late.for_the_dead += seen.for_the_dead;
    late.for_the_living += seen.for_the_living;
    late.removed_again += seen.removed_again;
  }
  CAPTURE(corners, late.for_the_dead, late.for_the_living, late.removed_again);
  CHECK(shown());
  CHECK(from_the_living > 0);
}

TEST_CASE("F-01 F-08 J-P4 clicks brought back unregistered, then lost with a joiner, return too") {
  const Ran ran = run_backlog(R"(faults.random=[{kind="process_crash",target="joiner",)"
                              R"(mean_interval="3s",restart_after="1s",from="1900s"}])");
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(summary.joined == summary.generated);
  CHECK(summary.recovery.recovered > 10);
  CHECK(summary.recovery.returned > 1000);  // they were unregistered for long
  CHECK(summary.recovery.discarded == 0);   // and all of them are joined
}

TEST_CASE("C-31 J-P3 a backlog that was also brought back does not delay itself") {
  const Ran ran = run_backlog("faults.random=[]");
  require_clean(ran);
  CHECK(ran.outcome.summary.recovery.returned > 900);
}
