// The verifier: what it brings back, in which order, and what prevents it.

#include <algorithm>
#include <set>
#include <vector>

#include "tests/photon/verification/verifier_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

using Step = VerifierWorld::Step;

std::vector<trace::Verified> verdicts_of(const VerifierWorld& world) {
  std::vector<trace::Verified> all;
  for (const auto& each : world.verdicts()) all.push_back(each.verdict);
  return all;
}

}  // namespace

TEST_CASE("F-02 F-03 F-08 a click whose joiner died before it wrote is removed and brought back") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.start();
  world.harness.run_for(20s);
  CHECK(world.registry.removed == std::vector{lost});
  CHECK(world.brought_back() == std::vector{lost});
  // The intent is durable before the id is removed, and the return follows: F-08.
  CHECK(world.steps == std::vector{Step::intent, Step::removal, Step::returned});
  CHECK(world.verdicts().empty());  // it is not in the output yet
  // A joiner takes it, and an auditor sees it.
  world.registry.ids[lost] = Token{20, 4, 1};
  world.testimony = [](NodeId, const OutputOwner&) { return Presence::present; };
  world.harness.run_for(30s);
  REQUIRE(verdicts_of(world) == std::vector{trace::Verified::present});
  CHECK(world.verdicts()[0].reinjections == 1);
  CHECK(world.verifier->open_cases() == 0);
  CHECK(world.verifier->statistics().taken == 1);
  CHECK(world.verifier->statistics().finished == 1);
  CHECK(world.verifier->statistics().removals == 1);
  CHECK(world.verifier->statistics().returned == 1);
  CHECK(world.verifier->statistics().rests == 2);
}

TEST_CASE("F-02 every click of the input is checked, and what is in the output is left alone") {
  VerifierWorld world;
  for (std::uint32_t i = 0; i < 500; ++i) world.write_lost(i);
  world.testimony = [](NodeId auditor, const OutputOwner&) {
    return auditor == VerifierWorld::kWest ? Presence::present : Presence::absent;
  };
  world.start();
  world.harness.run_for(30s);
  CHECK(world.verdicts().size() == 500);
  CHECK(std::ranges::all_of(verdicts_of(world),
                            [](auto verdict) { return verdict == trace::Verified::present; }));
  CHECK(world.registry.removed.empty());
  CHECK(world.brought_back().empty());
}

TEST_CASE("F-04 F-05 M-37 the click of a joiner that may be alive is left to it") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  SECTION("no later life of it is known") { world.dead_until = 2; }
  SECTION("the registry of lives is silent") { world.dead_until = std::nullopt; }
  SECTION("no registry of lives is configured") { world.config.registrars.clear(); }
  world.start();
  world.harness.run_for(10min);
  CHECK(world.proofs_asked == 0);
  CHECK(world.registry.ids.contains(lost));
  CHECK(world.brought_back().empty());
  // Once it is dead, the click comes back.
  if (world.config.registrars.empty()) return;
  world.dead_until = 3;
  world.harness.run_for(3min);
  CHECK(world.registry.removed == std::vector{lost});
  REQUIRE_FALSE(world.brought_back().empty());
  CHECK(world.brought_back().front() == lost);
}

TEST_CASE("F-04 J-S11 a living owner that says its attempt is over loses the id, after the proof") {
  VerifierWorld world;
  world.dead_until = 2;  // the owner lives
  const EventId lost = world.write_lost(1);
  const auto truth = [](const AttemptQuery& query) {
    return AttemptOver{query.click, query.token};
  };
  world.word_of_owner = truth;
  SECTION("it is nowhere in the output") {
    world.start();
    world.harness.run_for(20s);
    CHECK(world.registry.removed == std::vector{lost});
    CHECK(world.brought_back() == std::vector{lost});
    CHECK(world.steps == std::vector{Step::intent, Step::removal, Step::returned});
  }
  SECTION("its file has the record after all") {
    world.testimony = [](NodeId, const OutputOwner& owner) {
      return owner == OutputOwner{20, 3} ? Presence::present : Presence::absent;
    };
    world.start();
    world.harness.run_for(1min);
    CHECK(world.registry.removed.empty());
    CHECK(verdicts_of(world) == std::vector{trace::Verified::present});
  }
  SECTION("its report is about another attempt") {
    world.word_of_owner = [](const AttemptQuery& query) {
      Token other = query.token;
      ++other.sequence;
      return AttemptOver{query.click, other};
    };
    world.start();
    world.harness.run_for(10min);
    CHECK(world.proofs_asked == 0);
    CHECK(world.registry.removed.empty());
  }
  SECTION("its report is about another click, of the same group") {
    const EventId other = world.write_lost(2);
    world.word_of_owner = [&](const AttemptQuery& query) {
      return AttemptOver{other, query.token};
    };
    world.start();
    world.harness.run_for(1min);
    CHECK(world.registry.ids.contains(lost));
    CHECK(world.registry.removed == std::vector{other});
  }
  SECTION("another datacenter cannot be read") {
    world.testimony = [](NodeId auditor, const OutputOwner& owner) {
      const bool unread = auditor == VerifierWorld::kWest && owner.incarnation != 0;
      return unread ? Presence::unknown : Presence::absent;
    };
    world.start();
    world.harness.run_for(10min);
    CHECK(world.proofs_asked > 0);
    CHECK(world.registry.removed.empty());
  }
}

TEST_CASE("F-04 J-S11 an attempt that is over ends no other case's wait for news of its owner") {
  VerifierWorld world;
  world.dead_until = std::nullopt;
  const Token other{20, 3, 8};  // of the same life
  const std::set<EventId> lost{world.write_lost(1), world.write_lost(2, other)};
  std::size_t asked = 0;
  world.word_of_owner = [&](const AttemptQuery&) -> std::optional<AttemptOver> {
    ++asked;
    return std::nullopt;
  };
  world.start();
  for (int i = 0; i < 1000 && asked < 2; ++i) world.harness.run_for(10ms);
  REQUIRE(asked == 2);
  const EventId over = GENERATE(true, false) ? *lost.begin() : *lost.rbegin();
  const AttemptOver report{over, world.registry.ids.at(over)};
  world.harness.deliver(NodeId(20), Body::make(report));
  world.harness.run_for(1s);
  CHECK(world.registry.removed == std::vector{over});
  CHECK(world.verifier->asking_lives() == 1);
  world.harness.deliver(VerifierWorld::kIncarnations,
                        Body::make(IncarnationAnswer{20, 3, Liveness::dead_and_fenced}));
  world.harness.run_for(1s);  // much earlier than its next check
  const auto& removed = world.registry.removed;
  CHECK(removed.size() == 2);
  CHECK(std::set(removed.begin(), removed.end()) == lost);
  CHECK(world.verifier->asking_lives() == 0);
}

TEST_CASE("F-04 after an answer about lives no case is kept that no longer waits for one") {
  VerifierWorld world;
  world.dead_until = std::nullopt;
  world.write_lost(1);
  world.write_lost(2);
  world.start();
  world.harness.run_for(8s);
  REQUIRE(world.verifier->statistics().rests == 2);  // the silence has counted as alive
  world.harness.deliver(VerifierWorld::kIncarnations,
                        Body::make(IncarnationAnswer{20, 3, Liveness::maybe_alive}));
  world.harness.run_for(100ms);
  CHECK(world.verifier->asking_lives() == 0);
  CHECK(world.verifier->open_cases() == 2);
}

TEST_CASE("F-08 BC-12 a removed click that is not registered is brought back again") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.start();
  world.harness.run_for(20s);
  REQUIRE(world.brought_back() == std::vector{lost});
  // The dead owner's late insert and a late copy of the removal: no trace of either now.
  world.harness.run_for(10min);
  CHECK(world.registry.removed == std::vector{lost});
  // Each time after some checks, with pauses of 10 s to 1 min: not at every one of them.
  CHECK(world.brought_back().size() > 3);
  CHECK(world.brought_back().size() < 7);
  // Once it is registered, that ends.
  world.registry.ids[lost] = Token{20, 4, 1};
  const std::size_t before = world.brought_back().size();
  world.harness.run_for(30min);
  CHECK(world.brought_back().size() == before);
}

TEST_CASE("F-07 M-39 a datacenter that does not answer vetoes: unknown is not absent") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  const auto proof = [](const OutputOwner& owner) { return owner.incarnation != 0; };
  bool reachable = false;
  SECTION("the far auditor is silent") {
    world.testimony = [&](NodeId auditor, const OutputOwner&) -> std::optional<Presence> {
      if (auditor == VerifierWorld::kWest && !reachable) return std::nullopt;
      return Presence::absent;
    };
  }
  SECTION("its cell is out: it cannot read the file") {
    world.testimony = [&](NodeId auditor, const OutputOwner& owner) {
      const bool unread = auditor == VerifierWorld::kWest && proof(owner) && !reachable;
      return unread ? Presence::unknown : Presence::absent;
    };
  }
  world.start();
  world.harness.run_for(10min);
  CHECK(world.registry.removed.empty());
  CHECK(world.proofs_asked > 0);
  reachable = true;
  world.harness.run_for(3min);
  CHECK(world.registry.removed == std::vector{lost});
}

TEST_CASE("F-06 F-07 what the index did not show and the file does is present") {
  VerifierWorld world;
  world.write_lost(1);
  world.testimony = [](NodeId auditor, const OutputOwner& owner) {
    const bool found = auditor == VerifierWorld::kEast && owner == OutputOwner{20, 3};
    return found ? Presence::present : Presence::absent;
  };
  world.start();
  world.harness.run_for(1min);
  CHECK(world.registry.removed.empty());
  CHECK(verdicts_of(world) == std::vector{trace::Verified::present});
}

TEST_CASE("F-09 M-38 the removal names the token that was read: a new owner keeps the id") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  const Token next{21, 1, 1};
  // Between the proof and the removal another verifier removes the id, and a joiner takes it.
  world.testimony = [&](NodeId, const OutputOwner& owner) {
    if (owner.incarnation != 0) world.registry.ids[lost] = next;
    return Presence::absent;
  };
  world.start();
  world.harness.run_for(5min);
  CHECK(world.registry.ids.at(lost) == next);
  CHECK(world.registry.removed.empty());
  CHECK(world.brought_back().empty());
}

TEST_CASE("F-09 a click removed by another verifier is brought back by both, without harm") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.testimony = [&](NodeId, const OutputOwner& owner) {
    if (owner.incarnation != 0) world.registry.ids.erase(lost);
    return Presence::absent;
  };
  world.start();
  world.harness.run_for(20s);
  CHECK(world.registry.removed.empty());
  CHECK(world.brought_back() == std::vector{lost});
}

TEST_CASE("F-08 F-10 the next life completes what a life that died after the removal began") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.removals_answered = false;
  world.start();
  world.harness.run_for(20s);
  REQUIRE(world.registry.removed == std::vector{lost});
  REQUIRE(world.brought_back().empty());
  world.restart();
  world.removals_answered = true;
  world.harness.run_for(20s);
  CHECK(world.registry.removed == std::vector{lost});
  CHECK(world.brought_back() == std::vector{lost});
}

// Whatever the moment of the crash, and whatever of the writes in flight survives: every lost click
// is removed once, is brought back at least once, and never before its removal.
TEST_CASE("F-08 F-10 C-04 a verifier may die at any moment") {
  constexpr Duration kSoon = 5s;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    VerifierWorld world(seed);
    if (seed % 2 == 0) world.config.scan_period = 10ms;  // offsets are saved in every life
    std::set<EventId> lost;
    for (std::uint32_t i = 0; i < 20; ++i) lost.insert(world.write_lost(i));
    world.start();
    for (std::uint64_t crash = 0; crash < 6; ++crash) {
      const std::uint64_t word = RandomStream(seed, Purpose::component, 77).word(crash);
      world.harness.run_for(std::chrono::microseconds(1000 + word % 120'000));
      world.restart(
          [&](const VolumeRequest& request) { return word / 7 % (request.data.size() + 2); });
    }
    world.harness.run_for(kSoon);
    CHECK(world.registry.removed.size() == lost.size());
    const std::vector<EventId> soon = world.brought_back();
    CHECK(std::set(soon.begin(), soon.end()) == lost);  // long before "unregistered for long"
    world.harness.run_for(2min);
    CHECK(world.registry.removed.size() == lost.size());
    const std::vector<EventId> back = world.brought_back();
    CHECK(back.size() < 3 * lost.size());
  }
}

TEST_CASE("F-14 a click with a cleared token and no output is reported, not removed") {
  VerifierWorld world;
  const EventId seen = world.write_click(1);
  world.registry.ids[seen] = Token{};
  SECTION("no auditor has it, and all have read everything") {
    world.start();
    world.harness.run_for(20s);
    CHECK(verdicts_of(world) == std::vector{trace::Verified::output_lost});
  }
  SECTION("an auditor is still reading: it may be there") {
    bool reading = true;
    world.testimony = [&](NodeId auditor, const OutputOwner&) {
      return reading && auditor == VerifierWorld::kEast ? Presence::unknown : Presence::absent;
    };
    world.start();
    world.harness.run_for(10min);
    CHECK(world.verdicts().empty());
    reading = false;
    world.harness.run_for(3min);
    CHECK(verdicts_of(world) == std::vector{trace::Verified::output_lost});
  }
  SECTION("it was written and cleared between the two questions") {
    std::uint32_t asked = 0;
    world.testimony = [&](NodeId, const OutputOwner&) {
      return ++asked <= 2 ? Presence::absent : Presence::present;
    };
    world.start();
    world.harness.run_for(20s);
    CHECK(verdicts_of(world) == std::vector{trace::Verified::present});
  }
  CHECK(world.registry.ids.contains(seen));
  CHECK(world.brought_back().empty());
}

TEST_CASE("F-05 F-09 while the registry is silent nothing is removed") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.registry_answers = false;
  SECTION("from the beginning") { world.start(); }
  SECTION("before the removal, of which the intent is durable") {
    world.registry_answers = true;
    world.testimony = [&](NodeId, const OutputOwner& owner) {
      if (owner.incarnation != 0) world.registry_answers = false;
      return Presence::absent;
    };
    world.start();
  }
  world.harness.run_for(5min);
  CHECK(world.registry.removed.empty());
  CHECK(world.brought_back().empty());
  CHECK(world.verdicts().empty());
  world.testimony = [](NodeId, const OutputOwner&) { return Presence::absent; };
  world.registry_answers = true;
  for (int i = 0; i < 18 && world.brought_back().empty(); ++i) world.harness.run_for(10s);
  CHECK(world.registry.removed == std::vector{lost});
  CHECK(world.brought_back() == std::vector{lost});
}

TEST_CASE("F-14 a click whose absence is no longer provable is reported, not removed") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.testimony = [](NodeId auditor, const OutputOwner& owner) {
    const bool damaged = auditor == VerifierWorld::kEast && owner.incarnation != 0;
    return damaged ? Presence::indeterminate : Presence::absent;
  };
  world.start();
  world.harness.run_for(10min);
  CHECK(verdicts_of(world) == std::vector{trace::Verified::indeterminate});
  CHECK(world.registry.ids.at(lost) == VerifierWorld::kOwner);
  CHECK(world.brought_back().empty());
  CHECK(world.verifier->open_cases() == 0);
}

TEST_CASE("F-16 young clicks and those still tried are no losses") {
  VerifierWorld world;
  SECTION("no request inside the grace period") {
    const EventId young = world.write_click(1, 2min);
    world.registry.ids[young] = VerifierWorld::kOwner;
    world.start();
    world.harness.run_for(7min);
    CHECK(world.registry.removed.empty());
    world.harness.run_for(2min);
    CHECK(world.registry.removed == std::vector{young});
  }
  SECTION("not registered: dispatchers still try it") {
    world.write_click(1);
    world.start();
    world.harness.run_for(10min);
    CHECK(world.brought_back().empty());
    CHECK(world.verdicts().empty());
  }
}

TEST_CASE("F-16 a young click of one log delays no click of another") {
  VerifierWorld world;
  world.write_click(1, 2min, 1);
  world.write_click(2, 1min, 1);
  std::vector<EventId> old;
  for (std::uint32_t number = 10; number < 20; ++number) {
    old.push_back(world.write_click(number, 1h, 2));
    world.registry.ids[old.back()] = VerifierWorld::kOwner;
  }
  world.start();
  world.harness.run_for(30s);
  CHECK(world.registry.removed == old);
}

TEST_CASE("F-11 F-16 below the boundary recovery is impossible") {
  VerifierWorld world;
  world.write_lost(1);
  world.registry.boundary = click_id(1).stamp;
  world.start();
  world.harness.run_for(20s);
  CHECK(verdicts_of(world) == std::vector{trace::Verified::too_old});
  CHECK(world.brought_back().empty());
}

TEST_CASE("F-08 F-16 a click unregistered for long is brought back once, and followed until N") {
  VerifierWorld world;
  world.config.unregistered_after = 65min;
  const EventId forgotten = world.write_click(1);  // one hour old
  world.start();
  world.harness.run_for(4min);
  CHECK(world.brought_back().empty());
  world.harness.run_for(6h);
  CHECK(world.brought_back() == std::vector{forgotten});
  // It is reported once, and the case stays open.
  CHECK(verdicts_of(world) == std::vector{trace::Verified::unregistered});
  CHECK(world.verifier->open_cases() == 1);
  CHECK(world.registry.removed.empty());
  SECTION("when it is too old, recovery is impossible") {
    world.registry.boundary = click_id(1).stamp;
    world.harness.run_for(3min);
    CHECK(verdicts_of(world).back() == trace::Verified::too_old);
    CHECK(world.brought_back() == std::vector{forgotten});
  }
  SECTION("when it is in the output, it is finished") {
    world.testimony = [](NodeId, const OutputOwner&) { return Presence::present; };
    world.harness.run_for(3min);
    CHECK(verdicts_of(world).back() == trace::Verified::present);
  }
  CHECK((world.verdicts().size() == 1 || world.verifier->open_cases() == 0));
}

TEST_CASE("F-01 F-08 F-10 a click taken long after its return is not lost with its joiner") {
  VerifierWorld world;
  world.config.unregistered_after = 65min;
  const EventId late = world.write_click(1);  // one hour old
  world.start();
  world.harness.run_for(2h);
  REQUIRE(world.brought_back() == std::vector{late});
  // A later life knows that it was brought back: it does not start again.
  SECTION("the verifier lives on") {}
  SECTION("the verifier dies meanwhile") { world.restart(); }
  world.harness.run_for(1h);
  REQUIRE(world.brought_back() == std::vector{late});
  world.registry.ids[late] = VerifierWorld::kOwner;  // of a joiner that is dead
  world.harness.run_for(2min);
  CHECK(world.registry.removed == std::vector{late});
  CHECK(world.brought_back() == std::vector{late, late});
}
