// Rounds of heartbeats that are left out (sim/quiet_rounds.h): what remains of the run is exactly
// what it would have been.
#include <algorithm>
#include <cstring>

#include "core_impl/trace/environment.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;
namespace trace = photon::trace;

namespace {

const std::string kScenario = "scenarios/photon_base.toml";
const std::vector<std::string> kSparse{"run.duration=10min", "workload.synthetic.clicks=40",
                                       "workload.synthetic.queries_per_click=3"};

// All records, but for those of rounds: of rounds it counts the records that were recalled.
class RestOfRun final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::run_phase) {
      drains_ |= record.as<trace::RunPhase>().phase == trace::Phase::generation_ended;
    }
    switch (record.header.kind) {
      case trace::Kind::recalled:
        left_out += record.as<trace::Recalled>().left_out;
        if (!drains_) ++recalled;
        return;

      case trace::Kind::paxos_heartbeat:
      case trace::Kind::paxos_granted:
      case trace::Kind::lease_extended:
        ++of_rounds;
        return;
      default:
        records.push_back(record);
        records.back().header.message = 0;  // any additional sender shifts it
    }
  }
  std::vector<trace::Record> records;
  std::uint64_t left_out = 0;
  std::uint64_t recalled = 0;  // before the run drains, without its faults
  std::uint64_t of_rounds = 0;

 private:
  bool drains_ = false;
};

bool same(const trace::Record& a, const trace::Record& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

// Of the registry: its shards and the group of the incarnations. Each elects once at the beginning.
constexpr std::ptrdiff_t kGroups = 5;

// What must have happened in a run: at least that many records of a kind.
struct Happened {
  trace::Kind kind{};
  std::ptrdiff_t least = 0;
};

// Runs it both ways; the share of rounds' records that remain.
double compare(std::uint64_t seed, std::vector<std::string> overrides,
               const std::vector<Happened>& all_of = {}) {
  overrides.insert(overrides.begin(), kSparse.begin(), kSparse.end());
  RestOfRun left_out;
  const Ran short_run = run(kScenario, seed, overrides, &left_out);
  overrides.emplace_back("run.leave_out_rounds=false");
  RestOfRun carried_out;
  const Ran whole_run = run(kScenario, seed, overrides, &carried_out);
  INFO("replay: " << whole_run.replay);
  require_clean(short_run);
  require_clean(whole_run);
  CHECK(carried_out.recalled + carried_out.left_out == 0);
  CHECK(left_out.left_out > 0);
  for (const Happened& each : all_of) {
    INFO("records of kind " << static_cast<int>(each.kind));
    CHECK(std::ranges::count(carried_out.records, each.kind, [](const trace::Record& record) {
            return record.header.kind;
          }) >= each.least);
  }
  const auto [first, second] = std::ranges::mismatch(left_out.records, carried_out.records, &same);
  const auto place = first - left_out.records.begin();
  INFO("first difference: record " << place << " of " << left_out.records.size());
  if (first != left_out.records.end()) {
    INFO("at " << photon::nanoseconds_of(first->header.at) << " ns, kind "
               << static_cast<int>(first->header.kind) << " of " << first->header.node.value()
               << " instead of " << static_cast<int>(second->header.kind) << " of "
               << second->header.node.value() << " at "
               << photon::nanoseconds_of(second->header.at));
    CHECK(first == left_out.records.end());
  }
  CHECK(second == carried_out.records.end());
  CHECK(short_run.outcome.summary.network == whole_run.outcome.summary.network);
  CHECK(short_run.outcome.summary.storage == whole_run.outcome.summary.storage);
  return static_cast<double>(left_out.of_rounds) / static_cast<double>(carried_out.of_rounds);
}

}  // namespace

TEST_CASE("rounds that are left out change nothing else in a quiet run") {
  CHECK(compare(1, {}) < 0.2);
}

TEST_CASE("rounds that are left out change no election after a crash") {
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(3); ++seed) {
    const double remain =
        compare(seed,
                {"faults.crash=[{process = \"registry/0@us-east1\", at = \"2min\"},"
                 "{process = \"registry/1@us-west1\", at = \"2min\"},"
                 "{process = \"registry/1@us-east4\", at = \"130s\"},"
                 "{process = \"registry/2@us-central1\", at = \"4min\"}]",
                 "faults.inert=allow"},
                {{trace::Kind::process_crashed, 4}, {trace::Kind::master_elected, kGroups + 1}});
    CHECK(remain < 0.5);
  }
}

TEST_CASE("rounds that are left out change nothing in pauses and partitions") {
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(3); ++seed) {
    const double remain =
        compare(seed,
                {"faults.pause=[{process = \"registry/0@us-east1\", at = \"3min\", for = \"1s\"},"
                 "{process = \"registry/2@us-west1\", at = \"200s\", for = \"9s\"}]",
                 "faults.partition=[{from = [\"us-east1\"], to = [\"us-west1\"], at = \"5min\","
                 " for = \"20s\"}]",
                 "faults.inert=allow"},
                {{trace::Kind::process_paused, 2}, {trace::Kind::partition_began, 1}});
    CHECK(remain < 0.5);
  }
}

TEST_CASE("no round is left out where messages may be lost") {
  RestOfRun records;
  const Ran ran =
      run(kScenario, 1, {"run.duration=2min", "workload.synthetic.clicks=40", "network.loss=1%"},
          &records);
  require_clean(ran);
  CHECK(records.recalled == 0);
}

TEST_CASE("no round is left out whose answers may come after the next one began") {
  RestOfRun records;
  const Ran ran = run(
      kScenario, 1,
      {"run.duration=2min", "workload.synthetic.clicks=40", "network.jitter_mean=20ms"}, &records);
  require_clean(ran);
  CHECK(records.recalled == 0);
}
