// The registry's transactions and a registry-only load, beside a second computation from the raw
// trace.
#include "core_impl/trace/registry.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;

namespace {

struct Registry {
  std::uint64_t transactions = 0, operations = 0, collected = 0, answered = 0;
  std::vector<double> commits{}, inserts{}, lookups{};
  std::map<trace::RegistryCode, std::uint64_t> codes{};
  std::uint64_t asked = 0;
  double first = 0, last = 0;
  // In the time of the load, from the first operation asked to the last.
  std::uint64_t load_transactions = 0, load_operations = 0;

  explicit Registry(const std::vector<trace::Record>& records) {
    find_load(records);
    std::set<std::pair<std::uint32_t, std::uint64_t>> slots, removed;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, double> proposed;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<double, Id>> open;
    std::set<std::tuple<std::uint32_t, std::uint64_t, Id>> ids;
    for (const trace::Record& record : records) {
      const trace::Header& header = record.header;
      const double at = seconds(header.at);
      const std::uint32_t node = header.node.value();
      switch (header.kind) {
        case trace::Kind::slot_applied: {
          const auto& applied = record.as<trace::SlotApplied>();
          const auto begin = proposed.find({node, applied.group.value(), applied.slot});
          if (begin != proposed.end()) {
            commits.push_back(at - begin->second);
            proposed.erase(begin);
          }
          if (!slots.insert({applied.group.value(), applied.slot}).second) break;
          if (applied.operations == 0) break;
          ++transactions;
          operations += applied.operations;
          if (asked > 0 && at >= first && at <= last) {
            ++load_transactions;
            load_operations += applied.operations;
          }
          break;
        }
        case trace::Kind::batch_proposed: {
          const auto& batch = record.as<trace::BatchProposed>();
          proposed[{node, batch.shard.value(), batch.slot}] = at;
          break;
        }
        case trace::Kind::operation_applied: {
          const auto& applied = record.as<trace::OperationApplied>();
          if (applied.operation != trace::RegistryOperation::collect) break;
          const auto of = std::tuple(applied.shard.value(), applied.slot, key(applied.id));
          collected += ids.insert(of).second ? 1 : 0;
          break;
        }
        case trace::Kind::load_asked: {
          const auto& ask = record.as<trace::LoadAsked>();
          open[{node, ask.number}] = {at, key(ask.id)};
          break;
        }
        case trace::Kind::load_done: {
          const auto& done = record.as<trace::LoadDone>();
          const auto call = open.find({node, done.number});
          if (call == open.end() || call->second.second != key(done.id)) break;
          ++answered;
          if (trace::is_definitive(done.code)) ++codes[done.code];
          const double took = at - call->second.first;
          if (done.operation == trace::RegistryOperation::insert) inserts.push_back(took);
          if (done.operation == trace::RegistryOperation::lookup) lookups.push_back(took);
          open.erase(call);
          break;
        }
        default:
          break;
      }
    }
  }

 private:
  void find_load(const std::vector<trace::Record>& records) {
    for (const trace::Record& record : records) {
      if (record.header.kind != trace::Kind::load_asked) continue;
      last = seconds(record.header.at);
      if (asked++ == 0) first = last;
    }
  }
};

}  // namespace

TEST_CASE("recount: transactions, commits and a load of the registry are those of the raw trace") {
  const std::vector<Recipe> recipes{
      {"scenarios/registry/quiet.toml", {"run.duration=30s", "workload.registry.rate=300"}},
      {"scenarios/registry/quiet.toml",
       {"run.duration=30s", "workload.registry.rate=100", "workload.registry.clients=3",
        "workload.registry.lookups=0.4", "workload.registry.contested=0.4",
        "workload.registry.repeated=0.3", "registry.shards=3"}},
      {"scenarios/healthy.toml", {}},
      {"tests/mutants/scenarios/elections.toml", {}},  // some slots hold nothing
      {"tests/mutants/scenarios/garbage.toml", {}}};
  std::uint64_t collected = 0;
  for (const Recipe& recipe : recipes) {
    CAPTURE(recipe.scenario, recipe.overrides);
    Recorded recorded;
    const Ran ran = run(recipe.scenario, 1, recipe.overrides, &recorded);
    const Registry again(recorded.records);
    const auto& registry = ran.outcome.summary.registry;
    CHECK(registry.transactions == again.transactions);
    CHECK(registry.mean_batch ==
          Approx(static_cast<double>(again.operations) / static_cast<double>(again.transactions)));
    CHECK(registry.ids_collected == again.collected);
    collected += again.collected;
    // What a lost master had open never ends: there the two may differ.
    if (registry.failovers == 0) check_latency("commit", registry.commit_latency, again.commits);
    const auto& load = ran.outcome.summary.load;
    CHECK(load.operations == again.asked);
    CHECK(load.answered == again.answered);
    if (again.asked == 0) continue;
    CHECK(load.seconds == Approx(again.last - again.first));
    CHECK(load.transactions_per_second ==
          Approx(static_cast<double>(again.load_transactions) / (again.last - again.first)));
    CHECK(load.mean_batch == Approx(static_cast<double>(again.load_operations) /
                                    static_cast<double>(again.load_transactions)));
    for (const auto& [name, count] : load.codes) {
      std::uint64_t same = 0;
      for (const auto& [code, number] : again.codes) same += name_of(code) == name ? number : 0;
      CAPTURE(name);
      CHECK(count == same);
    }
    check_latency("load insert", load.insert_latency, again.inserts);
    check_latency("load look-up", load.lookup_latency, again.lookups);
  }
  CHECK(collected > 0);
}
