// The determinism contract (DESIGN 5): same scenario and seed, same run, byte for byte.
#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/hash.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

const std::string kScenario = "scenarios/quickstart.toml";
// Ninety seconds of the quickstart with its faults moved into them.
const std::vector<std::string> kShort{"run.duration=90s",
                                      "run.warm_up=20s",
                                      "workload.synthetic.clicks=2000",
                                      "faults.random.0.mean_interval=20s",
                                      "faults.random.2.mean_interval=20s",
                                      "faults.outage.0.at=40s",
                                      "faults.outage.0.for=20s",
                                      "dispatcher.unjoinable_age=60s"};

// Folds every byte of every record.
class Digest final : public photon::trace::Sink {
 public:
  void record(const photon::trace::Record& record) override {
    value_ = photon::hash_bytes(std::as_bytes(std::span(&record, 1)), value_);
    ++records_;
  }
  std::uint64_t value() const { return value_; }
  std::uint64_t records() const { return records_; }

 private:
  std::uint64_t value_ = 0;
  std::uint64_t records_ = 0;
};

// Counts records that are not at a multiple of 10 ms.
class BetweenTicks final : public photon::trace::Sink {
 public:
  void record(const photon::trace::Record& record) override {
    ++records_;
    if (photon::nanoseconds_of(record.header.at) % 10'000'000 != 0) ++between_;
  }
  std::uint64_t records() const { return records_; }
  std::uint64_t between() const { return between_; }

 private:
  std::uint64_t records_ = 0;
  std::uint64_t between_ = 0;
};

}  // namespace

TEST_CASE("J-S17 the same seed twice: same trace, same fingerprint, same JSON", "[sweep]") {
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(6); ++seed) {
    Digest first_trace;
    Digest second_trace;
    const Ran first = run(kScenario, seed, kShort, &first_trace);
    const Ran second = run(kScenario, seed, kShort, &second_trace);
    INFO("replay: " << first.replay);
    CHECK(first_trace.records() > 10'000);
    CHECK(first_trace.value() == second_trace.value());
    CHECK(first.outcome.summary.fingerprint == second.outcome.summary.fingerprint);
    CHECK(first.json == second.json);
    CHECK(first.outcome.safety_violations + first.outcome.liveness_violations == 0);
  }
}

TEST_CASE("J-S17 another seed, or one more draw late in the run, is another fingerprint") {
  const Ran base = run(kScenario, 1, kShort);
  const Ran other_seed = run(kScenario, 2, kShort);
  CHECK(base.outcome.summary.fingerprint != other_seed.outcome.summary.fingerprint);
  auto longer = kShort;
  longer.push_back("faults.crash=[{process = \"us-east1/cache/0\", at = \"89s\"}]");
  const Ran late_fault = run(kScenario, 1, longer);
  CHECK(base.outcome.summary.fingerprint != late_fault.outcome.summary.fingerprint);
}

TEST_CASE("DESIGN-4 simultaneous events may be reordered, in the same way for one seed") {
  const Ran usual = run(kScenario, 1, kShort);
  auto shuffled = kShort;
  shuffled.push_back("run.shuffle_ties=true");
  const Ran other = run(kScenario, 1, shuffled);
  CHECK(other.outcome.summary.fingerprint != usual.outcome.summary.fingerprint);
  CHECK(run(kScenario, 1, shuffled).json == other.json);
  CHECK(other.outcome.safety_violations + other.outcome.liveness_violations == 0);
}

TEST_CASE("with run.tick all happens at its multiples, and the same seed gives the same run") {
  auto ticking = kShort;
  ticking.insert(ticking.end(), {"run.tick=10ms", "network.jitter_mean=10ms"});
  BetweenTicks first_trace;
  const Ran first = run(kScenario, 1, ticking, &first_trace);
  CHECK(first_trace.records() > 10'000);
  CHECK(first_trace.between() == 0);
  CHECK(first.outcome.safety_violations + first.outcome.liveness_violations == 0);
  CHECK(first.outcome.summary.fingerprint ==
        run(kScenario, 1, ticking).outcome.summary.fingerprint);
}
