// What became of each click, beside a second computation from the raw trace of runs with a simple
// answer: no verification, no lost storage, no pipeline that is held up until clicks are too old.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;

namespace {

struct Fates {
  std::map<std::string, std::uint64_t> count{};
  std::map<double, std::uint64_t> lost_at{};  // by the time of the crash

  explicit Fates(const std::vector<trace::Record>& records) {
    std::map<Id, trace::ClickGenerated> clicks;
    std::map<Id, TokenKey> owners;
    std::map<TokenKey, std::uint32_t> senders;  // the joiner that used the token
    std::map<TokenKey, double> asked_at;
    // Joiners that were told of an earlier join of the click, and when.
    std::map<std::pair<Id, std::uint32_t>, std::vector<double>> refused;
    std::map<std::uint32_t, std::vector<double>> crashes;
    std::set<Id> joined;
    for (const trace::Record& record : records) {
      const trace::Header& header = record.header;
      if (header.kind == trace::Kind::click_generated) {
        const auto& click = record.as<trace::ClickGenerated>();
        clicks[key(click.click)] = click;
      } else if (header.kind == trace::Kind::registry_ask && header.source == trace::Source::sent) {
        const auto& ask = record.as<trace::RegistryAsk>();
        senders.try_emplace(key(ask.token), header.node.value());
        asked_at.try_emplace(key(ask.token), seconds(header.at));
      } else if (header.kind == trace::Kind::registry_answer &&
                 header.source == trace::Source::delivered) {
        const auto& answer = record.as<trace::RegistryAnswer>();
        if (answer.operation != trace::RegistryOperation::insert) continue;
        if (answer.code != trace::RegistryCode::already_exists) continue;
        refused[{key(answer.id), header.node.value()}].push_back(seconds(header.at));
      } else if (header.kind == trace::Kind::operation_applied) {
        const auto& applied = record.as<trace::OperationApplied>();
        const bool insert = applied.operation == trace::RegistryOperation::insert;
        if (!insert || applied.fresh == 0) continue;
        owners.try_emplace(key(applied.id), key(applied.token));
      } else if (header.kind == trace::Kind::process_crashed) {
        crashes[header.node.value()].push_back(seconds(header.at));
      } else if (header.kind == trace::Kind::output_record &&
                 header.source == trace::Source::durable) {
        joined.insert(key(record.as<trace::OutputRecord>().click));
      }
    }
    for (const auto& [id, click] : clicks) {
      const auto owner = owners.find(id);
      if (joined.contains(id)) {
        ++count["joined"];
      } else if (owner != owners.end()) {
        // Its joiner died with it, or was refused before that under another token.
        const std::uint32_t joiner = senders[owner->second];
        double died = 1e18;
        for (const double at : crashes[joiner]) {
          if (at >= asked_at[owner->second]) died = std::min(died, at);
        }
        bool told = false;
        for (const double at : refused[{id, joiner}]) told = told || at < died;
        ++count[told ? "L-reply" : "L-crash"];
        if (!told) ++lost_at[died];
      } else if (click.query.is_null()) {
        ++count["empty_key"];
      } else {
        ++count[click.query_file == trace::ClickGenerated::kNoFile ? "unknown_key" : "query_late"];
      }
    }
  }

  std::uint64_t of(const std::string& name) const {
    const auto found = count.find(name);
    return found == count.end() ? 0 : found->second;
  }
};

double metric(const Ran& ran, const std::string& name) {
  for (const auto& each : photon::analysis::metrics_of(ran.outcome.summary)) {
    if (each.name == name) return each.value;
  }
  return -1;
}

}  // namespace

TEST_CASE("recount: each lost click stands in its class, each that never joins under its reason") {
  const std::vector<Recipe> recipes{
      {"scenarios/healthy.toml", {}},
      {"scenarios/late_queries.toml",
       {"dispatcher.unjoinable_attempts=2", "dispatcher.unjoinable_age=20s"}},
      {"scenarios/lost_answers.toml", {"joiner.tokens=false"}},
      {"scenarios/slow_output.toml", {}},
      {"scenarios/trace_kills.toml", {}},
      {"scenarios/trace_kills.toml",
       {"joiner.tokens=false", "network.loss=5%", "joiner.registry_timeout=300ms"}}};
  std::map<std::string, std::uint64_t> seen;
  for (const Recipe& recipe : recipes) {
    CAPTURE(recipe.scenario, recipe.overrides);
    Recorded recorded;
    const Ran ran = run(recipe.scenario, 1, recipe.overrides, &recorded);
    const Fates again(recorded.records);
    const auto& summary = ran.outcome.summary;
    CHECK(summary.joined == again.of("joined"));
    for (const auto& [name, count] : summary.lost) {
      CAPTURE(name);
      CHECK(count == again.of(name));
      seen[name] += count;
    }
    std::map<double, std::uint64_t> charged;
    for (const auto& fault : summary.fault_latencies) {
      if (fault.lost > 0) charged[fault.during.from_seconds] += fault.lost;
    }
    for (const auto& [at, lost] : charged) {
      CAPTURE(at);
      // Clicks that died with a fault, those whose answer was lost as well.
      std::uint64_t found = 0;
      for (const auto& [died, number] : again.lost_at) {
        found += std::abs(died - at) < 1e-9 ? number : 0;
      }
      CHECK(lost == found);
      seen["charged"] += lost;
    }
    // A click that can never be joined is no part of it.
    const auto lost = static_cast<double>(again.of("L-crash") + again.of("L-reply"));
    const double joinable = lost + static_cast<double>(again.of("joined"));
    CHECK(metric(ran, "loss_rate") == Approx(lost / joinable));
    for (const auto& [name, count] : summary.unjoinable) {
      CAPTURE(name);
      // A click that was given up at the last moment is borderline.
      CHECK(count <= again.of(name));
      CHECK(count + summary.borderline >= again.of(name));
      seen[name] += count;
    }
    std::uint64_t unjoinable = 0;
    for (const auto& [name, count] : summary.unjoinable) unjoinable += count;
    CHECK(unjoinable == never_joinable_by(ran, "unjoinable"));
  }
  for (const char* name : {"L-crash", "L-reply", "empty_key", "query_late", "charged"}) {
    CAPTURE(name);
    CHECK(seen[name] > 0);
  }
}
