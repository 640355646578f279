// Which lives of joiners are known to be dead, and which registry is asked about the others.
#include "core_impl/photon/verification/owner_lives.h"

#include <vector>

#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;

namespace {

IncarnationAnswer dead(std::uint32_t address, std::uint32_t life) {
  return {address, life, Liveness::dead_and_fenced};
}

}  // namespace

TEST_CASE("F-04 the registrar of the owner's joiner is asked, in whatever order they are named") {
  FakeContext context(NodeId(1));
  const OwnerLives lives({{30, NodeId(3)}, {10, NodeId(1)}, {40, NodeId(4)}, {20, NodeId(2)}});
  for (const std::uint32_t address : {10U, 20U, 30U, 40U}) lives.ask(context, {address, 7});
  const auto asked = context.sent_of<IncarnationQuery>();
  REQUIRE(asked.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(asked[i].first == NodeId(i + 1));
    CHECK(asked[i].second.address == 10 * (i + 1));
    CHECK(asked[i].second.incarnation == 7);
  }
  for (const std::uint32_t unknown : {5U, 25U, 50U}) lives.ask(context, {unknown, 7});
  CHECK(context.sent.size() == 4);
}

TEST_CASE("F-03 F-05 a life is dead once a registrar says so of it or of a later one, for ever") {
  OwnerLives lives({});
  CHECK_FALSE(lives.is_dead({20, 1}));
  lives.on_answer({20, 5, Liveness::maybe_alive});
  CHECK_FALSE(lives.is_dead({20, 5}));
  lives.on_answer(dead(20, 5));
  CHECK(lives.is_dead({20, 4}));
  CHECK(lives.is_dead({20, 5}));
  CHECK_FALSE(lives.is_dead({20, 6}));
  // Nothing follows for other joiners, before and behind it.
  CHECK_FALSE(lives.is_dead({10, 1}));
  CHECK_FALSE(lives.is_dead({30, 1}));
  lives.on_answer(dead(30, 2));
  lives.on_answer(dead(10, 9));
  lives.on_answer(dead(20, 3));  // answered late
  CHECK(lives.is_dead({20, 5}));
  lives.on_answer(dead(20, 8));
  CHECK(lives.is_dead({20, 8}));
  CHECK_FALSE(lives.is_dead({20, 9}));
  CHECK(lives.is_dead({10, 9}));
  CHECK_FALSE(lives.is_dead({10, 10}));
  CHECK(lives.is_dead({30, 2}));
  CHECK_FALSE(lives.is_dead({30, 3}));
}
