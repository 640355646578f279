// Byte strings: a growing buffer, and an immutable shared value with its hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "core_impl/base/recycling_allocator.h"

namespace photon {

using Bytes = PooledVector<std::byte>;

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
  // A copy that shares nothing: what crosses a datacenter.
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
