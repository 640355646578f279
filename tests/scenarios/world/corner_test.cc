// The corner cases of SPEC B.9 that are scenarios: scenarios/corner/BC-*.toml, one test each; here
// those of resharding, the others in corner_registry_test.cc.
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core_impl/trace/record.h"
#include "core_impl/trace/registry.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/calendar.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

namespace trace = photon::trace;
using Action = trace::ShardingAction;
using namespace std::chrono_literals;

constexpr photon::Duration kSkewBound = 200ms;  // of the base scenario

// The resharding steps of a run, from the trace.
class ShardingDiary final : public trace::Sink {
 public:
  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::sharding_applied) {
      const auto& applied = record.as<trace::ShardingApplied>();
      if (applied.slot <= slot_) return;  // by another replica
      slot_ = applied.slot;
      ++actions[applied.action];
      if (applied.action != Action::extend_horizon) deciders.insert(record.header.node.value());
      if (applied.action == Action::announce) {
        start_ = applied.start;
        announced_at_ = record.header.at;
      }
      if (applied.action == Action::confirm) confirmed_start = start_;
      if (applied.action == Action::confirm) notice = until(start_) - announced_at_;
    } else if (record.header.kind == trace::Kind::registry_answer &&
               record.header.source == trace::Source::sent) {
      const auto& answer = record.as<trace::RegistryAnswer>();
      ++codes[answer.code];
      if (!trace::is_definitive(answer.code)) return;
      ++answers[answer.shard.value()];
      if (count(Action::forget) > 0 && answer.id.stamp < confirmed_start) {
        if (answer.code == trace::RegistryCode::too_old) ++old_too_old;
        if (answer.code == trace::RegistryCode::not_found) ++old_not_found;
      }
      // After t2, by any clock.
      const bool after = record.header.at > until(confirmed_start) + kSkewBound;
      if (answer.id.stamp < confirmed_start && after &&
          answer.code != trace::RegistryCode::too_old) {
        ++old_answers[answer.shard.value()];
      }
      if (answer.code == trace::RegistryCode::inserted) {
        inserted.push_back({answer.shard.value(), answer.id, record.header.at});
      }
    }
  }
  // Ids whose clocks were ahead by more than `ahead` when they were registered, before a change
  // that they seem to follow.
  std::vector<photon::EventId> ahead_of_change(photon::Duration ahead) const {
    std::vector<photon::EventId> ids;
    for (const Insert& insert : inserted) {
      if (insert.at < announced_at_ && until(insert.id.stamp) > announced_at_ &&
          until(insert.id.stamp) > insert.at + ahead) {
        ids.push_back(insert.id);
      }
    }
    return ids;
  }
  std::uint64_t count(Action action) const {
    const auto found = actions.find(action);
    return found == actions.end() ? 0 : found->second;
  }

  std::map<Action, std::uint64_t> actions{};
  std::set<std::uint32_t> deciders{};  // replicas that were the first to apply a step of a change
  std::map<trace::RegistryCode, std::uint64_t> codes{};
  std::map<std::uint32_t, std::uint64_t> answers{};  // definitive ones, by shard
  // After numbers were forgotten, about ids that they covered.
  std::uint64_t old_too_old = 0;
  std::uint64_t old_not_found = 0;
  std::map<std::uint32_t, std::uint64_t> old_answers{};  // after t2, about ids before it
  struct Insert {
    std::uint32_t shard;
    photon::EventId id;
    photon::SimTime at;
  };
  std::vector<Insert> inserted{};
  photon::Stamp confirmed_start{};
  photon::Duration notice{};  // from the announcement of the last change in force to its beginning

 private:
  std::uint64_t slot_ = 0;
  // The time at which an exact clock shows that stamp.
  static photon::SimTime until(photon::Stamp stamp) {
    return photon::SimTime(stamp.time_since_epoch() - photonsim::scenarios::kCalendarEpoch);
  }

  photon::Stamp start_{};
  photon::SimTime announced_at_{};
};

void require_sound(const Ran& ran) {
  INFO("replay: " << ran.replay);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined + lost(ran) == ran.outcome.summary.generated);
}

Ran corner(const std::string& name, std::uint64_t seed, ShardingDiary& diary,
           const std::vector<std::string>& overrides = {}) {
  return run("scenarios/corner/" + name + ".toml", seed, overrides, &diary);
}

// Whether the text of the tests has a test that runs the scenario; for a row of SPEC B.9, one with
// the row in its name.
bool runs_in_its_test(const std::string& tests, const std::string& scenario) {
  constexpr std::string_view kBegin = "TEST_CASE(";
  for (std::size_t begin = tests.find(kBegin); begin != std::string::npos;) {
    const std::size_t next = tests.find(kBegin, begin + 1);
    const std::string test = tests.substr(begin, next - begin);
    const std::size_t body = test.find(") {");
    const bool named = test.substr(0, body).find(scenario) != std::string::npos;
    const bool run = test.find('"' + scenario + '"', body) != std::string::npos ||
                     test.find("corner/" + scenario + ".toml", body) != std::string::npos;
    if (run && (named || !scenario.starts_with("BC-"))) return true;
    begin = next;
  }
  return false;
}

using photon::testing::another_seed;

constexpr std::uint64_t kAllSeeds = 5;
constexpr std::uint64_t kSeeds = photon::testing::effort(kAllSeeds);

}  // namespace

TEST_CASE("every corner case of the library loads under its own name and has its test here") {
  std::string tests;
  for (const char* file : {"corner_test.cc", "corner_registry_test.cc"}) {
    std::ifstream in(std::string("tests/scenarios/world/") + file);
    tests.append(std::istreambuf_iterator<char>(in), {});
  }
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios/corner")) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".toml" || stem.starts_with("base")) continue;
    ++found;
    INFO(stem);
    const auto loaded = photonsim::scenarios::load(entry.path().string(), {});
    REQUIRE(loaded.ok());
    CHECK(loaded.config().scenario.name == stem);
    CHECK(runs_in_its_test(tests, stem));
  }
  CHECK(found >= 19);
  CHECK_FALSE(runs_in_its_test(tests, "BC-33"));
}

TEST_CASE("J-H4 a run of a corner case of the library reports it", "[sweep]") {
  for (const auto& entry : std::filesystem::directory_iterator("scenarios/corner")) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".toml" || !stem.starts_with("BC-")) continue;
    INFO(stem);
    const auto loaded = photonsim::scenarios::load(entry.path().string(), {});
    REQUIRE(loaded.ok());
    const Ran ran = run(entry.path().string(), loaded.config().run.seed);
    CHECK(std::ranges::any_of(ran.outcome.summary.corner_cases, [&](const auto& counted) {
      return counted.first.starts_with(stem) && counted.second > 0;  // "BC-31 look-up"
    }));
  }
}

TEST_CASE("BC-16 B-54 B-56 ids of fast clocks keep their shard when shards are added", "[sweep]") {
  std::size_t ahead = 0;
  for (std::uint64_t seed = 1; another_seed(seed, kAllSeeds, ahead > 0); ++seed) {
    ShardingDiary diary;
    const Ran ran = corner("BC-16", seed, diary);
    require_sound(ran);
    CHECK(diary.count(Action::confirm) == 1);
    for (std::uint32_t shard = 0; shard < 5; ++shard) CHECK(diary.answers[shard] > 0);
    ahead += diary.ahead_of_change(100ms).size();
  }
  CHECK(ahead >= kSeeds);
}

TEST_CASE("A-35 B-54 positive control: clocks outside the bound, or S too small, are detected",
          "[sweep]") {
  constexpr std::uint64_t kSound = photon::testing::effort(2);  // seeds of those that stay clean
  const std::vector<std::string> understated{"registry.routing.skew_bound=0s",
                                             "operations.reshard.0.starts_in=700ms"};
  const std::vector<std::string> violated{"clocks.epsilon=10ms", "clocks.violate_clock_bound=true",
                                          "operations.reshard.0.starts_in=720ms"};
  for (const auto& broken : {understated, violated}) {
    std::uint64_t runs_with_duplicates = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      ShardingDiary diary;
      const Ran ran = corner("fast_clocks", seed, diary, broken);
      INFO("replay: " << ran.replay);
      CHECK(diary.count(Action::confirm) == 1);
      // Two shards for one id, and mostly the consequence: clicks joined twice.
      CHECK(ran.json.find("\"J-S5\"") != std::string::npos);
      if (ran.json.find("\"J-S1\"") != std::string::npos) ++runs_with_duplicates;
      if (seed > kSound) continue;
      // Rule 2 rests on TrueTime, which is correct: such clocks delay it, but do not break it.
      std::vector<std::string> by_rule_2 = broken;
      by_rule_2.insert(by_rule_2.end(), {"registry.routing.freshness=false",
                                         "registry.routing.read_after_stamp=true"});
      ShardingDiary other;
      require_sound(corner("fast_clocks", seed, other, by_rule_2));
      CHECK(other.count(Action::confirm) == 1);
    }
    CHECK(2 * runs_with_duplicates >= kSeeds);
  }
  for (std::uint64_t seed = 1; seed <= kSound; ++seed) {
    ShardingDiary diary;
    require_sound(corner("fast_clocks", seed, diary));
    CHECK(diary.count(Action::confirm) == 1);
  }
}

TEST_CASE(
    "B-56 B-57 up, up and down again under load, with crashes, partitions and lost messages") {
  const std::vector<std::string> faults{
      "faults.random=[{kind=\"process_crash\", mean_interval=\"2s\", restart_after=\"2s\"}, "
      "{kind=\"partition\", mean_interval=\"15s\", mean_duration=\"3s\"}]",
      "network.loss=1%",
      "network.duplication=1%",
      "operations.reshard.0.expect=any",
      "operations.reshard.1.expect=any",
      "operations.reshard.2.expect=any"};
  std::uint64_t confirmed = 0;
  for (std::uint64_t seed = 1; another_seed(seed, 2 * kAllSeeds, confirmed > 2); ++seed) {
    ShardingDiary diary;
    const Ran ran = corner("BC-20", seed, diary, faults);
    require_sound(ran);
    CHECK(ran.outcome.summary.faults_effective > 10);
    confirmed += diary.count(Action::confirm);
  }
  CHECK(confirmed > 2 * kSeeds);
}

TEST_CASE("B-59 shards that start too late cost time, and no id", "[sweep]") {
  std::string late;
  for (const std::string where : {"us-east1", "us-east4", "us-west1", "us-west2", "us-central1"}) {
    late += (late.empty() ? "{process=\"registry/4@" : ", {process=\"registry/4@") + where +
            "\", at=\"1s\", restart_after=\"44s\"}";
  }
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ShardingDiary diary;
    const Ran ran = corner("BC-16", seed, diary, {"faults.crash=[" + late + "]"});
    require_sound(ran);
    CHECK(diary.count(Action::confirm) == 1);
    CHECK(diary.answers[4] > 0);
    CHECK(lost(ran) == 0);
  }
}

TEST_CASE("BC-17 B-54 a change that starts at once is refused without effect") {
  ShardingDiary diary;
  const Ran ran = corner("BC-17", 1, diary);
  require_sound(ran);
  CHECK(diary.actions.empty());
  CHECK(diary.answers.size() == 2);
}

TEST_CASE("BC-18 B-60c each of the four protections alone keeps a late client from doing damage") {
  const std::string off = "registry.routing.read_after_stamp=false";
  const std::array<std::vector<std::string>, 4> protections{{
      {off, "registry.routing.freshness=true"},
      {"registry.routing.read_after_stamp=true"},
      {off, "registry.routing.server_check=read_after_stamp"},
      {off, "registry.routing.horizon=true"},
  }};
  for (const auto& protection : protections) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      ShardingDiary diary;
      const Ran ran = corner("BC-18", seed, diary, protection);
      require_sound(ran);
      CHECK(diary.count(Action::confirm) == 1);
      for (std::uint32_t shard = 0; shard < 4; ++shard) CHECK(diary.answers[shard] > 0);
    }
  }
}

TEST_CASE(
    "BC-18 B-60c with all of them off, clicks are registered twice, and the oracles report it") {
  ShardingDiary diary;
  const Ran ran = corner("BC-18", 1, diary, {"registry.routing.read_after_stamp=false"});
  INFO(ran.json);
  CHECK(diary.count(Action::confirm) == 1);
  CHECK(ran.json.find("\"J-S5\"") != std::string::npos);
  CHECK(ran.json.find("\"J-S1\"") != std::string::npos);
}

// A history is as old as its request: across the country it is never younger than the round trip,
// and a client that requires that waits without end. It is late, not wrong.
TEST_CASE("B-60c freshness below the round trip to the history's master: nothing is registered") {
  const std::vector<std::string> fresh{"topology.pipelines=us-west1",
                                       "registry.routing.read_after_stamp=false",
                                       "registry.routing.freshness=true"};
  for (const bool enough : {false, true}) {
    std::vector<std::string> overrides = fresh;
    overrides.emplace_back(enough ? "registry.routing.max_age=200ms"
                                  : "registry.routing.max_age=20ms");
    ShardingDiary diary;
    const Ran ran = corner("BC-21", 1, diary, overrides);
    INFO("replay: " << ran.replay);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(diary.answers.empty() == !enough);
    CHECK((ran.outcome.summary.joined == 0) == !enough);
    CHECK((ran.outcome.liveness_violations == 0) == enough);
  }
}

TEST_CASE("BC-19 B-60d a change whose commit is delayed past t2 - S is cancelled") {
  std::uint64_t cancelled = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    // The cut meets the announcement at different moments of its way.
    for (const std::string at : {"30003ms", "30020ms", "30030ms", "30040ms"}) {
      ShardingDiary diary;
      const Ran ran = corner("BC-19", seed, diary,
                             {"faults.partition.0.at=" + at, "operations.reshard.0.expect=any"});
      require_sound(ran);
      // Only changes announced in time take effect: an open one routes nothing.
      CHECK((diary.count(Action::confirm) == 0 || diary.notice > kSkewBound));
      cancelled += diary.count(Action::cancel);
    }
  }
  CHECK(cancelled >= kSeeds);
}

TEST_CASE("B-60d the next master decides an announced change if the announcer dies before") {
  std::uint64_t decided_by_another = 0;
  for (std::uint64_t seed = 1; another_seed(seed, kAllSeeds, decided_by_another > 0); ++seed) {
    // The death meets the change at different moments of its way.
    for (const std::string at : {"30010ms", "30020ms", "30030ms", "30040ms"}) {
      ShardingDiary diary;
      const Ran ran = corner("BC-19", seed, diary,
                             {"faults.partition=[]", "operations.reshard.0.starts_in=8s",
                              "operations.reshard.0.expect=done",
                              "faults.crash=[{process=\"us-east1/sharding/0\", at=\"" + at +
                                  "\", restart_after=\"5s\"}]"});
      require_sound(ran);
      CHECK(ran.outcome.summary.registry.reshards == 1);
      if (diary.deciders.size() == 2) ++decided_by_another;
    }
  }
  CHECK(decided_by_another > 0);
}

TEST_CASE("BC-20 B-60a two changes within S of each other both happen, one after the other") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ShardingDiary diary;
    const Ran ran = corner("BC-20", seed, diary);
    require_sound(ran);
    CHECK(diary.count(Action::confirm) == 3);
    CHECK(ran.outcome.summary.registry.reshards == 3);
    for (std::uint32_t shard = 0; shard < 6; ++shard) CHECK(diary.answers[shard] > 0);
  }
}

TEST_CASE("BC-21 B-57 B-58 after a decrease the old shards answer for their old ids") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ShardingDiary diary;
    const Ran ran = corner("BC-21", seed, diary);
    require_sound(ran);
    CHECK(diary.count(Action::confirm) == 1);
    for (std::uint32_t shard = 2; shard < 5; ++shard) CHECK(diary.old_answers[shard] > 0);
    CHECK(diary.count(Action::forget) == 0);  // far from B >= t2
  }
}

TEST_CASE("BC-22 B-58 B-60b ids of removed shards are too old, never not found") {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ShardingDiary diary;
    const Ran ran = corner("BC-22", seed, diary);
    require_sound(ran);
    CHECK(diary.count(Action::confirm) == 1);
    CHECK(diary.count(Action::forget) == 1);
    CHECK(diary.old_too_old > 0);
    CHECK(diary.old_not_found == 0);
  }
}

TEST_CASE("B-60f BC-30 ids from the future are counted; hardened, they are refused until due") {
  const Ran within = run("scenarios/corner/BC-30.toml", 1,
                         {"clocks.epsilon=2s", "clocks.violate_clock_bound=false"});
  CHECK(within.outcome.summary.registry.future_inserts == 0);
  std::array<std::uint64_t, 2> counted{};
  for (const bool hardened : {false, true}) {
    const Ran ran = run("scenarios/corner/BC-30.toml", 1,
                        {std::string("registry.reject_future=") + (hardened ? "true" : "false")});
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(ran.outcome.summary.registry.future_inserts > 20);
    CHECK(ran.outcome.summary.joined > 250);
    counted[hardened ? 1 : 0] = ran.outcome.summary.registry.future_inserts;
  }
  // An accepted id is counted once; a refused one is repeated until it is due.
  CHECK(counted[1] > counted[0] + counted[0] / 2);
}

TEST_CASE("BC-17 a cancelled change is reported, unless it is the purpose of the scenario") {
  ShardingDiary diary;
  const auto idle = [&](const std::string& name, const std::vector<std::string>& overrides) {
    return corner(name, 1, diary, overrides).outcome.summary.unexpected_ends;
  };
  CHECK(idle("BC-17", {}).empty());
  CHECK(idle("BC-17", {"operations.reshard.0.expect=done"}) ==
        std::vector<std::string>{"reshard to 4 at 30s: refused, it would have started too early"});
  CHECK(idle("BC-17", {"operations.reshard.0.expect=done", "operations.reshard.0.shards=2",
                       "operations.reshard.0.starts_in=5s"}) ==
        std::vector<std::string>{
            "reshard to 2 at 30s: refused, it would have changed nothing or the past"});
  CHECK(idle("BC-17", {"operations.reshard.0.starts_in=5s"}) ==
        std::vector<std::string>{"reshard to 4 at 30s: it is in force; expected: refused"});
  CHECK(idle("BC-17", {"operations.reshard.0.expect=any"}).empty());
  CHECK(idle("BC-17", {"operations.reshard.0.expect=any", "operations.reshard.0.starts_in=5s"})
            .empty());
}
