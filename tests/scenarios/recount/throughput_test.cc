// Service and growth of the backlog in the measured window, beside a second computation from the
// raw trace: at each sample all clicks are counted anew.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "tests/scenarios/recount/recounts.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

namespace trace = photon::trace;
using trace::Kind;
using trace::Source;

// A click at one pipeline.
struct At {
  Place readable = kNowhere, done = kNowhere;
  Place damaged = kNowhere;  // its record cannot be read from this copy
  // Where an operator skipped it (true), and where it was brought back.
  std::vector<std::pair<Place, bool>> skips{};
  // Where its query was not found (true), and where it was sent to a joiner again.
  std::vector<std::pair<Place, bool>> tries{};

  static bool last(const std::vector<std::pair<Place, bool>>& changes, Place before) {
    bool now = false;
    for (const auto& [place, to] : changes) {
      if (place < before) now = to;
    }
    return now;
  }
  bool waits(Place before) const {
    if (readable >= before || done < before || damaged < before) return false;
    return !last(tries, before) && !last(skips, before);
  }
};

using Curve = std::vector<double>;

class Window {
 public:
  explicit Window(const Records& records) : records_(records), samples_(samples_again(records)) {
    for (Place place = 0; place < records_.size(); ++place) take(place);
  }

  Figures figures() const {
    if (samples_.size() < 2) return {};
    const double from = at(samples_.front()), to = at(samples_.back());
    const double offered = static_cast<double>(between(offered_)) / (to - from);
    return {{"capacity.offered_per_second", offered},
            {"capacity.served_per_second", static_cast<double>(between(served_)) / (to - from)},
            {"capacity.backlog_growth_per_second", worst().growth},
            {"capacity.unfinished_growth_per_second", unfinished().growth}};
  }

  // The worst: one that rises throughout, then one that ends long, then the fastest.
  Trend worst() const {
    const auto badness = [](const Trend& trend) {
      return std::pair(trend.rises ? 2 : trend.behind ? 1 : 0, trend.growth);
    };
    std::vector<Trend> trends;
    for (const auto& [backlog, arrived] : backlogs()) {
      trends.push_back(trend_again(backlog, arrived, interval()));
    }
    return std::ranges::max(trends, {}, badness);
  }

  // Of the clicks that a pipeline can go on with and that none has finished.
  Trend unfinished() const {
    if (pipelines_.size() < 2) return worst();
    std::set<Id> clicks;
    for (const auto& [where, own] : pipelines_) {
      for (const auto& [click, at] : own) clicks.insert(click);
    }
    Curve backlog, arrived;
    for (const Place sample : samples_) {
      double waiting = 0, readable = 0;
      for (const Id& click : clicks) {
        int waits = 0, done = 0, reads = 0;
        for (const auto& [where, own] : pipelines_) {
          const auto found = own.find(click);
          if (found == own.end()) continue;
          waits += found->second.waits(sample) ? 1 : 0;
          done += found->second.done < sample ? 1 : 0;
          reads += found->second.readable < sample ? 1 : 0;
        }
        waiting += waits > 0 && done == 0 ? 1 : 0;
        readable += reads > 0 ? 1 : 0;
      }
      backlog.push_back(waiting);
      arrived.push_back(readable);
    }
    return trend_again(backlog, arrived, interval());
  }

 private:
  double interval() const {
    return (at(samples_.back()) - at(samples_.front())) / static_cast<double>(samples_.size() - 1);
  }
  double at(Place place) const { return seconds(records_[place].header.at); }

  std::size_t between(const std::vector<Place>& places) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        places, [&](Place place) { return place >= samples_.front() && place < samples_.back(); }));
  }
  static std::size_t before(const std::vector<Place>& places, Place end) {
    return static_cast<std::size_t>(
        std::ranges::count_if(places, [&](Place place) { return place < end; }));
  }

  void take(Place place) {
    const trace::Record& record = records_[place];
    const std::uint32_t where = record.header.datacenter.value();
    switch (record.header.kind) {
      case Kind::click_generated: {
        const auto& click = record.as<trace::ClickGenerated>();
        offered_.push_back(place);
        files_[click.click_file].emplace_back(click.click_end, key(click.click));
        return;
      }
      case Kind::load_asked:
      case Kind::load_done:
      case Kind::process_crashed:
        return take_call(place);
      case Kind::log_visible: {
        const auto& visible = record.as<trace::LogVisible>();
        auto& pipeline = pipelines_[where];
        for (const auto& [end, click] : files_[visible.file]) {
          if (end > visible.length) continue;
          Place& readable = pipeline[click].readable;
          readable = std::min(readable, place);
        }
        return;
      }
      case Kind::click_done: {
        const Id click = key(record.as<trace::ClickDone>().click);
        if (done_.insert(click).second) served_.push_back(place);
        Place& done = pipelines_[where][click].done;
        done = std::min(done, place);
        return;
      }
      case Kind::join_answer: {
        const auto& answer = record.as<trace::JoinAnswer>();
        if (record.header.source != Source::delivered) return;
        if (answer.outcome != trace::JoinOutcome::query_not_found) return;
        pipelines_[where][key(answer.click)].tries.emplace_back(place, true);
        return;
      }
      case Kind::input_damaged: {
        const auto& damaged = record.as<trace::InputDamaged>();
        if (damaged.click != 0) pipelines_[where][key(damaged.event)].damaged = place;
        return;
      }
      case Kind::range_skipped: {
        if (record.header.source != Source::durable) return;
        const auto& range = record.as<trace::RangeSkipped>();
        for (const auto& [end, click] : files_[range.file]) {
          if (end <= range.offset) pipelines_[where][click].skips.emplace_back(place, true);
        }
        return;
      }
      case Kind::click_reinjected: {
        if (record.header.source != Source::durable) return;
        const Id click = key(record.as<trace::ClickReinjected>().click);
        pipelines_[where][click].skips.emplace_back(place, false);
        return;
      }
      case Kind::join_ask:
        if (record.header.source != Source::sent) return;
        pipelines_[where][key(record.as<trace::JoinAsk>().click)].tries.emplace_back(place, false);
        return;
      default:
        return;
    }
  }

  // Of a registry alone.
  void take_call(Place place) {
    const trace::Record& record = records_[place];
    auto& calls = calls_[record.header.node.value()];
    if (record.header.kind == Kind::load_asked) {
      offered_.push_back(place);
      calls.insert(record.as<trace::LoadAsked>().number);
    } else if (record.header.kind == Kind::load_done) {
      served_.push_back(place);
      calls.erase(record.as<trace::LoadDone>().number);
    } else {
      abandoned_.insert(abandoned_.end(), calls.size(), place);
      calls.clear();
    }
  }

  // The backlog at each sample, and what had entered it: of each pipeline, or of a registry alone.
  std::vector<std::pair<Curve, Curve>> backlogs() const {
    std::vector<std::pair<Curve, Curve>> all;
    for (const auto& [where, clicks] : pipelines_) {
      auto& [backlog, arrived] = all.emplace_back();
      for (const Place sample : samples_) {
        backlog.push_back(static_cast<double>(std::ranges::count_if(
            clicks, [&](const auto& click) { return click.second.waits(sample); })));
        arrived.push_back(static_cast<double>(std::ranges::count_if(
            clicks, [&](const auto& click) { return click.second.readable < sample; })));
      }
    }
    if (!all.empty()) return all;
    auto& [backlog, arrived] = all.emplace_back();
    for (const Place sample : samples_) {
      const auto gone = before(served_, sample) + before(abandoned_, sample);
      arrived.push_back(static_cast<double>(before(offered_, sample)));
      backlog.push_back(arrived.back() - static_cast<double>(gone));
    }
    return all;
  }

  const Records& records_;
  std::vector<Place> samples_{}, offered_{}, served_{}, abandoned_{};
  std::map<std::uint32_t, std::set<std::uint64_t>> calls_{};  // without an answer, by client
  std::set<Id> done_{};
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, Id>>> files_{};  // clicks by end
  std::map<std::uint32_t, std::map<Id, At>> pipelines_{};                       // by datacenter
};

}  // namespace

Figures capacity_again(const Trace& run) { return Window(run.records).figures(); }

Trend worst_backlog_again(const Records& records) { return Window(records).worst(); }
Trend unfinished_again(const Records& records) { return Window(records).unfinished(); }

}  // namespace photonsim::tests

using namespace photonsim::tests;

namespace {

const std::vector<std::string> kDyingClients{
    "run.duration=60s", "workload.registry.rate=200",
    "faults.random=[{kind=\"process_crash\",target=\"client\",mean_interval=\"3s\",restart_after="
    "\"200ms\"}]"};

}  // namespace

TEST_CASE("capacity: a run in which operators skip a backlog is stationary afterwards") {
  const Ran ran = run("scenarios/lost_state_both.toml", 1);
  REQUIRE(ran.outcome.summary.capacity.stationary.has_value());
  CHECK(*ran.outcome.summary.capacity.stationary);
}

TEST_CASE("capacity: calls of clients that died are no backlog") {
  const Ran ran = run("scenarios/registry/quiet.toml", 1, kDyingClients);
  CHECK(ran.outcome.summary.load.abandoned > 50);
  CHECK(ran.outcome.summary.capacity.stationary == true);
}

TEST_CASE("recount: what was served, and how the backlog grew, are those of the raw trace") {
  check_runs({{"scenarios/healthy.toml", {}},
              {"scenarios/recovery.toml", {"run.duration=4min", "faults.outage=[]"}},
              {"scenarios/lost_state.toml", {}},
              {"scenarios/lost_output.toml", {}},
              {"tests/mutants/scenarios/forgotten.toml", {}},
              {"scenarios/partitioned_joiner.toml", {}},
              {"scenarios/corner/BC-31.toml", {}},
              {"tests/mutants/scenarios/late_queries.toml", {}},
              {"scenarios/registry/quiet.toml", {"run.duration=30s", "workload.registry.rate=300"}},
              {"scenarios/registry/quiet.toml", kDyingClients}},
             capacity_again,
             {"capacity.offered_per_second", "capacity.served_per_second",
              "capacity.backlog_growth_per_second", "capacity.unfinished_growth_per_second"});
}
