// The figures of single shards, pipelines and joiners beside a second, slow computation from the
// raw trace: plain maps, sorted values, and no code of analysis/.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/recount/joined_clicks.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::tests;
namespace trace = photon::trace;
using photon::analysis::FigureRow;

namespace {

// (name, kind, where) -> value.
using Table = std::map<std::tuple<std::string, std::string, std::string>, double>;

double quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  const double rank = std::ceil(fraction * static_cast<double>(values.size()));
  return values.at(static_cast<std::size_t>(rank) - 1);
}

// A second registry: which ids each shard holds, and which of them with their token.
class Shards {
 public:
  void slot(const trace::SlotApplied& applied) {
    const std::uint32_t group = applied.group.value();
    if (!slots_.insert({group, applied.slot}).second || applied.operations == 0) return;
    sizes_[group].push_back(applied.operations);
  }

  // Every replica applies it: the id is held once.
  void operation(const trace::OperationApplied& applied) {
    using enum trace::RegistryOperation;
    const bool changes = applied.fresh != 0 || applied.operation == collect;
    const std::uint32_t shard = applied.shard.value();
    const auto once = std::tuple(shard, applied.slot, applied.index, key(applied.id));
    if (!changes || !operations_.insert(once).second) return;
    std::map<Id, bool>& held = held_[shard];
    if (applied.operation == insert) held[key(applied.id)] = true;
    if (applied.operation == clear) held[key(applied.id)] = false;
    if (applied.operation == remove || applied.operation == collect) held.erase(key(applied.id));
    most_[shard] = std::max(most_[shard], held.size());
    most_bytes_[shard] = std::max(most_bytes_[shard], bytes(held));
    std::size_t all = 0;
    for (const auto& [each, ids] : held_) all += bytes(ids);
    most_of_all_ = std::max(most_of_all_, all);
  }
  std::size_t most_of_all() const { return most_of_all_; }

  void put(std::uint32_t shards, Table& table) {
    std::vector<double> all;
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      const std::string where = std::to_string(shard);
      double operations = 0;
      for (const double size : sizes_[shard]) operations += size;
      all.insert(all.end(), sizes_[shard].begin(), sizes_[shard].end());
      const auto transactions = static_cast<double>(sizes_[shard].size());
      table[{"operations", "shard", where}] = operations;
      table[{"transactions", "shard", where}] = transactions;
      table[{"batch_mean", "shard", where}] = transactions > 0 ? operations / transactions : 0;
      table[{"ids_held", "shard", where}] = static_cast<double>(held_[shard].size());
      table[{"ids_held_most", "shard", where}] = static_cast<double>(most_[shard]);
      table[{"bytes_held", "shard", where}] = static_cast<double>(bytes(held_[shard]));
      table[{"bytes_held_most", "shard", where}] = static_cast<double>(most_bytes_[shard]);
    }
    table[{"batch_p50", "", ""}] = quantile(all, 0.5);
    table[{"batch_p90", "", ""}] = quantile(all, 0.9);
    table[{"batch_p99", "", ""}] = quantile(all, 0.99);
    table[{"batch_max", "", ""}] = std::ranges::max(all);
  }

 private:
  static std::size_t bytes(const std::map<Id, bool>& held) {
    std::size_t sum = 0;
    for (const auto& [id, token] : held) sum += token ? 100 : 32;
    return sum;
  }

  std::set<std::pair<std::uint32_t, std::uint64_t>> slots_{};
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, Id>> operations_{};
  std::map<std::uint32_t, std::vector<double>> sizes_{};
  std::map<std::uint32_t, std::map<Id, bool>> held_{};
  std::map<std::uint32_t, std::size_t> most_{}, most_bytes_{};
  std::size_t most_of_all_ = 0;
};

class Recount {
 public:
  explicit Recount(const photon::analysis::TracePlaces& places) : places_(places) {}

  Table run(const std::vector<trace::Record>& records, std::uint32_t shards,
            const std::set<std::string>& pipelines) {
    for (const std::string& each : pipelines) {
      for (const char* name :
           {"joins", "registrations", "wasted_joins", "lookups", "cache_answers", "log_answers"}) {
        table_[{name, "pipeline", each}] = 0;
      }
    }
    for (const trace::Record& record : records) take(record);
    std::map<std::string, std::vector<double>> total, own;
    for (const JoinedClick& each : clicks_.all()) {
      total[places_.datacenters.at(each.datacenter)].push_back(each.total());
      own[places_.datacenters.at(each.datacenter)].push_back(each.own);
    }
    put_latencies("latency_", total);
    put_latencies("own_", own);
    shards_.put(shards, table_);
    return table_;
  }

  // Clicks generated from then on that each pipeline joined.
  std::map<std::string, std::uint64_t> joins_since(double seconds) const {
    std::map<std::string, std::uint64_t> joins;
    for (const JoinedClick& each : clicks_.all()) {
      if (each.generated >= seconds) ++joins[places_.datacenters.at(each.datacenter)];
    }
    return joins;
  }

  std::size_t registry_bytes_most() const { return shards_.most_of_all(); }

 private:
  void put_latencies(const std::string& name,
                     const std::map<std::string, std::vector<double>>& latencies) {
    for (const auto& [where, values] : latencies) {
      double sum = 0;
      for (const double value : values) sum += value;
      table_[{name + "mean", "pipeline", where}] = sum / static_cast<double>(values.size());
      table_[{name + "p50", "pipeline", where}] = quantile(values, 0.5);
      table_[{name + "p90", "pipeline", where}] = quantile(values, 0.9);
      table_[{name + "p99", "pipeline", where}] = quantile(values, 0.99);
    }
  }

  void take(const trace::Record& record) {
    clicks_.take(record);
    const trace::Header& header = record.header;
    const bool sent = header.source == trace::Source::sent;
    const bool delivered = header.source == trace::Source::delivered;
    switch (header.kind) {
      case trace::Kind::click_generated:
        generated_.insert(key(record.as<trace::ClickGenerated>().click));
        return;
      case trace::Kind::slot_applied:
        return shards_.slot(record.as<trace::SlotApplied>());
      case trace::Kind::operation_applied:
        return shards_.operation(record.as<trace::OperationApplied>());
      case trace::Kind::registry_ask: {
        const auto& ask = record.as<trace::RegistryAsk>();
        const bool lookup = ask.operation == trace::RegistryOperation::lookup;
        if (sent && lookup) ++at_pipeline("lookups", header);
        return;
      }
      case trace::Kind::registry_answer:
        if (delivered) on_answer(header, record.as<trace::RegistryAnswer>());
        return;
      case trace::Kind::query_answer: {
        const auto& answer = record.as<trace::QueryAnswer>();
        if (!delivered || answer.status != trace::QueryStatus::found) return;
        const bool cache = answer.tier == trace::QueryTier::cache;
        ++at_pipeline(cache ? "cache_answers" : "log_answers", header);
        return;
      }
      case trace::Kind::output_record:
        if (header.source == trace::Source::durable) on_output(header, record);
        return;
      case trace::Kind::join_ask:
        if (delivered) on_asked(header, record.as<trace::JoinAsk>());
        return;
      case trace::Kind::join_answer: {
        const auto request = record.as<trace::JoinAnswer>().request;
        if (sent) open_[header.node.value()].erase({header.peer.value(), request});
        return;
      }
      case trace::Kind::process_crashed:
        open_[header.node.value()].clear();
        return;
      default:
        return;
    }
  }

  void on_asked(const trace::Header& header, const trace::JoinAsk& ask) {
    auto& open = open_[header.node.value()];
    open.insert({header.peer.value(), ask.request});
    double& most = at_joiner("in_flight_most", header);
    most = std::max(most, static_cast<double>(open.size()));
    at_joiner("joins", header);
    at_joiner("registrations", header);
  }

  void on_answer(const trace::Header& header, const trace::RegistryAnswer& answer) {
    if (answer.operation != trace::RegistryOperation::insert) return;
    if (!trace::is_definitive(answer.code)) return;
    if (!answered_.insert({key(answer.id), key(answer.token), header.node.value()}).second) return;
    if (answer.code == trace::RegistryCode::already_exists) ++at_pipeline("wasted_joins", header);
    if (answer.code != trace::RegistryCode::inserted) return;
    ++at_pipeline("registrations", header);
    ++at_joiner("registrations", header);
  }

  void on_output(const trace::Header& header, const trace::Record& record) {
    const Id id = key(record.as<trace::OutputRecord>().click);
    if (!generated_.contains(id) || !joined_.insert(id).second) return;
    ++at_pipeline("joins", header);
    ++at_joiner("joins", header);
  }

  double& at_pipeline(const char* name, const trace::Header& header) {
    return table_[{name, "pipeline", places_.datacenters.at(header.datacenter.value())}];
  }
  double& at_joiner(const char* name, const trace::Header& header) {
    return table_[{name, "joiner", places_.processes.at(header.node.value())}];
  }

  const photon::analysis::TracePlaces& places_;
  Table table_{};
  Shards shards_{};
  JoinedClicks clicks_{};
  std::set<Id> generated_{}, joined_{};
  std::set<std::tuple<Id, TokenKey, std::uint32_t>> answered_{};
  std::map<std::uint32_t, std::set<std::pair<std::uint32_t, std::uint64_t>>> open_{};
};

void compare(const std::string& scenario, const std::vector<std::string>& overrides) {
  CAPTURE(scenario);
  const auto loaded = load(scenario, overrides);
  REQUIRE(loaded.ok());
  const auto places = places_of(loaded.config());
  Recorded recorded;
  const Ran ran = run(scenario, 2, overrides, &recorded);
  Table reported;
  std::set<std::string> pipelines;
  std::uint32_t shards = 0;
  for (const FigureRow& row : ran.outcome.summary.figures) {
    CHECK(reported.emplace(std::tuple(row.name, row.of, row.where), row.value).second);
    if (row.of == "pipeline") pipelines.insert(row.where);
    if (row.of == "shard" && row.name == "operations") ++shards;
  }
  Recount recount(places);
  const Table again = recount.run(recorded.records, shards, pipelines);
  CHECK(reported.size() == again.size());
  double wasted = 0, joins = 0;
  for (const auto& [row, value] : again) {
    const auto& [name, of, where] = row;
    CAPTURE(name, of, where);
    const auto found = reported.find(row);
    REQUIRE(found != reported.end());
    const bool bucketed = name.starts_with("latency_p") || name.starts_with("own_p");
    CHECK(found->second == Approx(value).epsilon(bucketed ? 1.0 / 128 : 1e-9));
    if (of == "pipeline" && name == "wasted_joins") wasted += found->second;
    if (of == "joiner" && name == "joins") joins += found->second;
  }
  CHECK(wasted == static_cast<double>(ran.outcome.summary.wasted_joins));
  CHECK(joins == static_cast<double>(ran.outcome.summary.joined));
  CHECK(ran.outcome.summary.registry.bytes_held_most == recount.registry_bytes_most());
  const photon::analysis::PlaceFigures& ends = ran.outcome.summary.places;
  const double since = static_cast<double>(loaded.config().run.measure_from.count()) / 1e9;
  auto joined = recount.joins_since(since);
  const auto& order = loaded.config().topology.pipelines;
  double caches = 0, logs = 0;
  for (const std::string& each : pipelines) {
    caches += again.at({"cache_answers", "pipeline", each});
    logs += again.at({"log_answers", "pipeline", each});
  }
  CHECK(static_cast<double>(ends.found_in_caches) == caches);
  CHECK(static_cast<double>(ends.found_in_logs) == logs);
  CHECK(ends.first_pipeline_joins == joined[order.front()]);
  CHECK(ends.last_pipeline_joins == joined[order.back()]);
  CHECK(static_cast<double>(ends.first_shard_ids) == again.at({"ids_held", "shard", "0"}));
  const std::string last = std::to_string(shards - 1);
  CHECK(static_cast<double>(ends.last_shard_ids) == again.at({"ids_held", "shard", last}));
}

}  // namespace

TEST_CASE("figure table: shards, pipelines and joiners are those of the raw trace") {
  compare("scenarios/healthy.toml", {"topology.pipelines=[\"us-west1\",\"us-central1\"]"});
  compare("scenarios/late_queries.toml", {});
}

TEST_CASE("figure table: the same with faults, recovery and garbage collection") {
  compare("scenarios/lost_answers.toml", {});
  compare("scenarios/recovery.toml", {});
  compare("scenarios/corner/BC-14.toml", {});  // ids below the boundary are collected
}

TEST_CASE("figure table: joins of the first and last pipeline are those of the measured time") {
  const std::string scenario = "scenarios/healthy.toml";
  const std::vector<std::string> later{"run.measure_from=2min"};
  const auto loaded = load(scenario, later);
  REQUIRE(loaded.ok());
  const auto places = places_of(loaded.config());
  Recorded recorded;
  const Ran ran = run(scenario, 2, later, &recorded);
  JoinedClicks clicks;
  for (const trace::Record& each : recorded.records) clicks.take(each);
  std::map<std::string, std::uint64_t> all, measured;
  for (const JoinedClick& each : clicks.all()) {
    const std::string& where = places.datacenters.at(each.datacenter);
    ++all[where];
    if (each.generated >= 120) ++measured[where];
  }
  const auto& of = ran.outcome.summary.places;
  CHECK(of.first_pipeline_joins == measured["us-east1"]);
  CHECK(of.last_pipeline_joins == measured["us-west1"]);
  CHECK(measured["us-east1"] + measured["us-west1"] == ran.outcome.summary.latency.count);
  CHECK(measured["us-east1"] < all["us-east1"]);
}

TEST_CASE("figure table: the same while the number of shards changes") {
  compare("scenarios/corner/BC-16.toml", {});
  compare("scenarios/fault_kinds.toml", {});
}
