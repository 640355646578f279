#include "core_impl/base/recycling_allocator.h"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/support/catch.h"

namespace photon {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRecycles = false;
#else
constexpr bool kRecycles = true;
#endif

TEST_CASE("a released block serves the next request of its size class") {
  void* first = allocate_recycled(100);
  release_recycled(first, 100);
  void* second = allocate_recycled(112);  // the same size class
  if (kRecycles) CHECK(second == first);
  void* third = allocate_recycled(112);
  CHECK(third != second);
  release_recycled(second, 112);
  release_recycled(third, 112);
}

TEST_CASE("blocks of every size are big enough, aligned and apart") {
  struct Block {
    std::byte* memory;
    std::size_t size;
  };
  std::vector<Block> blocks;
  for (std::size_t size = 0; size <= (std::size_t{3} << 20U); size = size * 3 / 2 + 1) {
    auto* memory = static_cast<std::byte*>(allocate_recycled(size));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % kRecycledAlignment == 0);
    std::memset(memory, static_cast<int>(blocks.size()), size);
    blocks.push_back({memory, size});
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [memory, size] = blocks[i];
    if (size > 0) {
      CHECK(memory[0] == static_cast<std::byte>(i));
      CHECK(memory[size - 1] == static_cast<std::byte>(i));
    }
    release_recycled(memory, size);
  }
}

TEST_CASE("a block may be released on another thread than it was allocated on") {
  PooledVector<int> numbers(1000, 7);
  std::thread([taken = std::move(numbers)]() mutable { taken.clear(); }).join();
  const PooledVector<int> again(1000, 8);
  CHECK(again.back() == 8);
}

}  // namespace
}  // namespace photon
