// Dispatchers end to end: many workers on the same logs, and a start without state.
#include <algorithm>
#include <map>
#include <set>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;

namespace {

const std::string kHealthy = "scenarios/healthy.toml";

// What G-13 needs, of the dispatcher that is down for long and of the pipeline that is not.
class CatchUp final : public photon::trace::Sink {
 public:
  void record(const photon::trace::Record& record) override {
    using photon::trace::Kind;
    switch (record.header.kind) {
      case Kind::process_started:
        if (record.header.datacenter == kAway &&
            record.as<photon::trace::ProcessStarted>().role == kDispatcherRole) {
          if (away_ != photon::kNoNode) back_at = record.header.at;
          away_ = record.header.node;
        }
        return;
      case Kind::click_generated:
        ++generated_;
        return;
      case Kind::registry_ask:
        return on_ask(record);
      case Kind::registry_answer:
        return on_answer(record);
      case Kind::join_ask:
        if (record.header.source != photon::trace::Source::sent) return;
        return come_to(record, record.as<photon::trace::JoinAsk>().click);
      default:
        return;
    }
  }

  double look_up_mean() const { return look_ups_ / static_cast<double>(answered_); }
  // Seconds from the return until it requests a recent click.
  double took() const { return seconds(caught_up_at - back_at); }
  // Of the other pipeline, before, and while this one catches up.
  double insert_p99_before() const { return p99(before_); }
  double insert_p99_during() const { return p99(during_); }
  std::uint64_t backlog = 0;  // generated and not requested when it came back

  photon::SimTime back_at{};
  photon::SimTime caught_up_at{};

 private:
  static constexpr photon::DatacenterId kAway{0};
  static constexpr std::uint32_t kDispatcherRole = 1;
  static constexpr std::chrono::seconds kFresh{20};

  static double p99(std::vector<double> all) {
    std::ranges::sort(all);
    return all.at(all.size() * 99 / 100);
  }
  static double seconds(photon::Duration time) { return static_cast<double>(time.count()) / 1e9; }
  bool is_back() const { return back_at != photon::SimTime{}; }
  bool caught_up() const { return caught_up_at != photon::SimTime{}; }

  void on_ask(const photon::trace::Record& record) {
    const auto& ask = record.as<photon::trace::RegistryAsk>();
    if (record.header.source != photon::trace::Source::sent) return;
    if (ask.operation == photon::trace::RegistryOperation::insert) {
      inserted_.try_emplace(ask.id, record.header.at);
      return;
    }
    if (record.header.node != away_) return;
    asked_at_[ask.id] = record.header.at;
    come_to(record, ask.id);
  }

  void come_to(const photon::trace::Record& record, const photon::EventId& click) {
    if (record.header.node != away_ || !seen_.insert(click).second || !is_back()) return;
    if (backlog == 0) backlog = generated_ - (seen_.size() - 1);
    const auto age = record.header.local.time_since_epoch() - click.stamp.time_since_epoch();
    if (!caught_up() && age < kFresh) caught_up_at = record.header.at;
  }

  void on_answer(const photon::trace::Record& record) {
    const auto& answer = record.as<photon::trace::RegistryAnswer>();
    if (record.header.source != photon::trace::Source::delivered) return;
    if (answer.operation == photon::trace::RegistryOperation::insert) {
      const auto asked = inserted_.find(answer.id);
      if (record.header.datacenter == kAway || asked == inserted_.end()) return;
      const double took = seconds(record.header.at - asked->second);
      if (!is_back()) before_.push_back(took);
      if (is_back() && !caught_up()) during_.push_back(took);
      return;
    }
    const auto asked = asked_at_.find(answer.id);
    if (record.header.node != away_ || is_back() || asked == asked_at_.end()) return;
    look_ups_ += seconds(record.header.at - asked->second);
    ++answered_;
  }

  photon::NodeId away_ = photon::kNoNode;
  std::uint64_t generated_ = 0;
  std::set<photon::EventId> seen_;
  std::map<photon::EventId, photon::SimTime> asked_at_;
  std::map<photon::EventId, photon::SimTime> inserted_;
  std::vector<double> before_;
  std::vector<double> during_;
  double look_ups_ = 0;
  std::uint64_t answered_ = 0;
};

std::uint64_t effective(const Ran& ran, const std::string& what) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(ran.outcome.summary.faults, [&](const auto& each) {
        return each.effective && each.description.find(what) != std::string::npos;
      }));
}

}  // namespace

TEST_CASE("C-06 J-S14 three workers a pipeline that crash and stall repeatedly: nothing is lost") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Ran ran = run(
        kHealthy, seed,
        {"dispatcher.workers=3", "dispatcher.lease=6s",
         "faults.random=[{kind = \"process_pause\", target = \"dispatcher\", mean_interval = "
         "\"15s\", mean_duration = \"12s\"}, {kind = \"process_crash\", target = \"dispatcher\", "
         "mean_interval = \"20s\", restart_after = \"10s\"}]"});
    require_clean(ran);
    CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
    CHECK(effective(ran, "long_pause") > 5);  // partitions change hands
    CHECK(effective(ran, "process_crash") > 5);
  }
}

TEST_CASE("C-32 a start without state while the other pipeline works: nothing is lost") {
  const Ran ran = run("scenarios/lost_state.toml", 1);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(lost(ran) == 0);
  // The clicks that the operator skipped are reported.
  REQUIRE(ran.outcome.summary.operations.size() == 1);
  const std::string& end = ran.outcome.summary.operations[0];
  CHECK_THAT(end, Catch::Contains("us-east1") && Catch::EndsWith("files were skipped"));
  CHECK_THAT(end, !Catch::Contains(" 0 bytes"));
}

TEST_CASE("C-32 F-16 J.2 a start without state on both sides: L-operator, and verification") {
  const Ran ran = run("scenarios/lost_state_both.toml", 1);
  require_clean(ran);
  CHECK(lost_by(ran, "L-operator") > 50);
  CHECK(lost(ran) == lost_by(ran, "L-operator"));
  CHECK(ran.outcome.summary.joined + lost(ran) == ran.outcome.summary.generated);

  const Ran back = run("scenarios/lost_state_both.toml", 1, {"verification.enabled=true"});
  require_clean(back);
  CHECK(lost(back) == 0);
  CHECK(back.outcome.summary.joined == back.outcome.summary.generated);
}

// A hundredth of the paper's times; the same file runs at full length from the command line.
TEST_CASE("C-31 C-33 G-13 J-P3 two days down, time-compressed by 100: caught up as predicted") {
  const std::string scaled = "scenarios/two_day_downtime_scaled.toml";
  CatchUp seen;
  const Ran ran = run(scaled, 1, {}, &seen);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.backlog_windows > 0);  // so J-P3 had an obligation
  // One look-up at a time: the rate is one by the time that a look-up takes.
  const double rate = 1 / seen.look_up_mean();
  const double arrivals = static_cast<double>(ran.outcome.summary.generated) / (37 * 60 - 36);
  const double predicted = static_cast<double>(seen.backlog) / (rate - arrivals);
  CAPTURE(rate, arrivals, seen.backlog, predicted, seen.took());
  CHECK(rate > 10 * arrivals);
  CHECK(seen.backlog > 1000);
  CHECK(seen.took() > 0.9 * predicted);
  CHECK(seen.took() < 1.1 * predicted);
  // The healthy side is hardly affected.
  CHECK(seen.insert_p99_during() < 1.2 * seen.insert_p99_before());

  // Without the look-up each click of the backlog is joined again, needlessly.
  const std::vector<std::string> one_at_a_time{"dispatcher.max_outstanding_sends=1"};
  CatchUp with;
  require_clean(run(scaled, 1, one_at_a_time, &with));
  CatchUp without;
  const Ran blind = run(
      scaled, 1, {"dispatcher.max_outstanding_sends=1", "dispatcher.pre_lookup=false"}, &without);
  require_clean(blind);
  CHECK(blind.outcome.summary.joined == blind.outcome.summary.generated);
  CAPTURE(with.took(), without.took());
  CHECK(without.took() > 1.2 * with.took());
}

// With the registry elsewhere, a cut between the two datacenters of the pipelines has no message to
// cut.
TEST_CASE("C-35 pipelines never talk to each other: there is no message between them to lose") {
  const std::vector<std::string> apart{"registry.replicas=us-east4,us-west2,us-central1",
                                       "faults.partition=[{from = [\"us-east1\"], to = "
                                       "[\"us-west1\"], at = \"0s\", for = \"5min\"}]"};
  const Ran ran = run(kHealthy, 1, apart);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.inert_faults.size() == 1);
  // The same cut takes effect where a replica stands on each side.
  const Ran felt = run(kHealthy, 1, {apart[1]});
  CHECK(felt.outcome.summary.inert_faults.empty());
}
