// Reported figures beside a second, slow computation from the raw trace: plain maps, sorted values,
// and no code of analysis/.
#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "campaigns/swarm/swarm.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/recount/joined_clicks.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;
using photon::analysis::Summary;

namespace {

// What one run reports, found again.
struct Figures {
  std::uint64_t generated = 0, joined = 0, duplicates = 0;
  std::uint64_t clicks_read = 0, join_requests = 0, query_lookups = 0, query_log_lookups = 0;
  std::uint64_t lookups = 0, insert_requests = 0, insert_attempts = 0, wasted = 0;
  std::uint64_t elections = 0, crashes = 0;
  std::vector<double> total{}, own{}, shipping{};
};

class Recount {
 public:
  Figures run(const std::vector<trace::Record>& records) {
    for (const trace::Record& record : records) take(record);
    figures_.generated = clicks_.generated();
    figures_.joined = clicks_.held_at_end();
    figures_.duplicates = clicks_.duplicates();
    for (const JoinedClick& each : clicks_.all()) {
      figures_.total.push_back(each.total());
      figures_.own.push_back(each.own);
      figures_.shipping.push_back(each.shipping);
    }
    if (clicks_.generated() == 0) figures_.wasted = 0;  // a load of the registry joins nothing
    return std::move(figures_);
  }

 private:
  void take(const trace::Record& record) {
    clicks_.take(record);
    const trace::Header& header = record.header;
    const bool sent = header.source == trace::Source::sent;
    switch (header.kind) {
      case trace::Kind::click_read:
        ++figures_.clicks_read;
        return;
      case trace::Kind::join_ask:
        figures_.join_requests += sent ? 1 : 0;
        return;
      case trace::Kind::query_ask: {
        const bool logs = record.as<trace::QueryAsk>().tier == trace::QueryTier::logs;
        figures_.query_lookups += sent ? 1 : 0;
        figures_.query_log_lookups += sent && logs ? 1 : 0;
        return;
      }
      case trace::Kind::registry_ask:
        if (sent) on_ask(record.as<trace::RegistryAsk>());
        return;
      case trace::Kind::registry_answer:
        if (header.source == trace::Source::delivered) on_answer(header, record);
        return;
      case trace::Kind::master_elected:
        ++figures_.elections;
        return;
      case trace::Kind::process_crashed:
        figures_.crashes += record.as<trace::ProcessCrashed>().in_order == 0 ? 1 : 0;
        return;
      default:
        return;
    }
  }

  void on_ask(const trace::RegistryAsk& ask) {
    if (ask.operation == trace::RegistryOperation::lookup) ++figures_.lookups;
    if (ask.operation != trace::RegistryOperation::insert) return;
    ++figures_.insert_requests;
    if (attempts_.insert({key(ask.id), key(ask.token)}).second) ++figures_.insert_attempts;
  }

  // A join is wasted when its joiner learns that another one was first, once for each attempt.
  void on_answer(const trace::Header& header, const trace::Record& record) {
    const auto& answer = record.as<trace::RegistryAnswer>();
    if (answer.operation != trace::RegistryOperation::insert) return;
    if (!trace::is_definitive(answer.code)) return;
    const auto attempt = std::tuple(key(answer.id), key(answer.token), header.node.value());
    if (!answered_.insert(attempt).second) return;
    figures_.wasted += answer.code == trace::RegistryCode::already_exists ? 1 : 0;
  }

  Figures figures_{};
  JoinedClicks clicks_{};
  std::set<std::pair<Id, TokenKey>> attempts_{};
  std::set<std::tuple<Id, TokenKey, std::uint32_t>> answered_{};
};

void check_figures(const Summary& summary, const Figures& again) {
  CHECK(summary.generated == again.generated);
  CHECK(summary.joined == again.joined);
  CHECK(summary.duplicates == again.duplicates);
  CHECK(summary.wasted_joins == again.wasted);
  CHECK(summary.work.clicks_read == again.clicks_read);
  CHECK(summary.work.join_requests == again.join_requests);
  CHECK(summary.work.query_lookups == again.query_lookups);
  CHECK(summary.work.query_log_lookups == again.query_log_lookups);
  CHECK(summary.registry.lookups == again.lookups);
  CHECK(summary.registry.insert_requests == again.insert_requests);
  CHECK(summary.registry.insert_attempts == again.insert_attempts);
  CHECK(summary.registry.elections == again.elections);
  CHECK(summary.process_crashes == again.crashes);
  const auto metrics = photon::analysis::metrics_of(summary);
  const auto share = [&](const std::string& name, std::uint64_t part, std::uint64_t whole) {
    CAPTURE(name);
    const auto found = std::ranges::find(metrics, "waste." + name, &photon::analysis::Metric::name);
    REQUIRE((found != metrics.end()) == (whole > 0));
    if (whole == 0) return;
    CHECK(found->value == Approx(static_cast<double>(part) / static_cast<double>(whole)));
  };
  share("wasted_joins_per_joined", again.wasted, again.joined);
  share("reads_per_click", again.clicks_read, again.generated);
  share("registry_lookups_per_click", again.lookups, again.generated);
  share("insert_attempts_per_click", again.insert_attempts, again.generated);
  share("join_requests_per_click", again.join_requests, again.generated);
  share("query_lookups_per_click", again.query_lookups, again.generated);
  share("log_share_of_query_lookups", again.query_log_lookups, again.query_lookups);
  check_latency("total", summary.latency, again.total);
  check_latency("own share", summary.latency_own, again.own);
  for (const auto& [name, figures] : summary.stages) {
    if (name == "shipping") check_latency(name, figures, again.shipping);
  }
}

}  // namespace

TEST_CASE("figures: latency, work and waste are those of the raw trace, with and without faults") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> runs{
      {"scenarios/healthy.toml", {}},
      {"scenarios/late_queries.toml", {}},
      {"scenarios/lost_answers.toml", {}},
      {"scenarios/quickstart.toml",
       {"run.duration=3min", "workload.synthetic.clicks=6000", "faults.inert=allow",
        "faults.outage=[]"}}};
  for (const auto& [scenario, overrides] : runs) {
    for (const std::uint64_t seed : {1U, 2U}) {
      CAPTURE(scenario, seed);
      Recorded recorded;
      const Ran ran = run(scenario, seed, overrides, &recorded);
      check_figures(ran.outcome.summary, Recount().run(recorded.records));
    }
  }
}

TEST_CASE("figures: those of generated configurations and of replayed logs", "[sweep]") {
  std::uint64_t joined = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const photonsim::scenarios::Config config = photonsim::scenarios::swarm::scenario({}, seed);
    Recorded recorded;
    auto finished = photonsim::scenarios::run_scenario({&config, seed, &recorded, nullptr});
    REQUIRE(finished);
    const auto& outcome = finished.assume_value();
    REQUIRE(outcome.is_complete());
    check_figures(outcome.summary, Recount().run(recorded.records));
    joined += outcome.summary.joined;
  }
  CHECK(joined > 4000);
  for (const Recipe& recipe : {Recipe{"scenarios/trace.toml", {}},
                               Recipe{"scenarios/trace_kills.toml", {"verification.enabled=true"}},
                               Recipe{"scenarios/trace_sparse.toml", {}}}) {
    CAPTURE(recipe.scenario);
    Recorded recorded;
    const Ran ran = run(recipe.scenario, 1, recipe.overrides, &recorded);
    check_figures(ran.outcome.summary, Recount().run(recorded.records));
  }
}

TEST_CASE("figures: run.measure_from leaves earlier clicks out of latencies, and of nothing else") {
  Recorded recorded;
  const Ran ran = run("scenarios/healthy.toml", 1, {"run.measure_from=150s"}, &recorded);
  const Summary& summary = ran.outcome.summary;
  JoinedClicks clicks;
  for (const trace::Record& record : recorded.records) clicks.take(record);
  std::vector<double> total, own;
  for (const JoinedClick& each : clicks.all()) {
    if (each.generated < 150) continue;
    total.push_back(each.total());
    own.push_back(each.own);
  }
  CHECK(total.size() > 500);
  CHECK(total.size() + 500 < summary.joined);
  CHECK(summary.joined == clicks.held_at_end());
  check_latency("total", summary.latency, total);
  check_latency("own share", summary.latency_own, own);
  CHECK(summary.latency_at_output.count == total.size());
  for (const auto& [name, figures] : summary.stages) CHECK(figures.count == total.size());
  const Ran load = run("scenarios/registry/quiet.toml", 1,
                       {"run.duration=20s", "run.measure_from=15s", "workload.registry.rate=100"});
  CHECK(load.outcome.summary.load.insert_latency.count < 700);
  CHECK(load.outcome.summary.load.insert_latency.count > 300);
  CHECK(load.outcome.summary.load.operations > 1200);
}
