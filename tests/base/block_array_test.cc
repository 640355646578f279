#include "core_impl/base/block_array.h"

#include <vector>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using Array = BlockArray<std::uint64_t>;

TEST_CASE("a block array holds what a vector would, over many blocks and back") {
  Array array;
  std::vector<std::uint64_t> model;
  // Runs that grow more than they shrink, then the reverse; boundaries are crossed often.
  for (std::uint64_t run = 0; run < 400; ++run) {
    const std::uint64_t length = mix(run) % Array::kBlock;
    const bool grows = run < 200 ? run % 3 != 0 : run % 3 == 0;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (grows) {
        array.push_back(mix(run + i));
        model.push_back(mix(run + i));
      } else if (!model.empty()) {
        array.pop_back();
        model.pop_back();
      }
    }
    REQUIRE(array.size() == model.size());
    if (!model.empty()) REQUIRE(array.back() == model.back());
  }
  bool same = true;
  for (Array::Index i = 0; i < array.size(); ++i) same = same && array[i] == model[i];
  CHECK(same);
}

TEST_CASE("a block array wastes less than two blocks, growing and shrinking") {
  constexpr std::size_t kBlockBytes = Array::kBlock * sizeof(std::uint64_t);
  constexpr std::size_t kMost = 20 * Array::kBlock;
  Array array;
  const auto lent = [&] { return array.memory_bytes() - array.size() * sizeof(std::uint64_t); };
  std::size_t most = 0;
  for (std::size_t i = 0; i < kMost; ++i) {
    array.push_back(i);
    most = std::max(most, lent());
    if (i < 100) CHECK(array.memory_bytes() <= 16 * sizeof(std::uint64_t) * (1 + i / 8));
  }
  while (!array.empty()) {
    array.pop_back();
    most = std::max(most, lent());
  }
  CHECK(most <= 2 * kBlockBytes + 64 * sizeof(void*));
  CHECK(most >= kBlockBytes);  // the measured figure moves at all
  array.clear();
  CHECK(array.memory_bytes() == 0);
}

TEST_CASE("a block array around a boundary keeps its blocks") {
  Array array;
  while (array.size() < 3 * Array::kBlock) array.push_back(1);
  array.push_back(2);
  const std::size_t bytes = array.memory_bytes();
  for (int i = 0; i < 100; ++i) {
    array.pop_back();
    array.pop_back();
    CHECK(array.memory_bytes() == bytes);
    array.push_back(1);
    array.push_back(2);
    CHECK(array.memory_bytes() == bytes);
  }
}

TEST_CASE("a block array that moved away is empty") {
  Array array;
  array.push_back(7);
  Array other = std::move(array);
  CHECK(other.back() == 7);
  Array third;
  third = std::move(other);
  CHECK(third.size() == 1);
}

}  // namespace
}  // namespace photon
