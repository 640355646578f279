// One shard of the registry is down: the effect on clicks of the others. Without the pre-look-up:
// with it, clicks whose shard does not answer stay with the dispatcher and never reach a joiner.

#include "core_impl/trace/pipeline.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
using namespace std::chrono_literals;
namespace trace = photon::trace;

namespace {

constexpr photon::SimTime kFrom{60s};  // the shard is down from 40 s to 100 s
constexpr photon::SimTime kTo{100s};

// Joined records in that time, and clicks generated.
class Meanwhile final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    if (record.header.at < kFrom || record.header.at >= kTo) return;
    if (record.header.kind == trace::Kind::click_generated) ++generated;
    const bool durable = record.header.source == trace::Source::durable;
    if (record.header.kind == trace::Kind::output_record && durable) ++joined;
  }
  double share() const { return static_cast<double>(joined) / static_cast<double>(generated); }
  std::uint64_t generated = 0;
  std::uint64_t joined = 0;
};

// Three of five replicas of shard 0.
std::string shard_down() {
  std::string list;
  for (const char* place : {"us-east1", "us-west1", "us-central1"}) {
    list += (list.empty() ? "" : ",") + std::string(R"({process="registry/0@)") + place +
            R"(",at="40s",restart_after="60s"})";
  }
  return "faults.crash=[" + list + "]";
}

double joined_meanwhile(const std::string& per_shard) {
  Meanwhile meanwhile;
  const Ran ran = run("scenarios/healthy.toml", 5,
                      {shard_down(), per_shard, "run.duration=120s",
                       "workload.synthetic.clicks=1200", "joiner.max_outstanding_registry=8",
                       "topology.pipelines=us-east1", "dispatcher.pre_lookup=false"},
                      &meanwhile);
  CAPTURE(ran.json);
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);  // in the end
  REQUIRE(meanwhile.generated > 300);
  return meanwhile.share();
}

}  // namespace

TEST_CASE("D-22 one shard of four is down: a cap for each shard keeps the other three working") {
  const double with = joined_meanwhile("joiner.max_outstanding_per_shard=2");
  const double without = joined_meanwhile("joiner.max_outstanding_per_shard=0");
  CAPTURE(with, without);
  CHECK(with > 0.6);
  CHECK(without < 0.3);
}
