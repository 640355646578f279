#include "core_impl/base/bytes.h"

#include <array>
#include <utility>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

constexpr std::array<std::byte, 3> kText{std::byte{1}, std::byte{2}, std::byte{3}};

TEST_CASE("append_bytes adds at the end and keeps what is there, however often the buffer grows") {
  Bytes out;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 5000; ++i) {
    const std::array<std::byte, 2> word{static_cast<std::byte>(i), static_cast<std::byte>(i >> 8U)};
    append_bytes(std::span(word).first(i % 3), out);
  }
  append_bytes({}, out);
  REQUIRE(out.size() == 4999);
  for (std::size_t i = 0, at = 0; i < 5000; at += i % 3, ++i) {
    if (i % 3 > 0 && out[at] != static_cast<std::byte>(i)) ++wrong;
    if (i % 3 > 1 && out[at + 1] != static_cast<std::byte>(i >> 8U)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("SharedBytes shares one block; a clone shares nothing") {
  const SharedBytes original(kText);
  const SharedBytes copy = original;
  const SharedBytes clone = original.clone();
  CHECK(copy.view().data() == original.view().data());
  CHECK(clone.view().data() != original.view().data());
  CHECK(copy == original);
  CHECK(clone == original);
  CHECK(clone.hash() == hash_bytes(kText));
}

TEST_CASE("SharedBytes survives its sources: copies, moves, self-assignment") {
  SharedBytes kept;
  {
    SharedBytes first(kText);
    kept = first;
    SharedBytes moved = std::move(first);
    kept = moved;
    SharedBytes& alias = kept;
    kept = alias;
  }
  REQUIRE(kept.size() == 3);
  CHECK(kept.view()[2] == std::byte{3});
  SharedBytes taken = std::move(kept);
  kept = SharedBytes();
  CHECK(kept.empty());
  CHECK(taken.size() == 3);
}

TEST_CASE("the empty SharedBytes is a value like any other") {
  const SharedBytes none;
  const SharedBytes of_nothing{std::span<const std::byte>{}};
  CHECK(none == of_nothing);
  CHECK(none.clone() == none);
  CHECK(none.view().empty());
  CHECK_FALSE(none == SharedBytes(kText));
}

TEST_CASE("SharedBytes of equal length differ by content") {
  auto other = kText;
  other[1] = std::byte{9};
  CHECK_FALSE(SharedBytes(kText) == SharedBytes(other));
}

}  // namespace
}  // namespace photon
