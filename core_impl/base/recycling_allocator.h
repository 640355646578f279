// Recycled blocks of memory: in steady state nothing is asked of the operating system.
//
// Blocks are kept on per-thread free lists, one per size class, from 32 bytes to 1 MiB, and are cut
// from chunks when they are small; larger ones go straight to operator new. A block may be freed on
// another thread than it came from. Lists of a thread that ended are taken over by the next one.
// Under AddressSanitizer every block comes from operator new, so that misuse is found.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace photon {

// Of every recycled block.
inline constexpr std::size_t kRecycledAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* allocate_recycled(std::size_t bytes);
// `bytes` must be what the block was allocated with.
void release_recycled(void* block, std::size_t bytes) noexcept;

template <class T>
struct RecyclingAllocator {
  using value_type = T;

  RecyclingAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert between their value types.
  RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= kRecycledAlignment,
                  "recycled blocks are aligned like operator new's");
    return static_cast<T*>(allocate_recycled(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) noexcept {
    release_recycled(block, count * sizeof(T));
  }
  friend bool operator==(RecyclingAllocator, RecyclingAllocator) { return true; }
};

template <class T>
using PooledVector = std::vector<T, RecyclingAllocator<T>>;
template <class T>
using PooledDeque = std::deque<T, RecyclingAllocator<T>>;

}  // namespace photon
