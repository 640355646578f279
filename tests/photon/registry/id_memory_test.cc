// The bound of the capacity report (SPEC B-69, B-76): 60 bytes per id with cleared token, 90 with
// token, at every size, and by the allocator's count as well as by the table's own.
// tests/bench/id_table does the same up to 20 million ids. A program of its own: recycled memory of
// other tests would hide what is used here.
#include <algorithm>

#include <malloc.h>

#include "core_impl/base/hash.h"
#include "core_impl/photon/registry/id_table.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kFewest = 300'000;
constexpr std::uint32_t kMost = 600'000;
constexpr std::uint32_t kStep = 1'000;
constexpr std::uint32_t kNever = ~std::uint32_t{0};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kAllocatorCounts = false;
#else
constexpr bool kAllocatorCounts = true;
#endif

// What the allocator has handed out since the first call.
std::size_t allocated() {
  const auto now = [] {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  static const std::size_t at_first = now();
  return now() - at_first;
}

// 100 ids a second from 50 servers, up to 20 s late.
EventId id_of(std::uint32_t number) {
  const std::uint64_t word = mix(number);
  const auto late = static_cast<std::int64_t>(word % 20'000'000'000);
  const std::int64_t stamp = std::int64_t{number} * 10'000'000 - late;
  return {static_cast<std::uint32_t>(word % 50), 1, from_nanoseconds<Stamp>(stamp)};
}

struct Worst {
  double by_own_word = 0;
  double by_allocator = 0;
};

// Grows to kMost ids, clearing tokens `cleared_after` ids later, and shrinks again. The allocator's
// count includes what an earlier table left in recycled memory.
Worst grow_and_shrink(std::uint32_t cleared_after) {
  const std::size_t before = allocated();
  Worst worst;
  IdTable table(10s);
  const auto look = [&](double& kept, std::size_t bytes) {
    if (table.size() < kFewest) return;
    kept = std::max(kept, static_cast<double>(bytes) / static_cast<double>(table.size()));
  };
  for (std::uint32_t number = 0; number < kMost; ++number) {
    table.insert(id_of(number), Token{1, 1, number + 1});
    if (number >= cleared_after) table.clear_token(table.find(id_of(number - cleared_after)));
    if (number % kStep != 0) continue;
    look(worst.by_own_word, table.memory_bytes());
    look(worst.by_allocator, allocated());
  }
  while (table.size() > 0) {
    table.erase(table.next_garbage());
    if (table.size() % kStep == 0) look(worst.by_own_word, table.memory_bytes());
  }
  // What remains of a table that was large: the first blocks; and of the indexes of its slices,
  // recycled memory.
  CHECK(table.memory_bytes() <= 1'000'000);
  if (kAllocatorCounts) CHECK(allocated() - before <= 1'500'000 + 6 * kMost);
  return worst;
}

TEST_CASE("B-69 B-76 memory: at most 60 bytes per id with cleared token, at every size") {
  const Worst worst = grow_and_shrink(1'000);
  CHECK(worst.by_own_word <= 60);
  CHECK(worst.by_own_word >= 36);  // an entry and a head: else nothing was measured
  if (kAllocatorCounts) CHECK(worst.by_allocator <= 60);
}

TEST_CASE("B-69 B-76 memory: at most 90 bytes per id with token, at every size") {
  const Worst worst = grow_and_shrink(kNever);
  CHECK(worst.by_own_word <= 90);
  CHECK(worst.by_own_word >= 56);
  if (kAllocatorCounts) CHECK(worst.by_allocator <= 90);
}

TEST_CASE("B-76 memory: a slice of one id costs an id and the slice") {
  IdTable table(10s);
  for (std::int64_t number = 0; number < kFewest; ++number) {
    const auto stamp = std::int64_t{number} * 10'000'000'000;
    table.insert({1, 1, from_nanoseconds<Stamp>(stamp)}, Token{});
  }
  CHECK(table.memory_bytes() / table.size() <= 105);
}

}  // namespace
}  // namespace photon
