// A stage on a thread of its own: order, the bound of its ring, and failures of its sink; and runs
// whose judge is one.
#include "scenarios/world/record_stage.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "analysis/reports/summary.h"
#include "core_impl/base/check.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

using scenarios::RecordStage;
using scenarios::StageFailed;
namespace trace = photon::trace;

trace::Record numbered(std::uint32_t number) {
  trace::Record record{};
  record.header.message = number;
  return record;
}

class Collector final : public trace::Sink {
 public:
  void record(const trace::Record& record) override { numbers.push_back(record.header.message); }
  std::vector<std::uint32_t> numbers{};
};

TEST_CASE("a stage hands on every record once and in order") {
  Collector sink;
  std::vector<std::uint32_t> given;
  RecordStage stage(sink);
  for (std::uint32_t part = 0; part < 5; ++part) {
    // More than the ring holds, and a number that no block divides.
    for (std::uint32_t i = 0; i < 30'011; ++i) {
      given.push_back(part * 100'000 + i);
      stage.record(numbered(given.back()));
    }
    stage.settle();
    REQUIRE(sink.numbers == given);
  }
  stage.settle();  // with nothing new
  CHECK(sink.numbers == given);
}

TEST_CASE("a stage that ends unsettled hands on its full blocks") {
  Collector sink;
  {
    RecordStage stage(sink);
    for (std::uint32_t i = 0; i < 1'000; ++i) stage.record(numbered(i));
  }
  CHECK(sink.numbers.size() == 3 * RecordStage::kRecords);
}

class SlowSink final : public trace::Sink {
 public:
  void record(const trace::Record&) override {
    if (++taken % 1'000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::atomic<std::uint64_t> taken{0};
};

TEST_CASE("the run waits for a slow stage: what is under way is bounded") {
  SlowSink sink;
  RecordStage stage(sink);
  std::uint64_t most = 0;
  for (std::uint64_t given = 1; given <= 100'000; ++given) {
    stage.record(numbered(0));
    most = std::max(most, given - sink.taken.load());
  }
  stage.settle();
  CHECK(sink.taken.load() == 100'000);
  CHECK(most <= RecordStage::kBlocks * RecordStage::kRecords);
}

class FailingSink final : public trace::Sink {
 public:
  explicit FailingSink(void (*fail)()) : fail_(fail) {}
  void record(const trace::Record& record) override {
    if (record.header.message == 1'000) fail_();
    ++taken;
  }
  std::uint64_t taken = 0;

 private:
  void (*fail_)();
};

void throw_error() { throw std::runtime_error("no more"); }
void fail_a_check() { PHOTON_CHECK(false, "as the judge may"); }

TEST_CASE("what a stage's sink throws reaches the run, and nothing is handed on after it") {
  FailingSink sink(GENERATE(as<void (*)()>{}, throw_error, fail_a_check));
  {
    RecordStage stage(sink);
    const auto give = [&](std::uint32_t many) {
      for (std::uint32_t i = 0; i < many; ++i) stage.record(numbered(i));
    };
    SECTION("when it settles") {
      give(1'001);
      CHECK_THROWS_AS(stage.settle(), StageFailed);
      CHECK_THROWS_AS(stage.settle(), StageFailed);
    }
    SECTION("when it gives more than the ring holds") {
      CHECK_THROWS_AS(give(1'000'000), StageFailed);
    }
  }
  CHECK(sink.taken == 1'000);
}

struct Staged {
  std::string json{};
  photon::MarkHits marks{};
};

Staged run_with(const scenarios::Config& config, unsigned workers) {
  scenarios::RunRequest request{&config, config.run.seed};
  request.workers = workers;
  auto finished = scenarios::run_scenario(request);
  REQUIRE(finished);
  const scenarios::RunOutcome& outcome = finished.assume_value();
  REQUIRE(outcome.is_complete());
  return {photon::analysis::to_json(outcome.summary), outcome.marks};
}

void require_same(const std::string& scenario, const std::vector<std::string>& overrides) {
  const scenarios::LoadResult loaded = scenarios::load(scenario, overrides);
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  const Staged alone = run_with(loaded.config(), 1);
  for (const unsigned workers : {2U, 4U}) {
    CAPTURE(scenario, workers);
    const Staged staged = run_with(loaded.config(), workers);
    CHECK(staged.json == alone.json);
    CHECK(staged.marks == alone.marks);
  }
}

TEST_CASE("a run says the same with any number of workers") {
  require_same(
      "scenarios/quickstart.toml",
      {"run.duration=60s", "run.warm_up=10s", "workload.synthetic.clicks=3000",
       "faults.random.0.mean_interval=20s", "faults.outage.0.at=20s", "faults.outage.0.for=10s"});
  require_same("scenarios/trace.toml", {});
}

}  // namespace
}  // namespace photonsim::tests
