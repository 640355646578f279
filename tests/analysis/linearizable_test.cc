// J-S4 on handmade traces: which answers clients received, and when.
#include "analysis/reports/summary.h"
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/undecided_history.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using trace::BoundaryMoved;
using trace::RegistryAnswer;
using trace::RegistryAsk;
using trace::RegistryCode;
using trace::RegistryOperation;

constexpr ShardId kShard{0};

// Requests and answers only, whatever servers report about slots: J-S4 does not read that.
struct Clients : World {
  Clients() { boot(); }
  void ask(NodeId client, std::uint64_t request, const Token& token = {}, std::uint32_t click = 1) {
    sent(client, kReplica1, RegistryAsk{click_id(click), token, request, kind(token), kShard});
  }
  void answered(NodeId client, std::uint64_t request, RegistryCode code, const Token& token = {},
                std::uint32_t click = 1, ShardId shard = kShard) {
    delivered(kReplica1, client,
              RegistryAnswer{click_id(click), token, request, 0, kind(token), code, shard});
  }
  void move(std::uint64_t slot, std::uint32_t click, ShardId shard = kShard) {
    decide(kReplica1, BoundaryMoved{slot, click_id(click).stamp, shard});
  }
  static RegistryOperation kind(const Token& token) {
    return token.is_empty() ? RegistryOperation::lookup : RegistryOperation::insert;
  }
  std::uint64_t found() const { return count("J-S4"); }
};

}  // namespace

TEST_CASE(
    "J-S4 B-02 B-41 overlapping operations may go either way, later ones must see the effect") {
  Clients world;
  const Token mine = world.token(kJoiner, 1);
  const Token other = world.token(kFarJoiner, 1);
  world.ask(kJoiner, 1, mine);
  world.ask(kFarJoiner, 1, other);
  world.ask(kDispatcher, 1);
  world.answered(kJoiner, 1, RegistryCode::inserted, mine);
  world.answered(kDispatcher, 1, RegistryCode::not_found);
  CHECK(world.found() == 0);
  SECTION("a stale look-up") {
    world.ask(kDispatcher, 2);
    world.answered(kDispatcher, 2, RegistryCode::not_found);
    CHECK(world.found() == 1);
    CHECK(world.findings().find("the look-up that process 10 asked for") != std::string::npos);
  }
  SECTION("two owners") {
    world.answered(kFarJoiner, 1, RegistryCode::inserted, other);
    CHECK(world.found() == 1);
  }
  SECTION("a loser, and the winner's repetition") {
    world.answered(kFarJoiner, 1, RegistryCode::already_exists, other);
    world.ask(kJoiner, 2, mine);
    world.answered(kJoiner, 2, RegistryCode::inserted, mine);
    CHECK(world.found() == 0);
  }
  SECTION("the winner's repetition is refused") {
    world.ask(kJoiner, 2, mine);
    world.answered(kJoiner, 2, RegistryCode::already_exists, mine);
    CHECK(world.found() == 1);
  }
  SECTION("one id is reported once") {
    for (std::uint64_t request = 2; request < 9; ++request) {
      world.ask(kDispatcher, request);
      world.answered(kDispatcher, request, RegistryCode::not_found);
    }
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-S4 BC-28 a repetition is no separate operation, nor is a second answer") {
  Clients world;
  const Token mine = world.token(kJoiner, 1);
  world.ask(kJoiner, 1, mine);
  world.ask(kDispatcher, 1);
  world.answered(kDispatcher, 1,
                 RegistryCode::exists);  // the first copy took effect, its reply is lost
  world.ask(kJoiner, 1, mine);
  world.answered(kJoiner, 1, RegistryCode::inserted, mine);
  world.answered(kJoiner, 1, RegistryCode::already_exists, mine);  // no client reads it
  CHECK(world.found() == 0);
}

TEST_CASE("J-S4 an operation without an answer may take effect late, or never") {
  Clients world;
  const Token lost = world.token(kJoiner, 1);
  const Token mine = world.token(kFarJoiner, 1);
  world.ask(kJoiner, 1, lost);
  world.ask(kDispatcher, 1);
  world.answered(kDispatcher, 1, RegistryCode::not_found);
  SECTION("late") {
    world.wait(1h);
    world.ask(kFarJoiner, 1, mine);
    world.answered(kFarJoiner, 1, RegistryCode::already_exists, mine);
    CHECK(world.found() == 0);
    world.ask(kDispatcher, 2);
    world.answered(kDispatcher, 2, RegistryCode::not_found);
    CHECK(world.found() == 1);
  }
  SECTION("never") {
    world.ask(kFarJoiner, 1, mine);
    world.answered(kFarJoiner, 1, RegistryCode::inserted, mine);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("J-S4 B-65 too old exactly from the time the boundary was seen to pass") {
  JudgeConfig config = World::standard();
  config.shards = 2;
  Clients world;
  const Token mine = world.token(kJoiner, 1);
  world.ask(kJoiner, 1, mine);
  world.answered(kJoiner, 1, RegistryCode::inserted, mine);
  world.ask(kDispatcher, 1);
  SECTION("not before") {
    world.answered(kDispatcher, 1, RegistryCode::too_old);
    CHECK(world.found() == 1);
  }
  SECTION("then in every answer, except to a request sent before") {
    world.ask(kFarDispatcher, 1);
    world.move(3, 2);
    world.answered(kDispatcher, 1, RegistryCode::too_old);
    world.answered(kFarDispatcher, 1, RegistryCode::exists);
    CHECK(world.found() == 0);
    world.move(4, 3);  // no request is open: the id is forgotten
    world.ask(kDispatcher, 2);
    world.answered(kDispatcher, 2, RegistryCode::too_old);
    CHECK(world.found() == 0);
    world.ask(kDispatcher, 3);
    world.answered(kDispatcher, 3, RegistryCode::exists);
    CHECK(world.found() == 1);
  }
  SECTION("another shard's boundary is irrelevant") {
    world.move(3, 2, ShardId{1});
    world.answered(kDispatcher, 1, RegistryCode::too_old, {}, 1, ShardId{1});
    CHECK(world.found() == 0);
    world.ask(kDispatcher, 2);
    world.answered(kDispatcher, 2, RegistryCode::too_old);
    CHECK(world.found() == 1);
  }
}

namespace {

// Click 1 belongs to `owner`, which received that answer.
struct Owned : Clients {
  Owned() {
    ask(kJoiner, 1, owner);
    answered(kJoiner, 1, RegistryCode::inserted, owner);
  }
  void care(RegistryOperation operation, std::uint64_t request, RegistryCode code,
            const Token& asked, const Token& answered) {
    sent(kDispatcher, kReplica1, RegistryAsk{click_id(1), asked, request, operation, kShard});
    delivered(kReplica1, kDispatcher,
              RegistryAnswer{click_id(1), answered, request, 0, operation, code, kShard});
  }
  const Token owner = token(kJoiner, 1);
  const Token other = token(kFarJoiner, 1);
};

}  // namespace

TEST_CASE("J-S4 F-09 F-12 B-45 what is removed, cleared or read is what was stored") {
  using enum RegistryOperation;
  Owned world;
  SECTION("removed: it is absent, and free") {
    world.care(read_token, 1, RegistryCode::exists, Token{}, world.owner);
    world.care(remove, 2, RegistryCode::removed, world.owner, world.owner);
    world.care(lookup, 3, RegistryCode::not_found, Token{}, Token{});
    world.care(insert, 4, RegistryCode::inserted, world.other, world.other);
    CHECK(world.found() == 0);
    world.care(lookup, 5, RegistryCode::not_found, Token{}, Token{});
    CHECK(world.found() == 1);
  }
  SECTION("removed, and still there") {
    world.care(remove, 1, RegistryCode::removed, world.owner, world.owner);
    world.care(lookup, 2, RegistryCode::exists, Token{}, Token{});
    CHECK(world.found() == 1);
  }
  SECTION("removed, and a late copy of the insert arrives (BC-28)") {
    world.care(remove, 1, RegistryCode::removed, world.owner, world.owner);
    world.delivered(kJoiner, kReplica1, RegistryAsk{click_id(1), world.owner, 1, insert, kShard});
    world.care(lookup, 2, RegistryCode::exists, Token{}, Token{});
    CHECK(world.found() == 0);
  }
  SECTION("removed with a token that is not stored (M-38)") {
    world.care(remove, 1, RegistryCode::removed, world.other, world.other);
    CHECK(world.found() == 1);
  }
  SECTION("a token is read that differs from the owner's") {
    world.care(read_token, 1, RegistryCode::exists, Token{}, world.other);
    CHECK(world.found() == 1);
  }
  SECTION("cleared: present, and without owner") {
    world.care(clear, 1, RegistryCode::cleared, world.owner, world.owner);
    world.care(clear, 2, RegistryCode::cleared, world.owner, world.owner);
    world.care(read_token, 3, RegistryCode::cleared, Token{}, Token{});
    world.care(remove, 4, RegistryCode::no_match, world.owner, world.owner);
    world.care(lookup, 5, RegistryCode::exists, Token{}, Token{});
    CHECK(world.found() == 0);
    world.care(insert, 6, RegistryCode::inserted, world.owner, world.owner);
    CHECK(world.found() == 1);
  }
  SECTION("cleared away (M-39)") {
    world.care(clear, 1, RegistryCode::cleared, world.owner, world.owner);
    world.care(lookup, 2, RegistryCode::not_found, Token{}, Token{});
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-S4 F-09 BC-28 a removal may be answered by a copy that arrived after the effect") {
  using enum RegistryOperation;
  Owned world;
  const RegistryAsk removal{click_id(1), world.owner, 1, remove, kShard};
  const auto answer = [&](RegistryCode code) {
    world.delivered(kReplica1, kDispatcher,
                    RegistryAnswer{click_id(1), world.owner, 1, 0, remove, code, kShard});
  };
  world.sent(kDispatcher, kReplica1, removal);
  world.delivered(kDispatcher, kReplica1, removal);
  world.care(lookup, 2, RegistryCode::not_found, Token{}, Token{});
  SECTION("the network duplicated it") {
    world.delivered(kDispatcher, kReplica1, removal);
    answer(RegistryCode::not_found);
    world.care(lookup, 3, RegistryCode::not_found, Token{}, Token{});
    CHECK(world.found() == 0);
    world.care(lookup, 4, RegistryCode::exists, Token{}, Token{});
    CHECK(world.found() == 1);
  }
  SECTION("no copy arrived: the remover must be answered \"removed\"") {
    answer(RegistryCode::not_found);
    CHECK(world.found() == 1);
  }
  SECTION("sent again, and too old by then, whatever the first copy did (BC-11)") {
    world.sent(kDispatcher, kReplica1, removal);
    world.move(3, 2);
    world.delivered(kDispatcher, kReplica1, removal);
    answer(RegistryCode::too_old);
    world.care(lookup, 3, RegistryCode::too_old, Token{}, Token{});
    CHECK(world.found() == 0);
  }
  SECTION("sent once: it took effect, so it was not too old") {
    world.move(3, 2);
    answer(RegistryCode::too_old);
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-S4 an id with too many explanations is counted, because it is not checked any more") {
  Clients world;
  SECTION("few: decided, and reported") {
    come_and_go(world, 3, 7);
    CHECK(world.judge.undecided().total() == 0);
    CHECK(world.found() == 1);  // three can restore it only three times
  }
  SECTION("many") {
    come_and_go(world, 14, 10);
    come_and_go(world, 0, 1);  // one more request about the same id: it stays one
    CHECK(world.judge.undecided().configurations == 1);
    CHECK(world.found() == 0);
    world.judge.finish();
    Summary summary;
    summarise(world.judge, summary);
    CHECK(summary.undecided_ids.total() == 1);
    CHECK_THAT(to_json(summary), Catch::Contains(R"("undecided_ids":1)"));
    CHECK_THAT(
        to_json(summary),
        Catch::Contains(R"("undecided_ids_by_limit":{"configurations":1,"steps":0,"bytes":0})"));
    summary.exit_code = 7;
    CHECK_THAT(to_json(summary), Catch::Contains(R"("verdict":"shortfall")"));
    CHECK_THAT(to_text(summary),
               Catch::Contains("J-S4 left 1 id undecided (1 with more than 2048 "));
  }
  SECTION("what the boundary forbids is reported all the same") {
    come_and_go(world, 14, 10);
    world.move(3, 2);
    world.ask(kFarDispatcher, 99);
    world.answered(kFarDispatcher, 99, RegistryCode::exists);
    CHECK(world.found() == 1);
  }
}

TEST_CASE("J-S4 L-23 a replica's answer was true once, and not before the client's own removal") {
  using enum RegistryOperation;
  Owned world;
  std::uint64_t request = 10;
  const auto read = [&](NodeId client, RegistryCode code) {
    world.sent(client, kReplica2,
               RegistryAsk{click_id(1), Token{}, ++request, lookup, kShard,
                           trace::LookupMode::replica, 0, 0});
    world.delivered(kReplica2, client,
                    RegistryAnswer{click_id(1), Token{}, request, 0, lookup, code, kShard,
                                   trace::LookupMode::replica});
  };
  read(kFarDispatcher, RegistryCode::not_found);
  read(kFarDispatcher, RegistryCode::exists);
  read(kFarDispatcher, RegistryCode::not_found);
  CHECK(world.found() == 0);
  SECTION("after a removal") {
    world.care(remove, 1, RegistryCode::removed, world.owner, world.owner);
    read(kFarDispatcher, RegistryCode::exists);
    CHECK(world.found() == 0);
    read(kDispatcher, RegistryCode::exists);  // it removed the id itself
    CHECK(world.found() == 1);
  }
  SECTION("after a removal by another client, which had received an earlier one") {
    world.care(remove, 1, RegistryCode::removed, world.owner, world.owner);
    const auto far = [&](RegistryOperation operation, std::uint64_t number, RegistryCode code) {
      world.sent(kFarDispatcher, kReplica1,
                 RegistryAsk{click_id(1), world.other, number, operation, kShard});
      world.delivered(kReplica1, kFarDispatcher,
                      RegistryAnswer{click_id(1), world.other, number, 0, operation, code, kShard});
    };
    far(insert, 1, RegistryCode::inserted);
    far(remove, 2, RegistryCode::removed);
    read(kDispatcher, RegistryCode::exists);
    world.care(insert, 3, RegistryCode::inserted, world.owner, world.owner);
    CHECK(world.found() == 0);
    read(kFarDispatcher, RegistryCode::not_found);  // true before the insert
    CHECK(world.found() == 0);
    world.care(remove, 4, RegistryCode::removed, world.owner, world.owner);
    read(kDispatcher, RegistryCode::exists);  // it removed the id itself
    CHECK(world.found() == 1);
  }
  SECTION("below the boundary") {
    read(kFarDispatcher, RegistryCode::too_old);
    CHECK(world.found() == 1);
    Owned other;
    other.move(2, 2);
    other.move(3, 3);
    other.sent(
        kDispatcher, kReplica2,
        RegistryAsk{click_id(1), Token{}, 5, lookup, kShard, trace::LookupMode::replica, 0, 0});
    other.delivered(kReplica2, kDispatcher,
                    RegistryAnswer{click_id(1), Token{}, 5, 0, lookup, RegistryCode::exists, kShard,
                                   trace::LookupMode::replica});
    CHECK(other.found() == 0);
  }
  SECTION("an id that was never inserted") {
    world.sent(
        kDispatcher, kReplica2,
        RegistryAsk{click_id(2), Token{}, 5, lookup, kShard, trace::LookupMode::replica, 0, 0});
    world.delivered(kReplica2, kDispatcher,
                    RegistryAnswer{click_id(2), Token{}, 5, 0, lookup, RegistryCode::exists, kShard,
                                   trace::LookupMode::replica});
    CHECK(world.found() == 1);
  }
}

}  // namespace photon::analysis::testing
