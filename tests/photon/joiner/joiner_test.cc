// The joiner: register before write, tokens, retries, outcomes, unjoinable clicks.

#include <algorithm>
#include <set>

#include "core_impl/base/hash.h"
#include "tests/photon/joiner/joiner_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

using Outcomes = std::vector<JoinOutcome>;

std::uint64_t right_join_hash(const EventId& click, const EventId& query,
                              const Bytes& click_payload, const Bytes& query_payload) {
  Bytes joined;
  combine_payloads(click_payload, query_payload, joined);
  return joined_hash(click, query, joined);
}

}  // namespace

TEST_CASE("D-03 D-05 D-08 A-02 J-S15 a found query is joined: registered, written, answered") {
  JoinerWorld world;
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(7);
  world.harness.run_for(1s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
  REQUIRE(world.output().size() == 1);
  const JoinedRecord record = world.output()[0];
  CHECK(record.click == click_id(7));
  CHECK(record.query == query_id(7));
  CHECK(record.token == world.registry.ids.at(click_id(7)));
  CHECK(joined_hash(record.click, record.query, record.payload) ==
        right_join_hash(click_id(7), query_id(7), bytes_of("click 7"), bytes_of("query 7")));
  const auto adapted = world.harness.decided<trace::AdapterDecided>();
  REQUIRE(adapted.size() == 1);
  CHECK(adapted[0].skipped == 0);
}

TEST_CASE("D-07 J-S2 M-13 M-16 nothing is written before the registration is confirmed") {
  JoinerWorld world;
  world.registry_receives = false;
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(600s);
  CHECK(world.output().empty());
  CHECK(world.answers_of(request).empty());  // an unknown outcome is no outcome (D-12)
  CHECK(world.joiner->window() == 1);
  world.registry_receives = true;
  world.harness.run_for(20s);  // repetitions have slowed down to one in 16 s
  CHECK(world.outputs_of(1) == 1);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
}

TEST_CASE("D-11 D-12 J-L1 M-11 a lost reply is retried with the very same token, and joins") {
  JoinerWorld world;
  int lost = 3;
  world.reply_copies = [&](const RegistryRequest&) { return --lost < 0 ? 1 : 0; };
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(30s);
  CHECK(world.registry.tokens_asked.size() == 4);
  CHECK(std::set<Token>(world.registry.tokens_asked.begin(), world.registry.tokens_asked.end())
            .size() == 1);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
  CHECK(world.outputs_of(1) == 1);
  CHECK(world.joiner->statistics().answered(JoinOutcome::already_exists) == 0);
}

TEST_CASE("D-12 a shard that is silent for an hour after the commit costs time, not the click") {
  JoinerWorld world;
  bool silent = true;  // it takes effect, and its answers are lost
  world.reply_copies = [&](const RegistryRequest&) { return silent ? 0 : 1; };
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(1h);
  CHECK(world.registry.ids.contains(click_id(1)));
  CHECK(world.outputs_of(1) == 0);
  CHECK(world.answers_of(request).empty());
  silent = false;
  world.harness.run_for(20s);
  CHECK(world.outputs_of(1) == 1);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
}

TEST_CASE("B-44 D-17 BC-02 an attempt and its repetition both get OK from one batch: one output") {
  JoinerWorld world;
  int requests = 0;  // the batch is slow: it answers both requests when both are in it
  world.reply_copies = [&](const RegistryRequest&) { return ++requests < 2 ? 0 : 2; };
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(10s);
  REQUIRE(world.registry.tokens_asked.size() == 2);
  CHECK(world.registry.tokens_asked[0] == world.registry.tokens_asked[1]);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
  CHECK(world.outputs_of(1) == 1);
}

TEST_CASE("D-17 M-15 BC-25 BC-28 several OK replies give one output") {
  JoinerWorld world;
  world.reply_copies = [](const RegistryRequest&) { return 4; };
  world.start();
  world.harness.run_for(100ms);
  for (std::uint32_t i = 0; i < 20; ++i) world.ask(i);
  world.harness.run_for(10s);
  CHECK(world.output().size() == 20);
  CHECK(world.replies.size() == 20);
}

TEST_CASE("F-04 BC-25 of a token of its own life a joiner reports when it is over") {
  JoinerWorld world;
  constexpr NodeId kVerifier{40};
  const auto ask_about = [&](std::uint32_t number, const Token& token) {
    world.harness.deliver(kVerifier, Body::make(AttemptQuery{click_id(number), token}));
    world.harness.run_for(100ms);
    return std::exchange(world.over, {}).size();
  };
  world.registry.ids.emplace(click_id(1), Token{99, 1, 1});
  world.start();
  world.harness.run_for(100ms);
  world.ask(1);
  world.harness.run_for(5s);
  // Refused, and then a late copy of its insert found the id removed.
  const Token refused = world.registry.tokens_asked.at(0);
  CHECK(ask_about(1, refused) == 1);
  // This one's outcome is unknown: it may still have to write.
  world.registry_receives = false;
  world.ask(2);
  world.harness.run_for(1s);
  CHECK(world.joiner->window() == 1);
  CHECK(ask_about(2, Token{refused.address, refused.incarnation, refused.sequence + 1}) == 0);
  CHECK(ask_about(1, Token{refused.address, refused.incarnation + 1, 1}) == 0);
  CHECK(ask_about(1, Token{refused.address + 1, refused.incarnation, 1}) == 0);
  // What it has written is over as well: the file shows it.
  world.registry_receives = true;
  world.harness.run_for(20s);
  CHECK(world.outputs_of(2) == 1);
  CHECK(ask_about(2, world.registry.ids.at(click_id(2))) == 1);
}

TEST_CASE("F-04 BC-25 a joiner is silent about attempts among others, and before it has a life") {
  JoinerWorld world;
  world.registry_receives = false;
  world.grants = false;
  world.config.tokens = GENERATE(Tokens::kept, Tokens::renewed);
  const auto ask_about = [&](std::uint32_t number) {
    const Token token{JoinerWorld::kSelf.value(), 1, 1};
    world.harness.deliver(NodeId{40}, Body::make(AttemptQuery{click_id(number), token}));
    world.harness.run_for(100ms);
    return std::exchange(world.over, {}).size();
  };
  world.start();
  world.harness.run_for(100ms);
  CHECK(ask_about(9) == 0);
  world.grants = true;
  world.harness.run_for(20s);
  for (std::uint32_t i = 1; i <= 3; ++i) world.ask(i);
  world.harness.run_for(1s);
  REQUIRE(world.joiner->in_flight() == 3);
  for (std::uint32_t i = 1; i <= 3; ++i) CHECK(ask_about(i) == 0);
  // With renewed tokens (J-L1) it says nothing at all.
  CHECK(ask_about(9) == (world.config.tokens == Tokens::kept ? 1 : 0));
}

TEST_CASE("D-09 M-14 a click registered by another joiner is dropped and counted as wasted") {
  JoinerWorld world;
  world.registry.ids.emplace(click_id(1), Token{99, 1, 1});
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(5s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::already_exists});
  CHECK(world.output().empty());
  CHECK(world.joiner->statistics().answered(JoinOutcome::already_exists) == 1);
  CHECK(world.joiner->window() == 0);
}

TEST_CASE("D-10 BC-31 a click below the boundary is skipped with success, and counted") {
  JoinerWorld world;
  world.registry.boundary = click_id(1).stamp + 1s;
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(5s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::too_old});
  CHECK(world.output().empty());
  CHECK(world.registry.tokens_asked.size() == 1);  // no retry
  CHECK(world.joiner->statistics().answered(JoinOutcome::too_old) == 1);
}

TEST_CASE("D-04 a missing query and a failing EventStore are failures; nothing is registered") {
  JoinerWorld world;
  world.queries.erase(query_id(1));
  world.start();
  world.harness.run_for(100ms);
  const auto missing = world.ask(1);
  world.harness.run_for(5s);
  CHECK(world.answers_of(missing) == Outcomes{JoinOutcome::query_not_found});
  world.missing_status = QueryStatus::error;
  const auto failing = world.ask(1);
  world.harness.run_for(5s);
  CHECK(world.answers_of(failing) == Outcomes{JoinOutcome::event_store_error});
  CHECK(world.registry.ids.empty());
  CHECK(world.joiner->in_flight() == 0);
}

TEST_CASE("D-06 M-19 a click that the adapter skips is neither registered nor written") {
  JoinerWorld world;
  const FilterAdapter adapter(10);
  world.adapter = &adapter;
  Bytes campaign;
  Encoder encoder(campaign);
  encoder(std::uint32_t{30});
  world.queries[query_id(1)] = campaign;
  campaign.clear();
  encoder(std::uint32_t{31});
  world.queries[query_id(2)] = campaign;
  world.start();
  world.harness.run_for(100ms);
  const auto skipped = world.ask(1);
  const auto joined = world.ask(2);
  world.harness.run_for(5s);
  CHECK(world.answers_of(skipped) == Outcomes{JoinOutcome::skipped});
  CHECK(world.answers_of(joined) == Outcomes{JoinOutcome::joined});
  CHECK_FALSE(world.registry.ids.contains(click_id(1)));
  CHECK(world.output().size() == 1);
  std::uint64_t decided_skips = 0;
  for (const auto& one : world.harness.decided<trace::AdapterDecided>())
    decided_skips += one.skipped;
  CHECK(decided_skips == 1);
}

TEST_CASE("C-22 M-31 unjoinable needs more than R attempts AND more than age A AND a miss") {
  // Clicks are stamped at 24 h; the joiner's wall clock stands at 24 h + offset.
  struct Case {
    std::uint32_t attempts;
    Duration age;
    JoinOutcome expected;
  };
  const auto outcome_not_found = JoinOutcome::query_not_found;
  for (const Case& one : {Case{21, 6h, JoinOutcome::unjoinable},   // a little over 6 h
                          Case{20, 7h, outcome_not_found},         // not more than R
                          Case{21, 5h, outcome_not_found},         // young
                          Case{0, 1000h, outcome_not_found},       // old, first miss
                          Case{1'000'000, 0h, outcome_not_found},  // many fast attempts
                          Case{21, 6h - 1s, outcome_not_found}}) {
    CAPTURE(one.attempts, one.age.count());
    JoinerWorld world;
    world.queries.erase(query_id(1));
    world.start();
    world.harness.run_for(100ms);
    world.harness.wall_offset = one.age - 100ms;
    const auto request = world.ask(1, one.attempts);
    world.harness.run_for(900ms);
    CHECK(world.answers_of(request) == Outcomes{one.expected});
    const bool marked = one.expected == JoinOutcome::unjoinable;
    CHECK(world.unjoinable().size() == (marked ? 1 : 0));
  }
  // The query is there: joined, however old and however often tried.
  JoinerWorld world;
  world.start();
  world.harness.run_for(100ms);
  world.harness.wall_offset = 1000h;
  const auto request = world.ask(1, 5000);
  world.harness.run_for(1s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
  // An error is no miss.
  world.queries.erase(query_id(2));
  world.missing_status = QueryStatus::error;
  const auto failed = world.ask(2, 5000);
  world.harness.run_for(1s);
  CHECK(world.answers_of(failed) == Outcomes{JoinOutcome::event_store_error});
  CHECK(world.unjoinable().empty());
}

TEST_CASE("C-23 M-19 an unjoinable click is marked durably before the answer, never registered") {
  JoinerWorld world;
  world.queries.erase(query_id(1));
  world.start();
  world.harness.run_for(100ms);
  world.harness.wall_offset = 10h;
  world.harness.io_fate = [](const VolumeRequest&) { return IoFate::lost; };
  const auto request = world.ask(1, 30);
  world.harness.run_for(20s);
  CHECK(world.answers_of(request).empty());
  world.harness.io_fate = nullptr;
  world.harness.run_for(1s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::unjoinable});
  REQUIRE(world.unjoinable().size() == 1);
  CHECK(world.unjoinable()[0].click == click_id(1));
  CHECK(world.unjoinable()[0].attempts == 30);
  CHECK(world.registry.ids.empty());
}

TEST_CASE("D-18 M-10 B-43 two requests for one click: two tokens, one output") {
  JoinerWorld world;
  world.start();
  world.harness.run_for(100ms);
  const auto first = world.ask(1);
  const auto second = world.ask(1);
  world.harness.run_for(5s);
  CHECK(world.outputs_of(1) == 1);
  REQUIRE(world.registry.tokens_asked.size() == 2);
  CHECK(world.registry.tokens_asked[0] != world.registry.tokens_asked[1]);
  Outcomes both = world.answers_of(first);
  for (const auto outcome : world.answers_of(second)) both.push_back(outcome);
  CHECK(both == Outcomes{JoinOutcome::joined, JoinOutcome::already_exists});
}

TEST_CASE("D-18 a request that the network duplicates is one attempt while it is in flight") {
  JoinerWorld world;
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.ask_again(request, 1);
  world.harness.run_for(5s);
  CHECK(world.joiner->statistics().coalesced == 1);
  CHECK(world.registry.tokens_asked.size() == 1);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
  // Much later: a new attempt, a new token, no second output.
  world.ask_again(request, 1);
  world.harness.run_for(5s);
  CHECK(world.registry.tokens_asked.size() == 2);
  CHECK(world.outputs_of(1) == 1);
}

TEST_CASE("B-43 M-12 tokens of all lives differ and carry the granted life") {
  JoinerWorld world;
  for (std::uint32_t life = 0; life < 4; ++life) {
    if (life == 0) {
      world.start();
    } else {
      world.restart();
    }
    world.harness.run_for(100ms);
    for (std::uint32_t i = 0; i < 10; ++i) world.ask(10 * life + i);
    world.harness.run_for(2s);
  }
  const auto& tokens = world.registry.tokens_asked;
  CHECK(tokens.size() == 40);
  CHECK(std::set<Token>(tokens.begin(), tokens.end()).size() == 40);
  CHECK(tokens.back().incarnation == 4);
  CHECK(world.output().size() == 40);
  CHECK(world.harness.volumes[2].contents("output/00020/").size() == 4);  // a file per life
}

TEST_CASE("D-01 nothing is accepted before the incarnation is granted") {
  JoinerWorld world;
  world.grants = false;
  world.start();
  const auto request = world.ask(1);
  world.harness.run_for(3s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::internal});
  CHECK(world.registry.tokens_asked.empty());
  world.grants = true;
  world.harness.run_for(3s);
  const auto again = world.ask(1);
  world.harness.run_for(3s);
  CHECK(world.answers_of(again) == Outcomes{JoinOutcome::joined});
}

TEST_CASE("J-S15 the joined hash covers ids and payloads, and matches the header's description") {
  const auto hash = right_join_hash(click_id(1), query_id(1), bytes_of("ab"), bytes_of("cd"));
  CHECK(hash != right_join_hash(click_id(2), query_id(1), bytes_of("ab"), bytes_of("cd")));
  CHECK(hash != right_join_hash(click_id(1), query_id(2), bytes_of("ab"), bytes_of("cd")));
  CHECK(hash != right_join_hash(click_id(1), query_id(1), bytes_of("abc"), bytes_of("d")));
  CHECK(hash != right_join_hash(click_id(1), query_id(1), bytes_of("cd"), bytes_of("ab")));
  // Computed by hand, from the header's description alone.
  Bytes text;
  Encoder encoder(text);
  encoder(std::uint32_t{1}, std::uint32_t{1}, std::int64_t{86'400'000'000'000});
  encoder(std::uint32_t{2}, std::uint32_t{1}, std::int64_t{82'800'000'000'000});
  encoder(std::uint32_t{2}, 'a', 'b', std::uint32_t{2}, 'c', 'd');
  CHECK(hash == hash_bytes(text));
}
