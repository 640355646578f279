// The judge's reference of a join, against bytes written by hand.

#include "models/reference_join.h"

#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::models;
using namespace std::chrono_literals;

namespace {

const std::array kClick{std::byte{1}, std::byte{2}};
const std::array kQuery{std::byte{9}};

trace::ClickGenerated stated(const JoinRule& rule, Duration delay, std::uint32_t campaign) {
  trace::ClickGenerated truth{};
  truth.query = {3, 4, Stamp(1h)};
  truth.click = {5, 6, Stamp(1h + delay)};
  state_join(rule, {kClick, kQuery, campaign}, truth);
  return truth;
}

std::uint64_t by_hand(Duration delay, std::initializer_list<std::uint32_t> after) {
  Bytes bytes;
  Encoder encoder(bytes);
  encoder(std::uint32_t{5}, std::uint32_t{6}, (Duration(1h) + delay).count());
  encoder(std::uint32_t{3}, std::uint32_t{4}, Duration(1h).count());
  encoder(std::uint32_t{2}, std::uint8_t{1}, std::uint8_t{2}, std::uint32_t{1}, std::uint8_t{9});
  for (const std::uint32_t word : after) encoder(word);
  return hash_bytes(bytes);
}

}  // namespace

TEST_CASE("A-02 J-S15 the reference of combine: ids, both payloads after their lengths") {
  const auto truth = stated({}, 3min, 6);
  CHECK(truth.joined_hash == by_hand(3min, {}));
  CHECK(truth.expect_skip == 0);
}

TEST_CASE("D-05 D-06 J-S18 the reference of filter skips every multiple, and hashes like combine") {
  const JoinRule rule{.kind = JoinRule::Kind::filter, .skip_modulo = 3};
  for (std::uint32_t campaign = 0; campaign < 9; ++campaign) {
    const auto truth = stated(rule, 3min, campaign);
    CHECK(truth.expect_skip == (campaign % 3 == 0 ? 1 : 0));
    CHECK(truth.joined_hash == by_hand(3min, {}));
  }
}

TEST_CASE("D-05 A-06 J-S15 the reference of enrich: campaign and whole steps, never below zero") {
  const JoinRule rule{.kind = JoinRule::Kind::enrich, .delay_step = 1min};
  CHECK(stated(rule, 0s, 8).joined_hash == by_hand(0s, {8, 0}));
  CHECK(stated(rule, 119s, 8).joined_hash == by_hand(119s, {8, 1}));
  CHECK(stated(rule, 120s, 8).joined_hash == by_hand(120s, {8, 2}));
  CHECK(stated(rule, -5min, 8).joined_hash == by_hand(-5min, {8, 0}));
  CHECK(stated(rule, 120s, 8).expect_skip == 0);
}
