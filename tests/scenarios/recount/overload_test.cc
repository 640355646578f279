// Whether a run is overloaded, beside a second computation from the raw trace: how near its limit
// each resource was at the end, whether its queue grew, and by how much more than by chance.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/recount/recounts.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {

namespace trace = photon::trace;
using trace::Kind;

// The first measurement of each moment, from the first click to the end of generation.
std::vector<Place> samples_again(const Records& records) {
  std::vector<Place> samples;
  double last = 0;
  bool began = false;
  for (Place place = 0; place < records.size(); ++place) {
    const trace::Record& record = records[place];
    const Kind kind = record.header.kind;
    if (kind == Kind::click_generated || kind == Kind::load_asked) began = true;
    if (kind == Kind::run_phase && record.as<trace::RunPhase>().phase != trace::Phase::started) {
      break;
    }
    if (kind != Kind::resource_used || seconds(record.header.at) == last) continue;
    last = seconds(record.header.at);
    if (began) samples.push_back(place);
  }
  return samples;
}

Trend trend_again(const std::vector<double>& backlog, const std::vector<double>& arrived,
                  double interval) {
  if (backlog.size() < 12) return {};
  const std::size_t size = backlog.size() / 4;
  std::vector<double> means(4), entered(4);
  for (std::size_t back = 0; back < 4 * size; ++back) {
    const std::size_t sample = backlog.size() - 1 - back;
    means[3 - back / size] += backlog[sample] / static_cast<double>(size);
    entered[3 - back / size] += arrived[sample] - (sample == 0 ? 0 : arrived[sample - 1]);
  }
  const double length = interval * static_cast<double>(size);
  // By Little's law a unit waits for backlog / arrivals.
  const auto waits = [&](std::size_t i) {
    return means[i] == 0 ? 0 : means[i] * length / entered[i];
  };
  Trend trend{.rises = true, .growth = (means[3] - means[0]) / (3 * length)};
  double shortest = waits(0);
  for (std::size_t i = 1; i < 4; ++i) {
    trend.rises =
        trend.rises && means[i] - means[i - 1] >= 1 && waits(i) - waits(i - 1) >= length / 100;
    shortest = std::min(shortest, waits(i));
  }
  trend.behind = entered[3] > 0 && waits(3) - shortest >= length / 10;
  // At its capacity as many leave as arrive from the middle of the first quarter to that of the
  // last one, and each arrival and each departure adds its own variance of 1.
  const double arrivals = (entered[0] + entered[3]) / 2 + entered[1] + entered[2];
  if (arrivals > 0) trend.deviations = (means[3] - means[0]) / std::sqrt(arrivals + arrivals);
  if (arrivals > 0) trend.share = (means[3] - means[0]) / arrivals;
  return trend;
}

namespace {

struct Use {
  double late = 0;
  Trend queue{};
};

// Of the answers of joiners that a datacenter's dispatchers had in the measured window: the share
// with one of these outcomes.
double share_of_answers(const Records& records, photon::DatacenterId datacenter,
                        trace::JoinOutcome outcome) {
  const std::vector<Place> samples = samples_again(records);
  double all = 0, such = 0;
  for (Place place = samples.front(); place < records.size(); ++place) {
    const trace::Record& record = records[place];
    if (record.header.kind == Kind::run_phase) break;
    if (record.header.kind != Kind::join_answer ||
        record.header.source != trace::Source::delivered ||
        record.header.datacenter != datacenter) {
      continue;
    }
    ++all;
    if (record.as<trace::JoinAnswer>().outcome == outcome) ++such;
  }
  return all == 0 ? 0 : such / all;
}

// Of each resource of each process in the measured window, by interval.
class UseByInterval {
 public:
  explicit UseByInterval(const Records& records) : samples_(samples_again(records)) {
    const auto offered = [](const trace::Record& record) {
      return record.header.kind == Kind::click_generated || record.header.kind == Kind::load_asked;
    };
    double arrived = 0;
    for (Place place = samples_.front(); place < records.size(); ++place) {
      const trace::Record& record = records[place];
      const auto interval =
          static_cast<std::size_t>(std::ranges::upper_bound(samples_, place) - samples_.begin());
      if (std::ranges::binary_search(samples_, place) && interval > 1) arrived_.push_back(arrived);
      if (offered(record)) ++arrived;
      // The interval of a measurement ends where it stands.
      if (record.header.kind == Kind::resource_used && interval > 1 &&
          record.header.at == records[samples_[interval - 1]].header.at) {
        take(record, interval - 2);
      }
    }
  }

  Use of(trace::Resource resource, photon::NodeId node) const {
    const auto found = resources_.find({resource, node.value()});
    REQUIRE(found != resources_.end());
    const Intervals& use = found->second;
    // The last quarter begins at a whole step: more than 64 intervals are kept in larger ones.
    const std::size_t all = samples_.size() - 1;
    std::size_t step = 1;
    while (step * 64 < all) step *= 2;
    std::size_t first = all - all / 4;
    while (first % step != 0) ++first;
    double used = 0, full = 0;
    for (std::size_t i = first; i < all; ++i) {
      used += use.used[i] / static_cast<double>(all - first);
      full += use.full[i] / static_cast<double>(all - first);
    }
    return {std::max(full, use.limit > 0 ? used / use.limit : 0),
            trend_again(use.waiting, arrived_, interval_)};
  }

 private:
  // Means over each interval.
  struct Intervals {
    std::vector<double> used{}, full{}, waiting{};
    double limit = 0;
  };

  void take(const trace::Record& record, std::size_t interval) {
    const auto& used = record.as<trace::ResourceUsed>();
    Intervals& use = resources_[{used.resource, record.header.node.value()}];
    for (auto* values : {&use.used, &use.full, &use.waiting}) values->resize(samples_.size() - 1);
    const auto length = static_cast<double>(used.nanoseconds);
    interval_ = length / 1e9;
    use.limit = static_cast<double>(used.limit);
    use.used[interval] += static_cast<double>(used.used_sum) / length;
    use.full[interval] += static_cast<double>(used.full_nanoseconds) / length;
    use.waiting[interval] += static_cast<double>(used.waiting_sum) / length;
  }

  std::vector<Place> samples_;
  std::vector<double> arrived_{};  // since the window began, at the end of each interval
  double interval_ = 0;            // seconds
  std::map<std::pair<trace::Resource, std::uint32_t>, Intervals> resources_{};
};

// Those that a process has one of.
const std::map<std::string, trace::Resource> kResources{
    {"processor", trace::Resource::processor},
    {"dispatcher.max_outstanding_lookups", trace::Resource::dispatcher_lookups},
    {"dispatcher.fresh_share", trace::Resource::dispatcher_backlog},
    {"dispatcher.max_outstanding_sends", trace::Resource::dispatcher_sends},
    {"joiner.max_in_flight", trace::Resource::joiner_clicks},
    {"joiner.max_outstanding_per_shard", trace::Resource::joiner_shard},
    {"registry.max_queue", trace::Resource::registry_queue}};

photon::DatacenterId datacenter_of(const Records& records, photon::NodeId node) {
  const auto own = std::ranges::find_if(records, [&](const trace::Record& record) {
    return record.header.kind == Kind::resource_used && record.header.node == node;
  });
  REQUIRE(own != records.end());
  return own->header.datacenter;
}

// Refusals are charged to the limit of a joiner that was used up: of those that throttle, to one.
void check_refusals(const std::vector<photon::analysis::ResourceFigures>& resources,
                    const std::vector<std::string>& paths, const Records& records) {
  std::map<std::string, double> throttled;
  for (const photon::analysis::ResourceFigures& each : resources) {
    const bool throttles = each.name == "joiner.max_window" ||
                           each.name == "joiner.max_outstanding_registry" ||
                           each.name == "joiner.max_outstanding_per_shard";
    if (throttles) throttled[each.where] += each.refused;
    if (each.name != "joiner.max_in_flight") continue;
    const auto node =
        static_cast<std::uint32_t>(std::ranges::find(paths, each.where) - paths.begin());
    const photon::DatacenterId datacenter = datacenter_of(records, photon::NodeId(node));
    CHECK(each.refused ==
          Approx(share_of_answers(records, datacenter, trace::JoinOutcome::too_many_in_flight)));
  }
  for (const auto& [where, share] : throttled) {
    const auto node = static_cast<std::uint32_t>(std::ranges::find(paths, where) - paths.begin());
    const photon::DatacenterId datacenter = datacenter_of(records, photon::NodeId(node));
    CHECK(share ==
          Approx(share_of_answers(records, datacenter, trace::JoinOutcome::registry_throttled)));
  }
}

struct Overload {
  photon::analysis::CapacityFigures capacity{};
  Trend backlog{}, unfinished{};
  int growing = 0;  // resources whose queue surely grows
};

// A pipeline that falls behind alone is accused only if it lacks much of what it needs: 40 % in a
// window of a minute, 20 % in one of four.
void check_alone(const Overload& run) {
  const double much = 0.4 / std::sqrt(run.capacity.seconds / 60);
  const auto surely = [](const Trend& trend, double deviations) {
    return trend.rises && trend.deviations >= deviations;
  };
  if (run.capacity.joined_elsewhere) {
    CHECK(surely(run.backlog, 4));
    CHECK_FALSE(surely(run.unfinished, 12));
    CHECK(run.backlog.share < much);
    CHECK_FALSE(run.capacity.stationary.has_value());
  } else if (run.capacity.stationary == false && run.capacity.growing_queue.empty()) {
    CHECK(surely(run.backlog, 4));
    CHECK((surely(run.unfinished, 8) || run.backlog.share >= much));
  }
}

// Compares every resource of a run.
Overload checked(const Recipe& recipe, std::uint64_t seed = 1) {
  CAPTURE(recipe.scenario, recipe.overrides, seed);
  const auto loaded = scenarios::load(recipe.scenario, recipe.overrides);
  REQUIRE(loaded);
  Recorded recorded;
  const Ran ran = run(recipe.scenario, seed, recipe.overrides, &recorded);
  const UseByInterval again(recorded.records);
  const auto paths = scenarios::places_of(loaded.config()).processes;
  Overload result{ran.outcome.summary.capacity, worst_backlog_again(recorded.records),
                  unfinished_again(recorded.records)};
  int compared = 0;
  for (const photon::analysis::ResourceFigures& each : result.capacity.resources) {
    const auto resource = kResources.find(each.name);
    if (resource == kResources.end()) continue;
    CAPTURE(each.name, each.where);
    const auto path = std::ranges::find(paths, each.where);
    REQUIRE(path != paths.end());
    const Use use = again.of(resource->second,
                             photon::NodeId(static_cast<std::uint32_t>(path - paths.begin())));
    CHECK(each.late == Approx(use.late).epsilon(1e-9).margin(1e-12));
    CHECK(each.queue_growth == Approx(use.queue.growth).epsilon(1e-9).margin(1e-12));
    CHECK(each.queue_grows == (use.queue.rises && use.queue.deviations >= 4));
    result.growing += each.queue_grows ? 1 : 0;
    ++compared;
  }
  CHECK(compared > 10);
  check_refusals(result.capacity.resources, paths, recorded.records);
  check_alone(result);
  return result;
}

// Photon's deployment with queries that come soon after each other.
Recipe with(std::vector<std::string> more) {
  for (const char* each : {"run.warm_up=10s", "workload.synthetic.fast_fraction=1",
                           "workload.synthetic.fast_mean=2s"}) {
    more.emplace_back(each);
  }
  return {"scenarios/photon_base.toml", more};
}

}  // namespace
}  // namespace photonsim::tests

using namespace photonsim::tests;

TEST_CASE("recount: late use, growing queues and the verdict on them are those of the raw trace",
          "[sweep]") {
  const Overload overloaded = checked(
      with({"run.duration=60s", "workload.synthetic.rate=150", "service.dispatcher_step=9ms"}));
  CHECK(overloaded.backlog.rises);
  CHECK(overloaded.backlog.deviations >= 4);
  CHECK(overloaded.capacity.stationary == false);

  const Overload caches = checked(
      with({"run.duration=60s", "workload.synthetic.rate=300", "service.cache_lookup=30ms"}));
  CHECK_FALSE(caches.capacity.growing_queue.empty());
  CHECK(caches.growing > 0);

  const Overload burst =
      checked(with({"run.duration=60s", "workload.synthetic.rate=50", "service.dispatcher_step=5ms",
                    "workload.synthetic.burst=[{at=\"45s\",for=\"15s\",factor=8}]"}));
  CHECK_FALSE(burst.backlog.rises);
  CHECK(burst.backlog.behind);
  CHECK(burst.capacity.ends_behind);

  // Refused clicks wait for their retry, and meanwhile the joiner has room.
  const Overload refusing =
      checked(with({"run.duration=60s", "workload.synthetic.rate=500", "joiner.count=1",
                    "joiner.max_in_flight=40", "dispatcher.max_outstanding_lookups=60"}));
  CHECK_THAT(refusing.capacity.binding, Catch::StartsWith("joiner.max_in_flight in "));
  const Overload throttled = checked(
      with({"run.duration=60s", "workload.synthetic.rate=300", "joiner.count=1",
            "joiner.max_outstanding_registry=12", "dispatcher.max_outstanding_lookups=60"}));
  CHECK_THAT(throttled.capacity.binding, Catch::StartsWith("joiner.max_window in "));

  const Overload sharded =
      checked(with({"run.duration=60s", "workload.synthetic.rate=300", "joiner.count=1",
                    "registry.shards=1", "joiner.max_outstanding_per_shard=6",
                    "joiner.max_window=200", "dispatcher.max_outstanding_lookups=60"}));
  CHECK_THAT(sharded.capacity.binding, Catch::StartsWith("joiner.max_outstanding_per_shard in "));
  for (const photon::analysis::ResourceFigures& each : sharded.capacity.resources) {
    if (each.datacenter != "us-west1") continue;
    if (each.name == "joiner.max_outstanding_per_shard") CHECK(each.refused > 0.5);
    if (each.name == "joiner.max_window") CHECK(each.refused == 0);
  }
}

TEST_CASE("recount: near its capacity a run is not accused for what chance explains", "[sweep]") {
  // Near their capacity pipelines lead in turn.
  const auto look_ups = [&](int limit, const char* duration) {
    return with({fmt::format("run.duration={}", duration), "workload.synthetic.rate=200",
                 "registry.shards=1", fmt::format("dispatcher.max_outstanding_lookups={}", limit)});
  };
  const Overload near = checked(look_ups(20, "50s"), 2);
  CHECK(near.capacity.joined_elsewhere);
  CHECK(near.capacity.suspect == "dispatcher.max_outstanding_lookups in us-west1");
  const Overload far = checked(look_ups(8, "70s"), 2);
  CHECK(far.capacity.stationary == false);
  CHECK(far.capacity.binding == "dispatcher.max_outstanding_lookups in us-west1");
  CHECK(far.unfinished.deviations < 8);

  // Near its capacity a backlog also grows by chance: then the run is not surely overloaded.
  int by_chance = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Overload sound = checked(
        with({"run.duration=40s", "workload.synthetic.clicks=3000", "service.dispatcher_step=6ms"}),
        seed);
    CHECK(sound.capacity.stationary.value_or(true));
    if (!sound.backlog.rises) continue;
    CHECK(sound.backlog.deviations < 4);
    ++by_chance;
  }
  CHECK(by_chance > 0);
}
