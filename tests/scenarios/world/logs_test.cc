// Logs and output under faults, end to end: late, rotated, damaged, lost; and caches that die.
#include <map>
#include <set>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace photonsim::tests;
using namespace photon;
using namespace std::chrono_literals;

namespace {

// The faults of the input, and their consequences; nothing that a component reports.
class Ledger final : public trace::Sink {
 public:
  struct Click {
    EventId query{};
    bool has_query = false;
  };
  std::map<EventId, Click> clicks;
  std::map<EventId, std::set<std::uint32_t>> damaged;  // event -> datacenters of bad copies
  std::set<std::uint32_t> places;                      // datacenters that hold copies
  std::set<EventId> joined;
  std::set<EventId> output_lost;
  std::set<std::uint32_t> files;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> lengths;  // place and file
  std::uint64_t truncated = 0;
  std::uint64_t skipped = 0;
  struct LookUps {
    std::uint64_t found = 0;
    std::uint64_t by_logs = 0;
  };
  LookUps before, during;  // a time in which caches are down
  SimTime from = SimTime::max();
  SimTime until = SimTime::max();

  void record(const trace::Record& record) override {
    const trace::Header& header = record.header;
    switch (header.kind) {
      case trace::Kind::click_generated: {
        const auto& fact = record.as<trace::ClickGenerated>();
        clicks[fact.click] = {fact.query, fact.query_file != trace::ClickGenerated::kNoFile};
        return;
      }
      case trace::Kind::log_visible: {
        const auto& fact = record.as<trace::LogVisible>();
        places.insert(header.datacenter.value());
        files.insert(fact.file);
        std::uint64_t& length = lengths[{header.datacenter.value(), fact.file}];
        truncated += fact.length < length ? 1 : 0;
        length = fact.length;
        return;
      }
      case trace::Kind::input_damaged:
        damaged[record.as<trace::InputDamaged>().event].insert(header.datacenter.value());
        return;
      case trace::Kind::output_record:
        if (header.source == trace::Source::durable) {
          joined.insert(record.as<trace::OutputRecord>().click);
        }
        return;
      case trace::Kind::output_lost:
        output_lost.insert(record.as<trace::OutputLost>().click);
        return;
      case trace::Kind::record_skipped:
        ++skipped;
        return;
      case trace::Kind::query_answer:
        if (header.source == trace::Source::delivered) look_up(header.at, record);
        return;
      default:
        return;
    }
  }

  // Clicks without a sound copy of click and query in any one datacenter.
  std::uint64_t without_input() const {
    std::uint64_t count = 0;
    for (const auto& [id, click] : clicks) {
      bool readable = !click.has_query;
      for (const std::uint32_t place : places) {
        readable = readable || (is_sound(id, place) && is_sound(click.query, place));
      }
      count += readable ? 0 : 1;
    }
    return count;
  }

 private:
  bool is_sound(const EventId& id, std::uint32_t place) const {
    const auto found = damaged.find(id);
    return found == damaged.end() || !found->second.contains(place);
  }
  void look_up(SimTime at, const trace::Record& record) {
    const auto& answer = record.as<trace::QueryAnswer>();
    if (answer.status != trace::QueryStatus::found || at >= until) return;
    LookUps& where = at < from ? before : during;
    ++where.found;
    where.by_logs += answer.tier == trace::QueryTier::logs ? 1 : 0;
  }
};

const std::string kShort = "workload.synthetic.clicks=2000";

}  // namespace

TEST_CASE("A-04 A-21 C-22 late queries: their clicks wait, and all of them are joined") {
  const Ran ran = run("scenarios/late_queries.toml", 1, {kShort});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.latency.max > 90);  // the stall shows
  CHECK(ran.outcome.summary.faults_effective == 2);
}

TEST_CASE(
    "E-07 E-08 E-09 E-20 G-07 lost caches: all look-ups use the logs, and nothing else changes") {
  Ledger with;
  with.from = SimTime(121s);
  with.until = SimTime(240s);
  const Ran ran = run("scenarios/cache_loss.toml", 1, {kShort}, &with);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(with.before.found > 300);
  CHECK(with.before.by_logs < with.before.found / 2);  // E-09
  CHECK(with.during.found > 300);
  CHECK(with.during.by_logs == with.during.found);  // G-07: exactly all
  Ledger without;
  const Ran healthy = run("scenarios/cache_loss.toml", 1, {kShort, "faults.crash=[]"}, &without);
  require_clean(healthy);
  CHECK(with.joined == without.joined);  // E-08; J-S15 checks that payloads are right
  const auto share = [](const Ran& one) { return one.outcome.summary.work.query_log_lookups; };
  CHECK(share(ran) > share(healthy));
  CHECK(ran.outcome.summary.latency.mean > healthy.outcome.summary.latency.mean);
}

TEST_CASE("A-14 A-22 A-26 C-07 small files, out of order, damaged in one copy, under crashes") {
  std::uint64_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Ledger ledger;
    const Ran ran = run("scenarios/log_rotation.toml", seed, {kShort}, &ledger);
    require_clean(ran);
    CHECK(ledger.files.size() > 200);
    CHECK(ran.outcome.summary.joined + ledger.without_input() == ran.outcome.summary.generated);
    CHECK(lost_by(ran, "L-input") == ledger.without_input());
    skipped += ledger.skipped;
    CHECK(ledger.skipped ==
          photon::analysis::count_of(ran.outcome.summary.damage, "records_skipped"));
  }
  CHECK(skipped > 50);
}

TEST_CASE("A-20 A-24 J-S19 logs that lose their end and are filled again: all is joined, once") {
  const bool one_pipeline = GENERATE(true, false);
  const std::string logs = GENERATE(as<std::string>{}, "clicks", "queries");
  std::vector<std::string> set{kShort};
  if (one_pipeline) set.emplace_back(R"(topology.pipelines=["us-east1"])");
  std::string cuts;
  for (const std::string place : {"us-east1", "us-west1"}) {
    if (one_pipeline && place != "us-east1") continue;
    for (int i = 0; i < 6; ++i) {
      cuts += (cuts.empty() ? "{log=\"" : ",{log=\"") + logs + "\",datacenter=\"" + place +
              "\",at=\"" + std::to_string(90 + 25 * i) + "s\",for=\"" + std::to_string(4 + 4 * i) +
              "s\",bytes=" + std::to_string(2000 << i) + "}";
    }
  }
  set.push_back("faults.log_truncation=[" + cuts + "]");
  CAPTURE(set);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Ledger ledger;
    const Ran ran = run("scenarios/healthy.toml", seed, set, &ledger);
    require_clean(ran);
    CHECK(ledger.truncated > 12);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
    CHECK(ran.outcome.summary.faults_effective == (one_pipeline ? 6 : 12));
  }
}

TEST_CASE("A-26 J.2 storage that loses records: L-storage and L-input match what was injected") {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Ledger ledger;
    const Ran ran = run("scenarios/lost_output.toml", seed, {kShort}, &ledger);
    require_clean(ran);
    CHECK(ledger.output_lost.size() == 50);
    CHECK(lost_by(ran, "L-storage") == 50);
    CHECK(ledger.without_input() > 5);
    CHECK(lost_by(ran, "L-input") == ledger.without_input());
    CHECK(lost(ran) == 50 + ledger.without_input());
    CHECK(ran.outcome.summary.joined + lost(ran) == ran.outcome.summary.generated);
  }
}

TEST_CASE("A-08 B-61 clicks that arrive when they are older than N are discarded, all of them") {
  Ledger ledger;
  // With the pre-look-up look-ups detect them, without it inserts.
  const std::string pre_lookup = GENERATE("true", "false");
  const Ran ran = run("scenarios/healthy.toml", 2,
                      {kShort, "registry.gc_age=60s", "registry.boundary_period=5s",
                       "dispatcher.unjoinable_age=40s", "dispatcher.pre_lookup=" + pre_lookup,
                       "faults.log_stall=[{log = \"clicks\", server = \"0\", at = \"100s\", for = "
                       "\"150s\"}]"},
                      &ledger);
  require_clean(ran);
  const std::uint64_t too_old = never_joinable_by(ran, "too_old");
  CHECK(too_old > 50);
  CHECK(ran.outcome.summary.joined + too_old + ran.outcome.summary.borderline ==
        ran.outcome.summary.generated);
}

TEST_CASE("J-P0 pauses and stalls that would outlast the run end with it, and count as effective") {
  const std::vector<std::string> endless{
      kShort, R"(faults.pause=[{process="us-east1/joiner/0",at="2min",for="9h"}])",
      R"(faults.log_stall=[{log="clicks",at="2min",for="9h",tail="10s"}])"};
  const Ran ran = run("scenarios/healthy.toml", 1, endless);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.latency.max > 30);  // the stall, until all was healed
  auto impatient = endless;
  impatient.emplace_back("run.quiesce_limit=1ms");
  const Ran stopped = run("scenarios/healthy.toml", 1, impatient);
  CHECK(stopped.outcome.liveness_violations > 0);
  CHECK(stopped.outcome.summary.inert_faults.empty());
}

TEST_CASE("A-05 E-02 a click two days after its query is joined, from the logs, with N = 3 days") {
  photon::testing::TemporaryFolder folder;
  std::string queries = "query_id,t_ms\n";
  std::string clicks = "click_id,query_id,t_ms\n";
  constexpr int kQueries = 40;
  constexpr int kSoon = 20;  // clicked after five seconds; the others after two days
  for (int i = 0; i < kQueries; ++i) {
    queries += std::to_string(i) + "," + std::to_string(i * 1000) + "\n";
    const int delay = i < kSoon ? 5'000 : 2 * 86'400'000;
    clicks +=
        std::to_string(i) + "," + std::to_string(i) + "," + std::to_string(i * 1000 + delay) + "\n";
  }
  // Two days have few events: everything periodic is slow.
  const std::vector<std::string> slow{
      "workload.primary.file=" + folder.write("queries.csv", queries),
      "workload.foreign.file=" + folder.write("clicks.csv", clicks),
      "run.warm_up=15min",
      "faults.random=[]",
      "faults.outage=[]",
      "network.loss=0",
      "network.duplication=0",
      "registry.shards=1",
      "registry.heartbeat=60s",
      "registry.lease=5min",
      "registry.election_timeout=10min",
      "registry.boundary_period=1h",
      "registry.gc_scan_period=1h",
      "dispatcher.scan_period=60s",
      "dispatcher.state_save_period=60s",
      "dispatcher.lease=5min",
      "event_store.reader_poll=60s",
      "event_store.cache_nodes=1",
      "registry.gc_age=3d",
      "faults.crash=[{process = \"us-east1/cache/0\", at = \"24h\"}, "
      "{process = \"us-west1/cache/0\", at = \"24h\"}]"};
  Ledger ledger;
  ledger.from = SimTime(24h);
  ledger.until = SimTime(72h);
  const Ran ran = run("scenarios/trace.toml", 1, slow, &ledger);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == kQueries);
  CHECK(ledger.during.found >= kQueries - kSoon);
  CHECK(ledger.during.by_logs == ledger.during.found);
  // With N of a day the same clicks are joined too: their own age counts, not their query's.
  std::vector<std::string> forgetful = slow;
  forgetful.push_back("registry.gc_age=24h");
  CHECK(run("scenarios/trace.toml", 1, forgetful).outcome.summary.joined == kQueries);
}
