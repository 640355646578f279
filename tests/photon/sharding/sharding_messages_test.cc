#include "core_impl/photon/sharding/sharding_messages.h"

#include "core_impl/runtime/catalogue.h"
#include "tests/support/catch.h"

namespace photon::testing {

using namespace std::chrono_literals;

namespace {

constexpr Stamp kStart(300s);

template <class M>
M decoded(const M& message) {
  Bytes bytes;
  encode_body(Body::make(message), bytes);
  const auto catalogue =
      MessageCatalogue::of<ShardingRead, ShardingChange, ShardingForget, ShardingReply>();
  const Body body = decode_body(catalogue, bytes);
  REQUIRE_FALSE(body.empty());
  return body.as<M>();
}

}  // namespace

TEST_CASE("B-55 questions to the configuration group are decoded as they were encoded") {
  CHECK(decoded(ShardingRead{7}).request == 7);
  const auto change = decoded(ShardingChange{8, 3, kStart, 16});
  CHECK(change.request == 8);
  CHECK(change.version == 3);
  CHECK(change.start == kStart);
  CHECK(change.shards == 16);
  const auto forget = decoded(ShardingForget{9, 4, kStart});
  CHECK(forget.request == 9);
  CHECK(forget.version == 4);
  CHECK(forget.below == kStart);
}

TEST_CASE("B-55 an answer of the configuration group is decoded as it was encoded") {
  ShardingReply answer;
  answer.request = 7;
  answer.code = ShardingCode::undecided;
  answer.master_hint = NodeId(2);
  answer.version = 3;
  answer.decided_below = kStart + 1s;
  answer.horizon = kStart + 2s;
  answer.intervals = {{ShardMap::kBeginning, kStart, 4}, {kStart, ShardMap::kEnd, 16}};
  const ShardingReply found = decoded(answer);
  CHECK(found.request == answer.request);
  CHECK(found.code == answer.code);
  CHECK(found.master_hint == answer.master_hint);
  CHECK(found.version == answer.version);
  CHECK(found.decided_below == answer.decided_below);
  CHECK(found.horizon == answer.horizon);
  CHECK(found.intervals == answer.intervals);
}

}  // namespace photon::testing
