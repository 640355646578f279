// An array in blocks: it grows and shrinks at its end, a block at a time, and never copies itself.
//
// For tables of millions of elements, where a vector would stop to copy, hold two copies at once,
// and be half empty afterwards. At most two blocks are allocated beyond the elements: the one that
// is being filled, and one spare so that growing and shrinking around a boundary allocates nothing.
// Further blocks are returned to operator delete. Only the first block grows by doubling, from 16
// elements and from recycled memory, so that small arrays are small and cheap to make; it is kept
// until `clear`.
//
// Elements of the first block move when it grows: keep indices, not references, over a push_back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon {

template <class T>
class BlockArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= kRecycledAlignment);

 public:
  using Index = std::uint32_t;
  // Elements of a block: as many as fit 256 KiB, a power of two.
  static constexpr Index kBlock = std::bit_floor((Index{256} << 10U) / Index{sizeof(T)});

  BlockArray() = default;
  BlockArray(BlockArray&& other) noexcept { swap(other); }
  BlockArray& operator=(BlockArray&& other) noexcept {
    swap(other);
    return *this;
  }
  BlockArray(const BlockArray&) = delete;
  BlockArray& operator=(const BlockArray&) = delete;
  ~BlockArray() {
    if (first_ != nullptr) release_recycled(first_, first_capacity() * sizeof(T));
  }

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }

  T& operator[](Index index) { return const_cast<T&>(std::as_const(*this)[index]); }
  const T& operator[](Index index) const {
    if (index < kBlock) return first_[index];  // a small array costs one step
    return rest_[index / kBlock - 1][index % kBlock];
  }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) [[unlikely]] {
      grow();
    }
    (*this)[size_++] = value;
  }

  void pop_back() {
    PHOTON_CHECK(size_ > 0, "an empty array has no last element");
    --size_;
    if (capacity_ - size_ >= 2 * kBlock) [[unlikely]] {
      rest_.pop_back();
      capacity_ -= kBlock;
    }
  }

  void clear() { BlockArray().swap(*this); }

  // Memory of the blocks and of the list of them.
  std::size_t memory_bytes() const {
    return std::size_t{capacity_} * sizeof(T) + rest_.capacity() * sizeof(Block);
  }

 private:
  using Block = std::unique_ptr<T[]>;
  static constexpr Index kSmallest = 16;

  std::size_t first_capacity() const { return std::min(capacity_, kBlock); }

  void swap(BlockArray& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(rest_, other.rest_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  void grow() {
    if (capacity_ >= kBlock) {
      PHOTON_CHECK(capacity_ <= ~Index{0} - kBlock, "the index of an element fits 32 bits");
      rest_.push_back(std::make_unique_for_overwrite<T[]>(kBlock));
      capacity_ += kBlock;
      return;
    }
    const Index larger = std::max(kSmallest, capacity_ * 2);
    auto* const block = static_cast<T*>(allocate_recycled(larger * sizeof(T)));
    std::uninitialized_copy_n(first_, size_, block);
    if (first_ != nullptr) release_recycled(first_, first_capacity() * sizeof(T));
    first_ = block;
    capacity_ = larger;
  }

  T* first_ = nullptr;
  std::vector<Block> rest_;
  Index size_ = 0;
  Index capacity_ = 0;
};

}  // namespace photon
