// The use of resources in a report, beside a second computation from the messages of the raw trace;
// and overloaded deployments, each bound by another resource.
#include "analysis/capacity/capacity.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/predicted_figures.h"
#include "scenarios/language/predicted_use.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::tests;
namespace trace = photon::trace;
using photon::analysis::CapacityFigures;
using photon::analysis::ResourceFigures;

namespace {

class Recorded final : public trace::Sink {
 public:
  void record(const trace::Record& record) override { records.push_back(record); }
  std::vector<trace::Record> records{};
};

double seconds(photon::SimTime at) { return static_cast<double>(photon::nanoseconds_of(at)) / 1e9; }

// The boundaries of the window, found again: the first sample after the first click, and the last
// one before generation ended.
std::pair<double, double> window_of(const std::vector<trace::Record>& records) {
  double first_click = -1, begin = -1, end = 0;
  for (const trace::Record& record : records) {
    const double at = seconds(record.header.at);
    if (record.header.kind == trace::Kind::click_generated && first_click < 0) first_click = at;
    if (record.header.kind == trace::Kind::run_phase &&
        record.as<trace::RunPhase>().phase == trace::Phase::generation_ended) {
      break;
    }
    if (record.header.kind != trace::Kind::resource_used || first_click < 0) continue;
    if (begin < 0) begin = at;
    end = at;
  }
  return {begin, end};
}

using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

// Mean number of open intervals over the window, by node; each counts with its weight.
class Intervals {
 public:
  void open(photon::NodeId node, std::uint64_t number, std::uint64_t more, double at) {
    open_.try_emplace(Key{node.value(), number, more}, at);  // a repetition is no new one
  }
  void weigh(photon::NodeId node, std::uint64_t number, double weight) {
    weights_[Key{node.value(), number, 0}] += weight;
  }
  void close(photon::NodeId node, std::uint64_t number, std::uint64_t more, double at) {
    const auto found = open_.find(Key{node.value(), number, more});
    if (found == open_.end()) return;
    closed_[node.value()].push_back({found->first, found->second, at});
    open_.erase(found);
  }
  double mean(photon::NodeId node, std::pair<double, double> window) const {
    double sum = 0;
    const auto add = [&](const Key& key, double from, double to) {
      const auto weight = weights_.find(key);
      sum += (weight == weights_.end() ? 1 : weight->second) *
             std::max(0.0, std::min(to, window.second) - std::max(from, window.first));
    };
    const auto found = closed_.find(node.value());
    if (found != closed_.end()) {
      for (const auto& [key, from, to] : found->second) add(key, from, to);
    }
    for (const auto& [key, from] : open_) {
      if (std::get<0>(key) == node.value()) add(key, from, window.second);
    }
    return sum / (window.second - window.first);
  }

 private:
  std::map<Key, double> open_{};
  std::map<std::uint32_t, std::vector<std::tuple<Key, double, double>>> closed_{};
  std::map<Key, double> weights_{};
};

std::uint64_t id_of(const photon::EventId& id) { return hash_of(id); }

struct Recomputed {
  Intervals sends, joins, lookups, registrations, searches, transactions, bytes;
  std::uint64_t generated = 0;
  std::pair<double, double> window{};

  Intervals& calls(trace::RegistryOperation operation) {
    return operation == trace::RegistryOperation::lookup ? lookups : registrations;
  }
};

// As transaction.h lays them out.
double bytes_of(trace::RegistryOperation operation) {
  if (operation == trace::RegistryOperation::move_boundary) return 9;
  return operation == trace::RegistryOperation::collect ? 5 : 33;
}

Recomputed recompute(const std::vector<trace::Record>& records) {
  Recomputed all;
  all.window = window_of(records);
  for (const trace::Record& record : records) {
    const trace::Header& header = record.header;
    const double at = seconds(header.at);
    const bool sent = header.source == trace::Source::sent;
    switch (header.kind) {
      case trace::Kind::click_generated:
        all.generated += at > all.window.first && at <= all.window.second ? 1 : 0;
        break;
      case trace::Kind::join_ask: {
        const auto& ask = record.as<trace::JoinAsk>();
        if (sent) all.sends.open(header.node, ask.request, 0, at);
        if (!sent) all.joins.open(header.node, ask.request, header.peer.value(), at);
        break;
      }
      case trace::Kind::join_answer: {
        const auto& answer = record.as<trace::JoinAnswer>();
        if (sent) all.joins.close(header.node, answer.request, header.peer.value(), at);
        if (!sent) all.sends.close(header.node, answer.request, 0, at);
        break;
      }
      case trace::Kind::registry_ask: {
        const auto& ask = record.as<trace::RegistryAsk>();
        if (sent) all.calls(ask.operation).open(header.node, id_of(ask.id), 0, at);
        break;
      }
      case trace::Kind::registry_answer: {
        const auto& answer = record.as<trace::RegistryAnswer>();
        if (sent || !trace::is_definitive(answer.code)) break;
        all.calls(answer.operation).close(header.node, id_of(answer.id), 0, at);
        break;
      }
      case trace::Kind::query_ask: {
        const auto& ask = record.as<trace::QueryAsk>();
        if (!sent && ask.tier == trace::QueryTier::logs) {
          all.searches.open(header.node, ask.request, header.peer.value(), at);
        }
        break;
      }
      case trace::Kind::query_answer: {
        const auto& answer = record.as<trace::QueryAnswer>();
        if (sent && answer.tier == trace::QueryTier::logs) {
          all.searches.close(header.node, answer.request, header.peer.value(), at);
        }
        break;
      }
      case trace::Kind::batch_proposed: {
        const auto& batch = record.as<trace::BatchProposed>();
        all.transactions.open(header.node, batch.slot, 0, at);
        all.bytes.open(header.node, batch.slot, 0, at);
        all.bytes.weigh(header.node, batch.slot, 20);
        break;
      }
      case trace::Kind::operation_applied: {
        const auto& applied = record.as<trace::OperationApplied>();
        all.transactions.close(header.node, applied.slot, 0, at);
        all.bytes.close(header.node, applied.slot, 0, at);
        all.bytes.weigh(header.node, applied.slot, bytes_of(applied.operation));
        break;
      }
      default:
        break;
    }
  }
  return all;
}

// The nodes of a run by their paths, from the records of the report.
std::map<std::string, photon::NodeId> nodes_of(const std::string& scenario,
                                               const std::vector<std::string>& overrides) {
  std::map<std::string, photon::NodeId> nodes;
  const auto loaded = load(scenario, overrides);
  REQUIRE(loaded.ok());
  const auto places = places_of(loaded.config());
  for (std::uint32_t i = 0; i < places.processes.size(); ++i) {
    nodes.emplace(places.processes[i], photon::NodeId(i));
  }
  return nodes;
}

// From the mean of the window's first quarter to that of its last one, a second. What is left over
// of whole quarters lies at the beginning.
double queue_growth_again(const std::vector<trace::Record>& records, photon::NodeId processor) {
  const auto [begin, end] = window_of(records);
  std::vector<double> means;
  double length = 0;
  for (const trace::Record& record : records) {
    const double at = seconds(record.header.at);
    if (record.header.kind != trace::Kind::resource_used || at <= begin || at > end) continue;
    const auto& used = record.as<trace::ResourceUsed>();
    if (used.resource != trace::Resource::processor || record.header.node != processor) continue;
    length = static_cast<double>(used.nanoseconds) / 1e9;
    means.push_back(static_cast<double>(used.waiting_sum) / 1e9 / length);
  }
  const auto quarter = static_cast<std::ptrdiff_t>(means.size() / 4);
  const auto sum = [&](auto from) { return std::accumulate(from, from + quarter, 0.0); };
  const double last = sum(means.end() - quarter), first = sum(means.end() - 4 * quarter);
  return (last - first) / static_cast<double>(quarter) /
         (3 * static_cast<double>(quarter) * length);
}

const CapacityFigures& capacity_of(const Ran& ran) { return ran.outcome.summary.capacity; }

}  // namespace

TEST_CASE("capacity: the use of resources is that of the messages in the trace") {
  const std::string scenario = "scenarios/healthy.toml";
  const std::vector<std::string> overrides{"run.duration=100s",
                                           "run.warm_up=10s",
                                           "run.sample_interval=1s",
                                           "workload.synthetic.clicks=1800",
                                           "event_store.cache_bytes=8KiB",
                                           "event_store.log_concurrency=2"};
  Recorded recorded;
  const Ran ran = run(scenario, 3, overrides, &recorded);
  require_clean(ran);
  const CapacityFigures& capacity = capacity_of(ran);
  REQUIRE(capacity.measured);
  const Recomputed again = recompute(recorded.records);
  const double length = again.window.second - again.window.first;
  CHECK(capacity.seconds == Approx(length));
  CHECK(capacity.offered_per_second ==
        Approx(static_cast<double>(again.generated) / length).epsilon(1e-9));
  const auto nodes = nodes_of(scenario, overrides);
  std::map<std::string, int> compared;
  for (const ResourceFigures& each : capacity.resources) {
    const auto node = nodes.find(each.where);
    if (node == nodes.end()) continue;
    const auto same = [&](const Intervals& of, double measured) {
      CAPTURE(each.name, each.where);
      CHECK(measured == Approx(of.mean(node->second, again.window)).epsilon(1e-6).margin(1e-9));
      ++compared[each.name];
    };
    if (each.name == "dispatcher.max_outstanding_sends") same(again.sends, each.used_mean);
    if (each.name == "dispatcher.max_outstanding_lookups") same(again.lookups, each.used_mean);
    if (each.name == "joiner.max_in_flight") same(again.joins, each.used_mean);
    if (each.name == "joiner.max_outstanding_registry") same(again.registrations, each.used_mean);
    if (each.name == "event_store.log_concurrency") {
      same(again.searches, each.used_mean + each.queue_mean);
    }
    if (each.name == "registry.pipeline_depth") same(again.transactions, each.used_mean);
    if (each.name == "registry.max_batch_bytes") same(again.bytes, each.used_mean);
  }
  CHECK(compared["dispatcher.max_outstanding_sends"] == 2);
  CHECK(compared["dispatcher.max_outstanding_lookups"] == 2);
  CHECK(compared["joiner.max_in_flight"] == 4);
  CHECK(compared["joiner.max_outstanding_registry"] == 4);
  CHECK(compared["event_store.log_concurrency"] == 2);
  CHECK(compared["registry.pipeline_depth"] >= 4);
  CHECK(compared["registry.max_batch_bytes"] >= 4);
}

namespace {

struct Deployment {
  std::string name;
  std::vector<std::string> overrides;
  std::string binding;  // empty: it keeps up
};

// 40 clicks a second over 60 s; each of the first ones lacks one resource, and has enough in the
// second form.
const std::vector<Deployment>& deployments() {
  static const std::vector<Deployment> kAll{
      {"few look-ups",
       {"dispatcher.max_outstanding_lookups=2", "run.duration=280s",
        "workload.synthetic.clicks=13500"},
       "dispatcher.max_outstanding_lookups"},
      {"more look-ups", {"dispatcher.max_outstanding_lookups=8"}, ""},
      {"few sends", {"dispatcher.max_outstanding_sends=3"}, "dispatcher.max_outstanding_sends"},
      {"more sends", {"dispatcher.max_outstanding_sends=12"}, ""},
      // Two groups have no room at the same time, and clicks that wait for it hold look-ups.
      {"groups without room",
       {"dispatcher.group=6", "dispatcher.max_outstanding_sends=9",
        "dispatcher.max_outstanding_lookups=30", "workload.synthetic.clicks=7800"},
       "dispatcher.max_outstanding_sends"},
      {"groups with room",
       {"dispatcher.group=6", "dispatcher.max_outstanding_sends=48",
        "dispatcher.max_outstanding_lookups=30"},
       ""},
      // One look-up at a time for clicks that are not fresh.
      {"fresh clicks only",
       {"dispatcher.max_outstanding_lookups=5", "dispatcher.fresh_share=0.9",
        "dispatcher.fresh_age=1s", "run.duration=280s", "workload.synthetic.clicks=10800"},
       "dispatcher.fresh_share"},
      {"fresh clicks first",
       {"dispatcher.max_outstanding_lookups=40", "dispatcher.fresh_share=0.8",
        "dispatcher.fresh_age=1s"},
       ""},
      {"few joins", {"joiner.max_in_flight=1"}, "joiner.max_in_flight"},
      {"more joins", {"joiner.max_in_flight=6"}, ""},
      {"small window", {"joiner.max_window=1"}, "joiner.max_window"},
      {"larger window", {"joiner.max_window=6"}, ""},
      {"small batches",
       {"registry.shards=1", "registry.max_batch_operations=2"},
       "registry.max_batch_operations"},
      {"larger batches", {"registry.shards=1", "registry.max_batch_operations=16"}, ""},
      {"few registrations at a shard",
       {"registry.shards=1", "joiner.max_outstanding_per_shard=1"},
       "joiner.max_outstanding_per_shard"},
      {"more registrations at a shard",
       {"registry.shards=1", "joiner.max_outstanding_per_shard=12"},
       ""},
      {"slow joiners", {"service.joiner_step=80ms"}, "processor in us-"},
      {"faster joiners", {"service.joiner_step=20ms"}, ""},
      {"few searches",
       {"event_store.cache_bytes=4KiB", "event_store.log_concurrency=1",
        "event_store.seek_cost=60ms"},
       "event_store.log_concurrency"},
      {"more searches",
       {"event_store.cache_bytes=4KiB", "event_store.log_concurrency=16",
        "event_store.seek_cost=60ms"},
       ""},
  };
  return kAll;
}

}  // namespace

TEST_CASE("capacity: an overloaded deployment is named with what binds it; a sound one is not",
          "[sweep]") {
  for (const Deployment& each : deployments()) {
    CAPTURE(each.name);
    std::vector<std::string> overrides{"run.duration=70s", "run.warm_up=10s",
                                       "workload.synthetic.clicks=2400", "joiner.count=1"};
    overrides.insert(overrides.end(), each.overrides.begin(), each.overrides.end());
    const Ran ran = run("scenarios/healthy.toml", 1, overrides);
    const CapacityFigures& capacity = capacity_of(ran);
    CAPTURE(capacity.closest, capacity.closest_saturation, capacity.backlog_growth_per_second);
    REQUIRE(capacity.stationary.has_value());
    CHECK(*capacity.stationary == each.binding.empty());
    if (each.binding.empty()) {
      CHECK(capacity.binding.empty());
    } else {
      CHECK_THAT(capacity.binding, Catch::StartsWith(each.binding));
    }
  }
}

TEST_CASE("capacity: a backlog that grows while every resource has room is no overload") {
  const CapacityFigures capacity =
      capacity_of(run("scenarios/healthy.toml", 1,
                      {"faults.outage=[{datacenter=\"us-west1\",component=\"pipeline\",at=\"70s\","
                       "for=\"400s\"}]"}));
  CHECK_FALSE(capacity.stationary.has_value());
  CHECK(capacity.growing_where == "us-west1");
  CHECK(capacity.binding.empty());
  CHECK(capacity.backlog_growth_per_second > 5);
  CHECK_THAT(photon::analysis::overload_sentence(capacity),
             Catch::StartsWith("PERHAPS NOT STATIONARY: the backlog in us-west1 grows by ") &&
                 Catch::Contains(", and no limit there is used. Work waits for something else"));
}

// The joiners time out, and read the logs: no click waits longer and longer.
TEST_CASE("capacity: a queue that grows while work goes around it is an overload", "[sweep]") {
  const std::vector<std::string> load{"run.duration=3min", "workload.synthetic.rate=300"};
  std::vector<std::string> slow = load;
  slow.emplace_back("service.cache_lookup=30ms");
  Recorded recorded;
  const CapacityFigures capacity =
      capacity_of(run("scenarios/photon_base.toml", 1, slow, &recorded));
  REQUIRE(capacity.stationary.has_value());
  CHECK_FALSE(*capacity.stationary);
  CHECK(capacity.growing_where.empty());
  CHECK(capacity.binding == capacity.growing_queue);
  CHECK_THAT(capacity.binding, Catch::Matches("processor in us-(east1|west1)/cache/[0-3]"));
  CHECK_THAT(photon::analysis::overload_sentence(capacity),
             Catch::StartsWith("NOT STATIONARY: the queue of processor in us-"));
  const auto nodes = nodes_of("scenarios/photon_base.toml", slow);
  const auto node = nodes.find(capacity.binding.substr(std::string("processor in ").size()));
  REQUIRE(node != nodes.end());
  CHECK(capacity.queue_growth_per_second ==
        Approx(queue_growth_again(recorded.records, node->second)).epsilon(1e-6));
  // The same load, with caches as fast as they ship.
  const CapacityFigures sound = capacity_of(run("scenarios/photon_base.toml", 1, load));
  REQUIRE(sound.stationary.has_value());
  CHECK(*sound.stationary);
  CHECK(sound.growing_queue.empty());
}

TEST_CASE("theory: what a report predicts is what it measures, where a formula holds") {
  const auto compared = [](const std::string& scenario, const std::vector<std::string>& overrides) {
    const auto loaded = load(scenario, overrides);
    REQUIRE(loaded.ok());
    Ran ran = run(scenario, 1, overrides);
    compare_with_theory(loaded.config(), ran.outcome.summary);
    std::vector<std::string> names;
    for (const photon::analysis::PredictedFigure& each : ran.outcome.summary.predicted) {
      CAPTURE(each.name, each.predicted);
      REQUIRE(each.measured.has_value());
      CHECK(*each.measured == Approx(each.predicted).epsilon(0.03));
      names.push_back(each.name);
    }
    return names.size();
  };
  const std::string quiet = "scenarios/registry/quiet.toml";
  const std::string rate = "workload.registry.rate=";
  CHECK(compared(quiet, {"run.duration=60s", rate + "30"}) == 4);
  CHECK(compared(quiet, {"run.duration=30s", rate + "1000"}) == 4);
  CHECK(compared(quiet, {"run.duration=30s", rate + "1500", "registry.shards=2",
                         "registry.max_batch_operations=32"}) == 4);
  CHECK(compared("scenarios/healthy.toml", {"registry.lookup_mode=bypass"}) == 2);
  // No formula: no line.
  CHECK(compared(quiet, {"run.duration=15s", rate + "100", "registry.linger=1ms"}) == 0);
  CHECK(compared(quiet, {"run.duration=15s", rate + "100", "registry.max_batch_operations=1"}) ==
        0);
}

TEST_CASE("capacity: a registry is offered what theory says, and saturates there, within a tenth") {
  // Of one shard with a batch limit: batch / commit time (SPEC G-11).
  const auto served = [](double rate) {
    return capacity_of(run("scenarios/registry/quiet.toml", 1,
                           {"run.duration=30s", "registry.max_batch_operations=32",
                            fmt::format("workload.registry.rate={}", rate)}));
  };
  const std::vector<std::string> shared{"run.duration=65s",
                                        "workload.registry.rate=100",
                                        "workload.registry.lookups=0.2",
                                        "workload.registry.clients=4",
                                        "workload.registry.contested=0.5",
                                        "workload.registry.contenders=3",
                                        "workload.registry.repeated=0.25"};
  const auto with_rivals = load("scenarios/registry/quiet.toml", shared);
  REQUIRE(with_rivals.ok());
  // 80 inserts a second with 1 + 0.25 more each.
  CHECK(offered_per_second(with_rivals.config()) == Approx(200));
  CHECK(capacity_of(run("scenarios/registry/quiet.toml", 1, shared)).offered_per_second ==
        Approx(200).epsilon(0.05));
  const CapacityFigures quiet = served(20);
  REQUIRE(quiet.stationary.has_value());
  CHECK(*quiet.stationary);
  // 30 inserts of 33 bytes fit into 1 KiB beside the head.
  for (const std::string limit : {"max_batch_operations=32", "max_batch_bytes=1KiB"}) {
    const std::string name = "registry." + limit.substr(0, limit.find('='));
    const auto loaded =
        load("scenarios/registry/quiet.toml",
             std::vector<std::string>{"registry." + limit, "workload.registry.rate=1000"});
    REQUIRE(loaded.ok());
    double predicted = 0;
    for (const PredictedUse& each : predicted_use(loaded.config())) {
      if (each.name == name) predicted = each.capacity_per_second.value_or(0);
    }
    REQUIRE(predicted > 0);
    const CapacityFigures over =
        capacity_of(run("scenarios/registry/quiet.toml", 1,
                        {"run.duration=30s", "registry." + limit,
                         fmt::format("workload.registry.rate={}", 2 * predicted)}));
    CAPTURE(limit, over.closest);
    REQUIRE(over.stationary.has_value());
    CHECK_FALSE(*over.stationary);
    CHECK_THAT(over.binding, Catch::StartsWith(name));
    CHECK(over.served_per_second == Approx(predicted).epsilon(0.1));
  }
}
