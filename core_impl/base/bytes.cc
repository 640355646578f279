#include "core_impl/base/bytes.h"

#include <algorithm>
#include <new>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/narrow.h"

namespace photon {

SharedBytes::SharedBytes(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  PHOTON_CHECK(bytes.size() <= 0xffffffffU, "a byte string's length fits 32 bits");
  void* memory = allocate_recycled(sizeof(Block) + bytes.size());
  block_ = ::new (memory) Block{1, narrow<std::uint32_t>(bytes.size()), hash_bytes(bytes)};
  std::memcpy(block_ + 1, bytes.data(), bytes.size());
}

std::span<const std::byte> SharedBytes::view() const {
  if (block_ == nullptr) return {};
  return {reinterpret_cast<const std::byte*>(block_ + 1), block_->size};
}

void SharedBytes::release() noexcept {
  if (block_ == nullptr || --block_->references != 0) return;
  release_recycled(block_, sizeof(Block) + block_->size);
}

bool operator==(const SharedBytes& left, const SharedBytes& right) {
  return left.hash() == right.hash() && std::ranges::equal(left.view(), right.view());
}

}  // namespace photon
