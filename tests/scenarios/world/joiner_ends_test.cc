// The cost of a joiner's end: killed, at most its window and exactly what the trace records;
// stopped gracefully, nothing.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;

namespace {

using Life = std::pair<std::uint32_t, std::uint32_t>;  // process, life

// The window of D-15 from nothing but the records: an attempt is in it from its first insert
// request until its record is durable or a definitive refusal has arrived.
class WindowWatch final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    const trace::Header& header = record.header;
    const Life life{header.node.value(), header.incarnation.value()};
    if (header.kind == trace::Kind::registry_ask && header.source == trace::Source::sent) {
      const auto& ask = record.as<trace::RegistryAsk>();
      if (ask.operation == trace::RegistryOperation::insert) tries_.try_emplace(ask.token, life);
    } else if (header.kind == trace::Kind::registry_answer &&
               header.source == trace::Source::delivered) {
      on_answer(record.as<trace::RegistryAnswer>(), life);
    } else if (header.kind == trace::Kind::operation_applied) {
      const auto& applied = record.as<trace::OperationApplied>();
      if (applied.code == trace::RegistryCode::inserted) took_effect.insert(applied.token);
    } else if (header.kind == trace::Kind::output_record &&
               header.source == trace::Source::durable) {
      durable.insert(record.as<trace::OutputRecord>().token);
    } else if (header.kind == trace::Kind::process_crashed) {
      on_end(life, record.as<trace::ProcessCrashed>().in_order != 0);
    }
  }

  // Tokens that stood in the window of each life when it was killed, or ended gracefully.
  std::map<Life, std::set<photon::Token>> killed, ended;
  std::set<photon::Token> took_effect, durable;

  std::set<photon::Token> lost_with(const Life& life) const {
    std::set<photon::Token> lost;
    for (const photon::Token& token : killed.at(life)) {
      if (took_effect.contains(token) && !durable.contains(token)) lost.insert(token);
    }
    return lost;
  }

 private:
  void on_answer(const trace::RegistryAnswer& answer, const Life& life) {
    if (answer.operation != trace::RegistryOperation::insert) return;
    if (!trace::is_definitive(answer.code) || answer.code == trace::RegistryCode::inserted) return;
    const auto found = tries_.find(answer.token);
    if (found != tries_.end() && found->second == life) tries_.erase(found);
  }
  void on_end(const Life& life, bool in_order) {
    auto& window = (in_order ? ended : killed)[life];
    for (const auto& [token, owner] : tries_) {
      if (owner == life && !durable.contains(token)) window.insert(token);
    }
  }

  std::map<photon::Token, Life> tries_;  // not refused
};

// The time of healing, and which faults' stops were completed only after it.
class HealWatch final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::run_phase) {
      if (record.as<trace::RunPhase>().phase == trace::Phase::faults_ended) {
        healed_at = record.header.at;
      }
    } else if (record.header.kind == trace::Kind::process_crashed && healed_at) {
      const auto& end = record.as<trace::ProcessCrashed>();
      if (end.in_order != 0 && record.header.at > *healed_at) late_stops.push_back(end.fault);
    }
  }
  std::optional<photon::SimTime> healed_at;
  std::vector<std::uint32_t> late_stops;
};

const std::vector<std::string> kShort{"run.duration=100s", "workload.synthetic.clicks=1800"};

}  // namespace

TEST_CASE(
    "D-15 D-20 L-29 G-18 slow output and crashes: each crash loses exactly the registered part of "
    "its window, and never more than declared") {
  std::uint64_t crashes = 0;
  std::uint64_t lost_in_all = 0;
  std::uint64_t windows = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    WindowWatch watch;
    const Ran ran = run("scenarios/slow_output.toml", seed, kShort, &watch);
    CAPTURE(ran.replay, ran.json);
    const auto& summary = ran.outcome.summary;
    CHECK(summary.violations_total == 0);
    CHECK(summary.pending == 0);
    CHECK(lost(ran) == lost_by(ran, "L-crash"));
    // By process and life, as the judge names them; a process has one number.
    std::map<std::pair<std::string, std::uint32_t>, std::set<photon::Token>> judged;
    std::map<photon::Token, std::string> process_of;
    std::map<std::string, std::uint32_t> numbers;
    REQUIRE(summary.losses.size() == lost(ran));
    for (const auto& loss : summary.losses) {
      judged[{loss.process, loss.life.value()}].insert(loss.token);
      process_of[loss.token] = loss.process;
    }
    std::uint64_t seen = 0;
    for (const auto& [life, window] : watch.killed) {
      CHECK(window.size() <= 30);
      const auto lost_then = watch.lost_with(life);
      if (!lost_then.empty()) {
        const std::string& process = process_of[*lost_then.begin()];
        CHECK(judged[{process, life.second}] == lost_then);
        CHECK(numbers.emplace(process, life.first).first->second == life.first);
      }
      seen += lost_then.size();
      windows += window.size();
    }
    CHECK(seen == lost(ran));
    CHECK(summary.joiner_ends.lost == seen);
    CHECK(summary.joiner_ends.window_max <= 30);
    crashes += summary.joiner_ends.crashes;
    lost_in_all += seen;
  }
  CHECK(crashes > 40);
  CHECK(lost_in_all > 2 * crashes);  // slow output: a crash nearly always costs something
  CHECK(lost_in_all <= windows);
}

TEST_CASE("D-23 joiners that are asked to stop lose nothing, though their windows are full") {
  std::uint64_t stops = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    WindowWatch watch;
    const Ran ran = run("scenarios/rolling_restart.toml", seed, kShort, &watch);
    CAPTURE(ran.replay, ran.json);
    const auto& summary = ran.outcome.summary;
    CHECK(summary.violations_total == 0);
    CHECK(lost(ran) == 0);
    CHECK(summary.joined == summary.generated);
    CHECK(summary.joiner_ends.crashes == 0);
    for (const auto& [life, window] : watch.ended) CHECK(window.empty());
    stops += summary.joiner_ends.stops;  // of joiners with work in progress
    CHECK(summary.joiner_ends.stops <= watch.ended.size());
  }
  CHECK(stops > 50);
}

TEST_CASE("D-20 D-23 the same processes, killed at the same times, lose clicks") {
  // The value of the drains in the test above.
  const Ran ran = run("scenarios/rolling_restart.toml", 1,
                      {"run.duration=100s", "workload.synthetic.clicks=1800",
                       "faults.random.0.kind=process_crash"});
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(lost_by(ran, "L-crash") > 20);
}

TEST_CASE(
    "D-23 a stop of one joiner at a stated time; one that is killed meanwhile is left alone") {
  std::vector<std::string> overrides = kShort;
  overrides.push_back("faults.random=[]");
  overrides.push_back(R"(faults.crash=[{process="us-east1/joiner/0", at="40s", gracefully=true},)"
                      R"( {process="us-west1/joiner/1", at="50s", gracefully=true},)"
                      R"( {process="us-west1/joiner/1", at="50s"}])");
  const Ran ran = run("scenarios/slow_output.toml", 7, overrides);
  CAPTURE(ran.json);
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(ran.outcome.summary.joiner_ends.stops == 1);
  CHECK(ran.outcome.summary.joiner_ends.crashes == 1);
  REQUIRE(ran.outcome.summary.faults.size() == 3);
  CHECK(ran.outcome.summary.faults[0].effective);
  CHECK_FALSE(ran.outcome.summary.faults[1].effective);  // it was killed before it had finished
  CHECK(ran.outcome.summary.faults[2].effective);
}

TEST_CASE("D-23 J-P0 joiners that drain when clicks end still finish") {
  std::vector<std::string> overrides{R"(topology.pipelines=["us-east1"])",
                                     "verification.enabled=true", "faults.random=[]"};
  // A tenth of a second before the faults end; an append takes four tenths.
  std::string stops;
  for (const char* joiner : {"0", "1", "2"}) {
    stops += std::string(R"({process="us-east1/joiner/)") + joiner +
             R"(",at="239900ms",gracefully=true},)";
  }
  overrides.push_back("faults.crash=[" + stops + "]");
  HealWatch watch;
  const Ran ran = run("scenarios/rolling_restart.toml", 1, overrides, &watch);
  INFO("replay: " << ran.replay);
  CHECK(watch.healed_at == photon::SimTime(photon::Duration(std::chrono::minutes(4))));
  CHECK(watch.late_stops.size() == 3);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(lost(ran) == 0);
}
