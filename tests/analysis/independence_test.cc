// J-H5: what the judge computes from SPEC is what the system computes, and what a script says that
// knows neither (Python, from the published descriptions of MurmurHash3's finaliser and of XXH3).
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/evidence/spec_values.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "core_impl/paxos/value.h"
#include "core_impl/photon/sharding/shard_history.h"
#include "core_impl/photon/sharding/shard_map.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

EventId id_of(std::uint32_t server, std::uint32_t process, std::int64_t stamp) {
  return {server, process, from_nanoseconds<Stamp>(stamp)};
}

struct Placed {
  EventId id;
  std::uint64_t hash;
  std::array<std::uint32_t, 5> shards;  // of kCounts
};
constexpr std::array<std::uint32_t, 5> kCounts{1, 3, 100, 120, 4096};
constexpr auto kMost32 = std::numeric_limits<std::uint32_t>::max();

const Placed kPlaced[] = {
    {id_of(0, 0, 0), 0x9ca066f1a4ab2eea, {0, 2, 54, 74, 3818}},
    {id_of(1, 2, 3), 0x2a676f56dc74e337, {0, 0, 35, 15, 823}},
    {id_of(5, 1'048'577, 1'600'000'010'404'560'354), 0x41bb13e61f74059a, {0, 0, 42, 42, 1434}},
    {id_of(kMost32, kMost32, -1), 0xd8703e738d51834e, {0, 0, 86, 6, 846}},
    {id_of(7, 9, -1'600'000'000'000'000'000), 0xdd454a953e941264, {0, 1, 76, 76, 612}},
    {id_of(4096, 70'000, std::numeric_limits<std::int64_t>::max()),
     0xbbf99e5bdc29efdb,
     {0, 0, 19, 99, 4059}},
};

}  // namespace

TEST_CASE("J-H5 B-50 judge, core and script place the same ids in the same shards") {
  for (const Placed& each : kPlaced) {
    CAPTURE(each.id.server, nanoseconds_of(each.id.stamp));
    CHECK(hash_of(each.id) == each.hash);
    for (std::size_t i = 0; i < kCounts.size(); ++i) {
      CHECK(spec_shard_of(each.id, kCounts[i]) == each.shards[i]);
      CHECK(ShardMap(kCounts[i]).shard_of(each.id).value() == each.shards[i]);
    }
  }
}

TEST_CASE("J-H5 B-50 judge and core place random ids in the same shards") {
  std::uint64_t word = 1;
  const auto next = [&] {
    return word = word * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
  };
  for (int i = 0; i < 20'000; ++i) {
    const auto server = static_cast<std::uint32_t>(next() >> 32U);
    const auto process = static_cast<std::uint32_t>(next() >> 32U);
    const EventId id = id_of(server, process, static_cast<std::int64_t>(next()));
    const auto shards = static_cast<std::uint32_t>(next() >> 52U) + 1;
    REQUIRE(spec_shard_of(id, shards) == ShardMap(shards).shard_of(id).value());
  }
}

TEST_CASE("J-H5 the digest of words is MurmurHash3's finaliser, word after word") {
  CHECK(spec_mix(0) == 0);
  CHECK(spec_mix(1) == 0xb456bcfc34c2cb2c);
  CHECK(spec_mix(0x0123456789abcdef) == 0x87cbfbfe89022cea);
  CHECK(spec_mix(~std::uint64_t{0}) == 0x64b5720b4b825f21);
  CHECK(spec_digest({1, 2}) != spec_digest({2, 1}));
  CHECK(spec_digest({1, 2, 3}) == combine(combine(mix(1), 2), 3));
}

TEST_CASE("J-H5 B-60a judge, core and script hash the same operations of the configuration group") {
  struct Golden {
    ShardingOperation operation;
    std::uint64_t hash;
  };
  using trace::ShardingAction;
  const Golden goldens[] = {
      {{ShardingAction::announce, 0, from_nanoseconds<Stamp>(5'200'000'000'000), 120},
       0x7a572f349cca1074},
      {{ShardingAction::confirm, 7, from_nanoseconds<Stamp>(1'600'000'000'000'000'000), 3},
       0x6ed8016600229de3},
      {{ShardingAction::forget, ~std::uint64_t{0}, from_nanoseconds<Stamp>(-1), 1},
       0x9752bcb1fa3b55a4},
  };
  for (const Golden& golden : goldens) {
    const ShardingOperation& operation = golden.operation;
    trace::ShardingApplied applied{};
    applied.action = operation.action;
    applied.version = operation.version;
    applied.start = operation.start;
    applied.shards = operation.shards;
    CHECK(spec_value_of(applied) == golden.hash);
    Bytes bytes;
    Encoder encode(bytes);
    encode(operation);
    CHECK(paxos::command_value(bytes).hash() == golden.hash);
  }
  CHECK(kSpecNoValue == SharedBytes{}.hash());
}

TEST_CASE("J-H5 B-18 judge, core and script hash the same generations of a group") {
  struct Golden {
    std::vector<std::uint32_t> generations;
    std::uint64_t hash;
  };
  const Golden goldens[] = {{{1, 1, 1}, 0x6e2738112669f569},
                            {{2, 1, 3}, 0xdf2cd1d1c2efae6d},
                            {{1, 1, 1, 1, 1}, 0x7c85f9ed840287fe},
                            {{9, 8, 7, 6, 5, 4, 3}, 0x843d70bff9f71bd4}};
  for (const Golden& golden : goldens) {
    CHECK(spec_generations(golden.generations) == golden.hash);
    Bytes bytes;
    Encoder encode(bytes);
    encode(golden.generations);
    CHECK(hash_bytes(bytes) == golden.hash);
  }
}

// These words of the trace's vocabulary decide something, and judge and core share them: so their
// meaning stands here once more.
TEST_CASE("J-H5 B-72 C-25 shared predicates say what SPEC lists") {
  for (std::uint32_t code = 0; code < 32; ++code) {
    CAPTURE(code);
    CHECK(trace::is_definitive(static_cast<trace::RegistryCode>(code)) == (code <= 7));
    CHECK(trace::is_success(static_cast<trace::JoinOutcome>(code)) == (code <= 4));
    const bool reads = code == 0 || code == 6;  // lookup, read_token
    CHECK(trace::is_read(static_cast<trace::RegistryOperation>(code)) == reads);
    if (code > 4) continue;
    const auto reason = trace::done_reason(static_cast<trace::JoinOutcome>(code));
    CHECK(static_cast<std::uint32_t>(reason) == code);
  }
}

}  // namespace photon::analysis
