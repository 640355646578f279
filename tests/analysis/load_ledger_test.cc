// A registry-only load: every operation ends, with the outcome that the network shows.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

JudgeConfig alone() {
  JudgeConfig config = World::standard();
  config.pipelines.clear();
  return config;
}

void ask(World& world, std::uint64_t number, const Token& token) {
  const auto operation = token.is_empty() ? RegistryOperation::lookup : RegistryOperation::insert;
  world.decide(kJoiner, LoadAsked{click_id(1), token, number, operation});
}

// The reply and the client's completion have the same time.
void done(World& world, std::uint64_t number, const Token& token, RegistryCode code) {
  const auto operation = token.is_empty() ? RegistryOperation::lookup : RegistryOperation::insert;
  world.wait(-1ms);
  world.decide(kJoiner, LoadDone{click_id(1), token, number, operation, code});
}

struct Asked {
  World world{alone()};
  Token token{};
  Asked() {
    world.boot();
    token = world.token(kJoiner, 1);
    ask(world, 1, token);
    world.ask_insert(kJoiner, 1, token);
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
  }
};

TEST_CASE("J-P0 J-S16 J-S18 a load whose operations end as they were answered is sound") {
  Asked asked;
  done(asked.world, 1, asked.token, RegistryCode::inserted);
  asked.world.quiesce();
  asked.world.judge.finish();
  CHECK(asked.world.judge.violations().total() == 0);
  const LoadLedger& load = asked.world.judge.load();
  CHECK(load.asked() == 1);
  CHECK(load.answered() == 1);
  CHECK(load.open() == 0);
  CHECK(load.answers(RegistryCode::inserted) == 1);
  CHECK(load.insert_latency().count() == 1);
  CHECK(load.insert_latency().min() > 1ms);
}

TEST_CASE("J-P0 an operation without an end is stuck, unless its client died") {
  Asked asked;
  SECTION("it lives") {
    asked.world.quiesce();
    asked.world.judge.finish();
    CHECK(asked.world.judge.violations().count("J-P0") == 1);
  }
  SECTION("it died") {
    asked.world.crash(kJoiner);
    asked.world.quiesce();
    asked.world.judge.finish();
    CHECK(asked.world.judge.violations().total() == 0);
    CHECK(asked.world.judge.load().abandoned() == 1);
  }
  SECTION("the run ended before") {
    asked.world.judge.finish();
    CHECK(asked.world.judge.violations().total() == 0);
  }
}

TEST_CASE("J-S18 an operation must end as its reply says") {
  Asked asked;
  SECTION("another code") { done(asked.world, 1, asked.token, RegistryCode::already_exists); }
  SECTION("another token") { done(asked.world, 1, Token{9, 9, 9}, RegistryCode::inserted); }
  SECTION("an operation that was never requested") {
    done(asked.world, 2, asked.token, RegistryCode::inserted);
  }
  SECTION("long after the reply") {
    asked.world.wait(5ms);
    done(asked.world, 1, asked.token, RegistryCode::inserted);
  }
  SECTION("with an outcome that does not end it") {
    const auto code = GENERATE(RegistryCode::not_master, static_cast<RegistryCode>(4096));
    done(asked.world, 1, asked.token, code);
    CHECK(asked.world.judge.load().answers(RegistryCode::inserted) == 0);
  }
  CHECK(asked.world.judge.violations().count("J-S18") == 1);
}

TEST_CASE("J-S16 without a workload of clicks an id is registered only on request") {
  World world{alone()};
  world.boot();
  const Token token = world.token(kJoiner, 1);
  world.transaction(1, {{1, token}});
  CHECK(world.judge.violations().count("J-S16") == 1);
}

}  // namespace
}  // namespace photon::analysis::testing
