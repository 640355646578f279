// Byte strings: a growing buffer, and an immutable shared value with its hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core_impl/base/recycling_allocator.h"

namespace photon {

// Leaves the elements that Bytes(n) and resize make unset: the code that made the room writes the
// bytes, once. Bytes(n, std::byte{0}) is the one that is all zeroes.
struct ByteAllocator : RecyclingAllocator<std::byte> {
  ByteAllocator() = default;
  template <class U>
  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert between their value types.
  ByteAllocator(const RecyclingAllocator<U>&) noexcept {}
  template <class U>
  struct rebind {
    using other =
        std::conditional_t<std::is_same_v<U, std::byte>, ByteAllocator, RecyclingAllocator<U>>;
  };

  void construct(std::byte* /*place*/) noexcept {}
  void construct(std::byte* place, std::byte value) noexcept { *place = value; }
};

using Bytes = std::vector<std::byte, ByteAllocator>;

// `bytes` must not lie in `out`.
inline void append_bytes(std::span<const std::byte> bytes, Bytes& out) {
  if (bytes.empty()) return;
  const std::size_t start = out.size();
  out.resize(start + bytes.size());
  std::memcpy(out.data() + start, bytes.data(), bytes.size());
}

// An immutable byte string, shared by reference count inside one thread, its hash computed once.
// Used for replicated commands: copying a log entry costs a pointer. The empty value is valid.
class SharedBytes {
 public:
  SharedBytes() = default;
  explicit SharedBytes(std::span<const std::byte> bytes);
  SharedBytes(const SharedBytes& other) : block_(other.block_) { retain(); }
  SharedBytes(SharedBytes&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedBytes& operator=(SharedBytes other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedBytes() { release(); }

  std::span<const std::byte> view() const;
  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }
  std::uint64_t hash() const { return block_ == nullptr ? 0 : block_->hash; }
  // A copy that shares nothing: for messages that cross datacenters.
  SharedBytes clone() const { return SharedBytes(view()); }
  friend bool operator==(const SharedBytes& left, const SharedBytes& right);

 private:
  struct Block {
    std::uint32_t references;
    std::uint32_t size;
    std::uint64_t hash;
  };
  void retain() const {
    if (block_ != nullptr) ++block_->references;
  }
  void release() noexcept;

  Block* block_ = nullptr;
};

}  // namespace photon
