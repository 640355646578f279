#include "core_impl/paxos/acceptor.h"

#include "core_impl/base/random.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon::paxos {
namespace {

SharedBytes value_of(std::uint64_t word) {
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(word);
  return SharedBytes(bytes);
}

TEST_CASE("B-12 the acceptor's state is the fold of the records it issued, after every step") {
  for (std::uint32_t history = 0; history < 200; ++history) {
    const RandomStream random(1, Purpose::test, history);
    Acceptor acceptor;
    Recovered log;
    for (std::uint64_t step = 0; step < 40; ++step) {
      const auto words = random.block(step);
      const Ballot ballot(std::max<std::uint64_t>(1, acceptor.promised().value() + words[0] % 3));
      const auto record = words[1] % 2 == 0 ? acceptor.promise(ballot)
                                            : acceptor.accept(1 + (words[1] >> 1U) % 6, ballot,
                                                              value_of(words[0] % 2));
      // Nothing to write means that nothing has changed.
      if (record) REQUIRE(log.absorb(*record));
      REQUIRE(acceptor == Acceptor(0, log.promised, log.entries));
    }
  }
}

TEST_CASE("B-12 the promise never falls, and nothing is accepted below it") {
  const photon::testing::ChecksThrow checks;
  Acceptor acceptor;
  CHECK(acceptor.promise(Ballot(5)).has_value());
  CHECK_FALSE(acceptor.promise(Ballot(5)).has_value());
  CHECK_THROWS_AS(acceptor.promise(Ballot(4)), photon::testing::CheckFailed);
  CHECK_THROWS_AS(acceptor.accept(1, Ballot(4), value_of(1)), photon::testing::CheckFailed);
  CHECK(acceptor.accept(1, Ballot(7), value_of(1)).has_value());
  CHECK(acceptor.promised() == Ballot(7));
  CHECK_THROWS_AS(acceptor.promise(Ballot(6)), photon::testing::CheckFailed);
}

TEST_CASE("B-12 the same acceptance again writes nothing; another ballot does") {
  Acceptor acceptor;
  REQUIRE(acceptor.accept(3, Ballot(2), value_of(1)).has_value());
  CHECK_FALSE(acceptor.accept(3, Ballot(2), value_of(1)).has_value());
  CHECK(acceptor.accept(3, Ballot(4), value_of(1)).has_value());
  CHECK(acceptor.entry(3).ballot == Ballot(4));
}

TEST_CASE("B-16 a report names every acceptance from a slot on, in order, and no hole") {
  Acceptor acceptor;
  for (const Slot slot : {5U, 1U, 3U}) acceptor.accept(slot, Ballot(5), value_of(slot));
  PooledVector<Reported> all;
  acceptor.report(1, all);
  REQUIRE(all.size() == 3);
  CHECK(all[0].slot == 1);
  CHECK(all[1].slot == 3);
  CHECK(all[2].slot == 5);
  CHECK(all[1].ballot == Ballot(5));
  CHECK(all[2].value == value_of(5));
  CHECK(acceptor.entry(2).ballot == Ballot{});
  CHECK(acceptor.entry(6).ballot == Ballot{});
  PooledVector<Reported> rest;
  acceptor.report(4, rest);
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].slot == 5);
}

}  // namespace
}  // namespace photon::paxos
