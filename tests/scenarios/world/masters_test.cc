// Masters that are killed and moved by the scenario, and that return to their preferred place.
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;
using namespace std::chrono_literals;

namespace {

namespace trace = photon::trace;
using photon::Duration;
using photon::NodeId;

// Which replica was master of which group from when to when, and which crashed.
class Masters final : public trace::Sink {
 public:
  struct Term {
    NodeId node;
    Duration from;
    Duration until = Duration::max();
  };

  void record(const trace::Record& record) override {
    const auto& header = record.header;
    const Duration at = header.at.time_since_epoch();
    if (header.kind == trace::Kind::master_elected) {
      terms[record.as<trace::MasterElected>().group.value()].push_back({header.node, at});
    } else if (header.kind == trace::Kind::master_ended) {
      close(terms[record.as<trace::MasterEnded>().group.value()], header.node, at);
    } else if (header.kind == trace::Kind::process_crashed) {
      crashes.emplace_back(at, header.node);
      for (auto& [group, list] : terms) close(list, header.node, at);
    }
  }

  std::map<std::uint32_t, std::vector<Term>> terms{};
  std::vector<std::pair<Duration, NodeId>> crashes{};

 private:
  static void close(std::vector<Term>& list, NodeId node, Duration at) {
    for (Term& term : list) {
      if (term.node == node && term.until == Duration::max()) term.until = at;
    }
  }
};

const char* const kScenario = "scenarios/corner/base.toml";
constexpr std::uint32_t kConfiguration = 2;  // after two shards

std::string killed(const std::string& group, const std::string& at, const std::string& away) {
  return fmt::format("{{group=\"{}\",at=\"{}\",restart_after=\"{}\"}},", group, at, away);
}
std::string moved(const std::string& group, const std::string& at, const std::string& to) {
  return fmt::format("{{group=\"{}\",at=\"{}\",to=\"{}\"}},", group, at, to);
}
std::string requested(const std::string& group, const std::string& at, const std::string& to) {
  return fmt::format("{{group=\"{}\",at=\"{}\",to=\"{}\",expect=\"any\"}},", group, at, to);
}
std::string kills(const std::string& list) { return "operations.kill_master=[" + list + "]"; }
std::string moves(const std::string& list) { return "operations.move_master=[" + list + "]"; }

Ran masters(std::uint64_t seed, const std::vector<std::string>& overrides, Masters& seen) {
  Ran ran = run(kScenario, seed, overrides, &seen);
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.inert_faults.empty());
  CHECK(ran.outcome.summary.unexpected_ends == std::vector<std::string>{});
  CHECK(ran.outcome.summary.joined + lost(ran) == ran.outcome.summary.generated);
  return ran;
}

std::string place_of(NodeId node) {
  const auto loaded = photonsim::scenarios::load(kScenario, {});
  const auto deployment = photonsim::scenarios::deploy(loaded.config());
  const auto& topology = deployment.topology;
  return topology.datacenter(topology.process(node).datacenter).name;
}

}  // namespace

TEST_CASE("B-19 kill_master kills the master of that moment, of its own group alone") {
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(5); ++seed) {
    Masters seen;
    const Ran ran =
        masters(seed,
                {kills(killed("registry/1", "20s", "5s") + killed("registry/1", "30s", "1s") +
                       killed("sharding/0", "40s", "5s"))},
                seen);
    CHECK(ran.outcome.summary.faults_effective == 3);
    CHECK(lost(ran) == 0);
    REQUIRE(seen.crashes.size() == 3);
    REQUIRE(seen.terms[1].size() == 3);
    for (std::size_t i = 0; i < 2; ++i) {  // the second death is that of the first one's successor
      CHECK(seen.crashes[i].second == seen.terms[1][i].node);
      CHECK(seen.terms[1][i].until == seen.crashes[i].first);
      CHECK(seen.terms[1][i + 1].from < seen.crashes[i].first + 6s);
    }
    CHECK(seen.crashes[0].second != seen.crashes[1].second);
    CHECK(seen.crashes[2].second == seen.terms[kConfiguration].at(0).node);
    CHECK(seen.terms[kConfiguration].size() == 2);
    CHECK(seen.terms[0].size() == 1);
  }
}

TEST_CASE("B-19 kill_master waits where there is no master, for the next one") {
  Masters seen;
  static_cast<void>(masters(
      1, {kills(killed("registry/0", "20s", "5s") + killed("registry/0", "20100ms", "1s"))}, seen));
  REQUIRE(seen.crashes.size() == 2);
  CHECK(seen.crashes[1].first > 21s);
  CHECK(seen.crashes[1].second == seen.terms[0].at(1).node);
  CHECK(seen.crashes[1].first <= seen.terms[0].at(1).from + 10ms);
}

TEST_CASE("B-11 B-19 J-S7 move_master: within a second, without a crash, and nothing is lost") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Masters seen;
    const Ran ran = masters(
        seed,
        {moves(moved("registry/0", "20s", "us-west2") + moved("registry/0", "30s", "us-central1") +
               moved("sharding/0", "40s", "us-east4"))},
        seen);
    CHECK(lost(ran) == 0);
    CHECK(seen.crashes.empty());
    REQUIRE(seen.terms[0].size() == 3);
    CHECK(place_of(seen.terms[0][1].node) == "us-west2");
    CHECK(place_of(seen.terms[0][2].node) == "us-central1");
    for (std::size_t i = 0; i < 2; ++i) {
      // A lease is 1500 ms and an election time-out 2 s: neither was waited for.
      const Duration pause = seen.terms[0][i + 1].from - seen.terms[0][i].until;
      CHECK(pause > Duration{});
      CHECK(pause < 500ms);
      CHECK(seen.terms[0][i + 1].from < (i == 0 ? 21s : 31s));
    }
    REQUIRE(seen.terms[kConfiguration].size() == 2);
    CHECK(place_of(seen.terms[kConfiguration][1].node) == "us-east4");
    CHECK(seen.terms[1].size() == 1);
  }
}

TEST_CASE("B-19 move_master under crashes, partitions and lost messages costs only time") {
  std::string requests;
  for (int at = 12; at < 60; at += 3) {
    requests += requested("registry/0", fmt::format("{}s", at), "us-west2");
    requests += requested("registry/0", fmt::format("{}s", at + 1), "us-central1");
    requests += requested("registry/0", fmt::format("{}s", at + 2), "us-east4");
  }
  const std::vector<std::string> overrides{
      moves(requests),
      "faults.random=[{kind=\"process_crash\",target=\"registry\",mean_interval=\"3s\","
      "restart_after=\"2s\"},{kind=\"partition\",mean_interval=\"15s\",mean_duration=\"3s\"}]",
      "network.loss=2%", "network.duplication=2%"};
  std::uint64_t handed_over = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Masters seen;
    static_cast<void>(masters(seed, overrides, seen));
    for (std::size_t i = 1; i < seen.terms[0].size(); ++i) {
      const Duration pause = seen.terms[0][i].from - seen.terms[0][i - 1].until;
      handed_over += pause > Duration{} && pause < 500ms ? 1 : 0;
    }
  }
  CHECK(handed_over > 50);
}

TEST_CASE("B-19 G-09 every placement survives failovers when masters return") {
  for (const std::string policy : {"spread", "pinned", "nearest"}) {
    for (const Duration after : {Duration{}, Duration(5s)}) {
      INFO(policy << " " << after.count());
      Masters seen;
      static_cast<void>(
          masters(1,
                  {"registry.master_placement=" + policy, "registry.pinned_datacenter=us-west2",
                   fmt::format("registry.master_return_after={}ns", after.count()),
                   kills(killed("registry/0", "20s", "3s") + killed("registry/1", "25s", "3s"))},
                  seen));
      const bool returns = after > Duration{};
      for (const std::uint32_t group : {0U, 1U}) {
        REQUIRE(seen.terms[group].size() == (returns ? 3 : 2));
        const auto& [died, preferred] = seen.crashes.at(group);
        CHECK(preferred == seen.terms[group].front().node);
        CHECK((seen.terms[group].back().node == preferred) == returns);
        if (!returns) continue;
        CHECK(seen.terms[group].back().from > died + 8s);  // 3 s away, 5 s fit
        CHECK(seen.terms[group].back().from < died + 12s);
      }
    }
  }
}

TEST_CASE("B-19 J-H a failed move is reported, whether the scenario expects it or not") {
  const auto idle = [](const std::vector<std::string>& overrides) {
    return run(kScenario, 1, overrides).outcome.summary.unexpected_ends;
  };
  const std::string down =
      "faults.outage=[{datacenter=\"us-west2\",component=\"registry\",at=\"15s\",for=\"60s\"}]";
  const std::string away = moved("registry/0", "20s", "us-west2");
  const std::string text = "move of the master of registry/0 to us-west2 at 20s: ";
  CHECK(idle({moves(away), down}) == std::vector<std::string>{text + "given up"});
  CHECK(idle({moves(away), down, "operations.move_master.0.expect=given_up"}).empty());
  CHECK(idle({moves(away), down, "operations.move_master.0.expect=any"}).empty());
  CHECK(idle({moves(away), "operations.move_master.0.expect=given_up"}) ==
        std::vector<std::string>{text + "done; expected: given_up"});
  CHECK(idle({moves(away + moved("registry/0", "30s", "us-west2"))}) ==
        std::vector<std::string>{"move of the master of registry/0 to us-west2 at 30s: the master "
                                 "was there already"});
}
