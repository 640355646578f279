// Events, their stamps and their logs end to end; how stages hand clicks on.
#include <algorithm>
#include <map>
#include <set>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;
using photon::EventId;

namespace {

const std::string kHealthy = "scenarios/healthy.toml";

// A minute of some hundred clicks, with more settings.
std::vector<std::string> short_run(std::vector<std::string> more) {
  more.insert(more.begin(),
              {"run.duration=60s", "run.warm_up=5s", "workload.synthetic.clicks=500"});
  return more;
}

void require_all_joined(const Ran& ran) {
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.generated > 400);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
}

// Each click, as the trace records it.
class Clicks final : public trace::Sink {
 public:
  struct Click {
    EventId query;
    std::uint32_t file = 0;
    std::uint64_t end = 0;
    std::map<std::uint32_t, photon::SimTime> read{};  // by datacenter, first
    std::uint64_t failures = 0;                       // answers of joiners but successes
    std::uint64_t asks = 0;
    std::uint64_t stored_before_output = 0;  // facts of storage about it, before its output
    bool output = false;
  };

  void record(const trace::Record& record) override {
    watch_message(record);
    switch (record.header.kind) {
      case trace::Kind::click_generated: {
        const auto& fact = record.as<trace::ClickGenerated>();
        Click& click = clicks[fact.click];
        click.query = fact.query;
        click.file = fact.click_file;
        click.end = fact.click_end;
        return;
      }
      case trace::Kind::log_visible: {
        const auto& fact = record.as<trace::LogVisible>();
        visible[{record.header.datacenter.value(), fact.file}] = fact.length;
        return;
      }
      case trace::Kind::click_read:
        return on_read(record, record.as<trace::ClickRead>());
      case trace::Kind::join_ask:
        if (record.header.source == trace::Source::sent) {
          ++clicks[record.as<trace::JoinAsk>().click].asks;
        }
        return;
      case trace::Kind::join_answer:
        if (record.header.source == trace::Source::sent &&
            !trace::is_success(record.as<trace::JoinAnswer>().outcome)) {
          ++clicks[record.as<trace::JoinAnswer>().click].failures;
        }
        return;
      case trace::Kind::retry_saved:
        return on_stored(record.as<trace::RetrySaved>().click);
      case trace::Kind::unjoinable_logged:
        return on_stored(record.as<trace::UnjoinableLogged>().click);
      case trace::Kind::output_record:
        clicks[record.as<trace::OutputRecord>().click].output = true;
        return;
      default:
        return;
    }
  }

  std::map<EventId, Click> clicks;
  std::uint64_t messages_abroad = 0;  // between the pipelines' processes of two datacenters
  std::uint64_t read_too_early = 0;   // before its bytes had reached the reader's datacenter

 private:
  // All messages of dispatchers, joiners and EventStores about clicks.
  void watch_message(const trace::Record& record) {
    const trace::Header& header = record.header;
    if (header.kind == trace::Kind::process_started) places[header.node] = header.datacenter;
    const bool between_stages =
        header.kind == trace::Kind::join_ask || header.kind == trace::Kind::join_answer ||
        header.kind == trace::Kind::query_ask || header.kind == trace::Kind::query_answer;
    if (!between_stages || header.source != trace::Source::sent) return;
    if (places.at(header.node) != places.at(header.peer)) ++messages_abroad;
  }
  void on_read(const trace::Record& record, const trace::ClickRead& read) {
    const std::uint32_t datacenter = record.header.datacenter.value();
    clicks[read.click].read.try_emplace(datacenter, record.header.at);
    if (visible[{datacenter, read.file}] < read.end) ++read_too_early;
  }
  void on_stored(const EventId& id) {
    if (!clicks[id].output) ++clicks[id].stored_before_output;
  }

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> visible;
  std::map<photon::NodeId, photon::DatacenterId> places;
};

}  // namespace

TEST_CASE("A-06 clicks whose stamps precede their queries' are joined like any other") {
  Clicks trace;
  const Ran ran = run(
      kHealthy, 3,
      short_run({"clocks.epsilon=10s", "clocks.sync_error=9s", "workload.synthetic.fast_mean=1s"}),
      &trace);
  require_all_joined(ran);
  std::uint64_t before = 0;
  for (const auto& [id, click] : trace.clicks) before += id.stamp < click.query.stamp ? 1 : 0;
  CHECK(before > 50);
}

TEST_CASE("A-04 A-21 queries that arrive long after their clicks cost time, not clicks") {
  const Ran late =
      run(kHealthy, 4,
          short_run({"shipping.query_late_fraction=0.5", "shipping.query_late_extra_mean=60s"}));
  require_all_joined(late);
  const Ran ran = run(kHealthy, 4, short_run({"shipping.query_late_fraction=0"}));
  require_all_joined(ran);
  CHECK(late.outcome.summary.latency.p50 > 2 * ran.outcome.summary.latency.p50);
}

TEST_CASE("A-20 each click reaches every pipeline's datacenter, which reads its own copy") {
  Clicks trace;
  const Ran ran = run(kHealthy, 5, short_run({}), &trace);
  require_all_joined(ran);
  CHECK(trace.read_too_early == 0);
  std::uint64_t apart = 0;
  for (const auto& [id, click] : trace.clicks) {
    REQUIRE(click.read.size() == 2);
    const auto first = click.read.begin()->second;
    const auto second = click.read.rbegin()->second;
    // Scans of one copy lie at most one and a half periods apart.
    constexpr auto kScans = std::chrono::milliseconds(1600);
    if (first - second > kScans || second - first > kScans) ++apart;
  }
  CHECK(apart > 20);  // copies arrive apart: reading another datacenter's would be too early
}

TEST_CASE("C-35 pipelines exchange no messages: only the registry connects them") {
  Clicks trace;
  const Ran ran = run(kHealthy, 8, short_run({}), &trace);
  require_all_joined(ran);
  CHECK(trace.messages_abroad == 0);
  std::uint64_t asks = 0;
  for (const auto& [id, click] : trace.clicks) asks += click.asks;
  CHECK(asks >= ran.outcome.summary.joined);
}

TEST_CASE("D-24 between its log and the output nothing about a click is written to a disk") {
  Clicks trace;
  const Ran ran =
      run(kHealthy, 6, short_run({"shipping.query_late_fraction=0", "network.loss=0"}), &trace);
  require_all_joined(ran);
  std::uint64_t straight = 0;
  for (const auto& [id, click] : trace.clicks) {
    if (click.failures > 0) continue;  // it was saved in a retry store
    REQUIRE(click.output);
    CHECK(click.stored_before_output == 0);
    ++straight;
  }
  CHECK(straight > 300);
}

TEST_CASE("D-24 of ten messages one is lost and one duplicated: every click is joined, once") {
  const Ran ran = run(kHealthy, 7, short_run({"network.loss=0.1", "network.duplication=0.1"}));
  require_all_joined(ran);
  CHECK(ran.json.find("\"duplicates\":0") != std::string::npos);
}

TEST_CASE("DESIGN-6 marks are reported by the second of the run in which they were hit") {
  using photonsim::scenarios::Moment;
  const auto moments_of = [](std::vector<std::string> more) {
    const auto loaded = photonsim::scenarios::load(kHealthy, short_run(std::move(more)));
    REQUIRE(loaded);
    photonsim::scenarios::RunRequest request{&loaded.config(), 2, nullptr, nullptr};
    request.moments = true;
    return photonsim::scenarios::run_scenario(request).assume_value().moments;
  };
  const std::vector<Moment> usual = moments_of({});
  for (std::size_t i = 1; i < usual.size(); ++i) CHECK(usual[i - 1].second < usual[i].second);
  // Nothing differs until the master dies, and then the others react at once.
  const std::vector<Moment> other = moments_of(
      {R"(operations.kill_master=[{group="registry/0",at="30400ms",restart_after="1s"}])"});
  const auto [one, two] = std::ranges::mismatch(usual, other, [](const Moment& a, const Moment& b) {
    return a.second == b.second && a.marks == b.marks;
  });
  REQUIRE(two != other.end());
  CHECK(two->second == 30);
}
