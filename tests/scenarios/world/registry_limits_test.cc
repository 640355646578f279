// The registry's limits as scenario keys, in the whole of Photon.
#include <algorithm>
#include <map>
#include <utility>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/kinds.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

const std::string kBase = "tests/mutants/scenarios/base.toml";

Ran sound(const std::string& scenario, const std::vector<std::string>& settings) {
  Ran ran = run(scenario, 1, settings);
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  return ran;
}

// Bytes that replicas have appended to their logs, from where the appends of each segment begin.
class LogBytes final : public photon::trace::Sink {
 public:
  void record(const photon::trace::Record& record) override {
    if (record.header.kind == photon::trace::Kind::operation_applied) ++applied_;
    if (record.header.kind != photon::trace::Kind::paxos_log_written) return;
    const auto& written = record.as<photon::trace::PaxosLogWritten>();
    auto& end = ends_[{record.header.node.value(), written.segment}];
    end = std::max(end, written.offset);
  }
  double per_operation() const {
    double sum = 0;
    for (const auto& [segment, end] : ends_) sum += static_cast<double>(end);
    return sum / static_cast<double>(applied_);
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> ends_{};
  std::uint64_t applied_ = 0;
};

}  // namespace

TEST_CASE("B-77 what replicas store does not grow with the payloads of events") {
  const auto bytes_with = [](const std::string& payload) {
    LogBytes log;
    const Ran ran = run(kBase, 1,
                        {"workload.synthetic.click_payload=" + payload,
                         "workload.synthetic.query_payload=" + payload},
                        &log);
    INFO("replay: " << ran.replay);
    CHECK(ran.outcome.summary.joined > 100);
    return log.per_operation();
  };
  const double small = bytes_with("8B");
  const double large = bytes_with("4KiB");
  INFO("bytes an operation: " << small << " with 8 B payloads, " << large << " with 4 KiB");
  CHECK(small > 10);
  CHECK(large < 1.1 * small);
}

TEST_CASE("B-23 B-31 B-24 the registry's limits are keys that take effect") {
  const Ran plain = sound(kBase, {});
  CHECK(plain.outcome.summary.registry.overloaded == 0);
  SECTION("max_batch_operations = 1: no batching") {
    const Ran ran = sound(kBase, {"registry.max_batch_operations=1"});
    CHECK(ran.outcome.summary.registry.mean_batch == 1.0);
    CHECK(plain.outcome.summary.registry.mean_batch > 1.0);
  }
  SECTION("max_queue: overloaded, retried, and everything is joined") {
    const Ran ran = sound(kBase, {"registry.max_queue=1", "registry.max_bundle=1"});
    CHECK(ran.outcome.summary.registry.overloaded > 20);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  }
  SECTION("max_batch_bytes: more transactions for the same work") {
    const Ran ran = sound(kBase, {"registry.max_batch_bytes=1KiB", "registry.max_bundle=2"});
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  }
  SECTION("pipeline_depth: batches in flight side by side") {
    const Ran ran = sound(kBase, {"registry.pipeline_depth=8"});
    CHECK(ran.outcome.summary.registry.mean_batch < plain.outcome.summary.registry.mean_batch);
    CHECK(ran.outcome.summary.registry.transactions > plain.outcome.summary.registry.transactions);
    for (const char* scenario : {"cut_master", "elections", "lost_replies", "twins"}) {
      static_cast<void>(sound(std::string("tests/mutants/scenarios/") + scenario + ".toml",
                              {"registry.pipeline_depth=4"}));
    }
  }
}
