// The work of verification and recovery, beside a second computation from the raw trace.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core_impl/trace/pipeline.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/recount/recounts.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

namespace trace = photon::trace;

// The first death of an owner of the click that had it in its window, before that place; the click
// was removed from some owner by then.
Place first_death(const Replayed& facts, const Id& click, Place before) {
  const auto list = facts.owners.find(click);
  if (list == facts.owners.end()) return kNowhere;
  Place died = kNowhere;
  bool removed = false;
  for (const Owned& owned : list->second) {
    if (owned.from >= before) continue;
    removed = removed || owned.until < before;
    const Try* attempt = facts.find(click, owned.token);
    if (attempt == nullptr) continue;
    const Place death = facts.death(attempt->life, attempt->asked.front());
    const bool in_window = attempt->durable > death && attempt->refused() > death;
    if (death < before && in_window) died = std::min(died, death);
  }
  return removed ? died : kNowhere;
}

// Clicks with that verdict of some verifier.
double verdicts(const Trace& run, trace::Verified verdict) {
  std::set<Id> clicks;
  for (const trace::Record& record : run.records) {
    if (record.header.kind != trace::Kind::click_verified) continue;
    const auto& verified = record.as<trace::ClickVerified>();
    if (verified.verdict == verdict) clicks.insert(key(verified.click));
  }
  return static_cast<double>(clicks.size());
}

// Clicks that never came into an output, and that a verifier reported indeterminate while they had
// the owner that they have in the end.
double lost_indeterminate(const Trace& run) {
  std::set<Id> clicks;
  for (Place place = 0; place < run.records.size(); ++place) {
    const trace::Record& record = run.records[place];
    if (record.header.kind != trace::Kind::click_verified) continue;
    const auto& verified = record.as<trace::ClickVerified>();
    if (verified.verdict != trace::Verified::indeterminate) continue;
    const Id click = key(verified.click);
    const Owned* owner = run.facts.owner(click);
    const bool same = owner != nullptr && owner == run.facts.owner(click, place);
    if (same && run.facts.joins(click).empty()) clicks.insert(click);
  }
  return static_cast<double>(clicks.size());
}

// Clicks that a verifier reported unregistered when they were in no output, and that came into none
// since.
double discarded(const Trace& run) {
  std::map<Id, Place> reported;
  for (Place place = 0; place < run.records.size(); ++place) {
    const trace::Record& record = run.records[place];
    if (record.header.kind != trace::Kind::click_verified) continue;
    const auto& verified = record.as<trace::ClickVerified>();
    if (verified.verdict != trace::Verified::unregistered) continue;
    if (!run.facts.joined(key(verified.click), place)) reported[key(verified.click)] = place;
  }
  double count = 0;
  for (const auto& [click, place] : reported) {
    const auto joins = run.facts.joins(click);
    count += joins.empty() || joins.back() < place ? 1 : 0;
  }
  return count;
}

}  // namespace

std::vector<double> recovery_times_again(const Trace& run) {
  std::vector<double> times;
  for (const auto& [click, outputs] : run.facts.outputs) {
    for (const Place join : run.facts.joins(click)) {
      const Place died = first_death(run.facts, click, join);
      if (died == kNowhere) continue;
      times.push_back(seconds(run.records[join].header.at) - seconds(run.records[died].header.at));
    }
  }
  return times;
}

Figures recovery_again(const Trace& run) {
  double returned = 0;
  for (const trace::Record& record : run.records) {
    const bool back = record.header.kind == trace::Kind::click_reinjected;
    returned += back && record.header.source == trace::Source::durable ? 1 : 0;
  }
  return {
      {"recovery.tokens_cleared", static_cast<double>(run.facts.clears)},
      {"recovery.ids_removed", static_cast<double>(run.facts.removals)},
      {"recovery.clicks_returned", returned},
      {"recovery.clicks_recovered", static_cast<double>(recovery_times_again(run).size())},
      {"recovery.output_lost", verdicts(run, trace::Verified::output_lost)},
      {"recovery.indeterminate", verdicts(run, trace::Verified::indeterminate)},
      {"recovery.expired", verdicts(run, trace::Verified::too_old)},
      {"recovery.discarded", discarded(run)},
      {"lost.L-indeterminate", lost_indeterminate(run)},
  };
}

}  // namespace photonsim::tests

using namespace photonsim::tests;

TEST_CASE("recount: verification and recovery did what the raw trace shows") {
  const std::string output_loss = R"(faults.output_loss=[
    {datacenter="us-east1",at="3min",records=200},{datacenter="us-west1",at="5min",records=200}])";
  const std::vector<std::string> verified{"verification.enabled=true", "verification.grace=10s",
                                          "verification.unregistered_after=40s"};
  auto given_up = verified;
  given_up.insert(given_up.end(),
                  {"dispatcher.unjoinable_attempts=2", "dispatcher.unjoinable_age=20s"});
  check_runs({{"scenarios/recovery.toml", {}},
              {"scenarios/recovery.toml", {output_loss}},
              {"scenarios/late_queries.toml", given_up},
              {"scenarios/corner/BC-31.toml", verified},
              {"scenarios/two_verifiers.toml", {"run.duration=4min", "faults.outage=[]"}},
              {"tests/mutants/scenarios/late_inserts.toml", {}},
              {"tests/mutants/scenarios/recovery.toml", {}},
              {"tests/mutants/scenarios/forgotten.toml", {}}},
             recovery_again,
             {"recovery.tokens_cleared", "recovery.ids_removed", "recovery.clicks_returned",
              "recovery.clicks_recovered", "recovery.output_lost", "recovery.indeterminate",
              "recovery.expired", "recovery.discarded", "lost.L-indeterminate"});
}

TEST_CASE("recount: the time to recover a click is that of the raw trace") {
  for (const char* scenario :
       {"scenarios/recovery.toml", "tests/mutants/scenarios/late_inserts.toml"}) {
    CAPTURE(scenario);
    const auto loaded = photonsim::scenarios::load(scenario, {});
    REQUIRE(loaded);
    Recorded recorded;
    const Ran ran = run(scenario, 1, {}, &recorded);
    const Replayed facts(recorded.records);
    const auto times = recovery_times_again({recorded.records, facts, loaded.config()});
    CHECK(times.size() > 10);
    check_latency("recovery", ran.outcome.summary.recovery.time, times);
  }
}
