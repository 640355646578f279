#include "core_impl/paxos/lease.h"

#include "core_impl/base/codec.h"
#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon::paxos {
namespace {

using namespace std::chrono_literals;

MonotonicTime at(Duration since_boot) { return MonotonicTime(since_boot); }

Config config_of(std::uint32_t replicas, Duration lease, std::uint32_t drift_ppm) {
  Config config;
  config.replicas = replicas;
  config.lease = lease;
  config.drift_ppm = drift_ppm;
  return config;
}

template <class T>
Bytes encoded(const T& value) {
  Bytes bytes;
  Encoder encode(bytes);
  encode(value);
  return bytes;
}

TEST_CASE("B-11 the master's lease ends before the grant, whatever both clocks do") {
  // A master whose clock is slow measures counted / (1 - r) of true time, a follower whose clock is
  // fast grants for lease / (1 + r) only.
  const RandomStream random(3, Purpose::test, 0);
  for (std::uint64_t draw = 0; draw < 20'000; ++draw) {
    const auto words = random.block(draw);
    const auto lease = static_cast<std::int64_t>(words[0] % 100'000'000'000);
    const auto drift = static_cast<std::uint32_t>(words[1] % 100'000);
    const std::int64_t counted = counted_lease(config_of(3, Duration(lease), drift)).count();
    __extension__ using Wide = __int128;
    REQUIRE(counted >= 0);
    if (counted > 0) {
      REQUIRE(Wide{counted} * (1'000'000 + drift) <= Wide{lease} * (1'000'000 - drift));
    }
    // It wastes no more than that: 2 r of the lease, and some nanoseconds.
    REQUIRE(counted >= lease - lease / 1'000'000 * 2 * drift - 2 * std::int64_t{drift} - 1);
  }
}

TEST_CASE("B-11 a running grant excludes all but its holder; an unknown holder excludes all") {
  LeaseGrant grant;
  CHECK_FALSE(grant.forbids(1, at(0s)));
  grant.until = at(2s);  // after a restart: the holder is forgotten
  CHECK(grant.forbids(0, at(1s)));
  CHECK(grant.forbids(1, at(1s)));
  grant.renew(1, at(5s));
  CHECK(grant.forbids(0, at(4s)));
  CHECK_FALSE(grant.forbids(1, at(4s)));
  CHECK_FALSE(grant.forbids(0, at(5s)));
}

TEST_CASE("B-11 the same holder's grant never becomes shorter, a new master's replaces it") {
  LeaseGrant grant;
  grant.renew(1, at(5s));
  grant.renew(1, at(3s));  // an older message, delivered late
  CHECK(grant.until == at(5s));
  grant.renew(2, at(4s));
  CHECK(grant.until == at(4s));
  CHECK(grant.forbids(1, at(3s)));
}

TEST_CASE("a replica's encoded state tells its grant by holder and end") {
  LeaseGrant grant;
  grant.renew(1, at(5s));
  LeaseGrant other_holder;
  other_holder.renew(2, at(5s));
  LeaseGrant other_end;
  other_end.renew(1, at(6s));
  CHECK(encoded(grant) != encoded(other_holder));
  CHECK(encoded(grant) != encoded(other_end));
  CHECK(encoded(grant) == encoded(LeaseGrant{grant}));
}

TEST_CASE("a master's encoded state tells the grants of each replica") {
  const Config config = config_of(3, 10s, 0);
  LeaseCount count;
  count.acknowledge(config, 1, at(1s));
  LeaseCount other_replica;
  other_replica.acknowledge(config, 2, at(1s));
  LeaseCount other_time;
  other_time.acknowledge(config, 1, at(2s));
  CHECK(encoded(count) != encoded(other_replica));
  CHECK(encoded(count) != encoded(other_time));
  CHECK(encoded(count) == encoded(LeaseCount{count}));
}

TEST_CASE("B-11 authority lasts as long as a majority of grants, counted from the sending") {
  const Config config = config_of(5, 10s, 0);
  LeaseCount count;
  CHECK(count.majority_until(config) == MonotonicTime::min());
  count.acknowledge(config, 0, at(1s));
  count.acknowledge(config, 3, at(4s));
  CHECK(count.majority_until(config) == MonotonicTime::min());  // two of five
  count.acknowledge(config, 4, at(2s));
  CHECK(count.majority_until(config) == at(11s));
  count.acknowledge(config, 0, at(3s));
  CHECK(count.majority_until(config) == at(12s));
  count.acknowledge(config, 4, at(1s));  // late: shortens nothing
  CHECK(count.majority_until(config) == at(12s));
  count.acknowledge(config, 1, at(9s));
  CHECK(count.majority_until(config) == at(13s));
  CHECK(LeaseCount{}.majority_until(config_of(1, 10s, 0)) == MonotonicTime::min());
}

}  // namespace
}  // namespace photon::paxos
