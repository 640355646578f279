// A slab: stable small handles for objects in flight, slots reused, stale handles recognised.
//
// A handle is (slot, generation); `find` on a handle whose object was erased returns null, so a
// late reply can carry its handle and be ignored safely.
#pragma once

#include <cstdint>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon {

template <class T>
class Slab {
 public:
  using Handle = std::uint64_t;  // never 0

  // Pointers obtained from `find` do not survive an emplace.
  template <class... Arguments>
  Handle emplace(Arguments&&... arguments) {
    if (free_.empty()) {
      free_.push_back(narrow<std::uint32_t>(slots_.size()));
      slots_.push_back(Slot{});
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Slot& slot = slots_[index];
    ++slot.generation;  // odd: occupied
    slot.value = T{std::forward<Arguments>(arguments)...};
    ++size_;
    return (Handle{slot.generation} << 32U) | index;
  }

  T* find(Handle handle) {
    const auto index = static_cast<std::uint32_t>(handle);
    if (index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    const bool live = (slot.generation & 1U) != 0 && slot.generation == (handle >> 32U);
    return live ? &slot.value : nullptr;
  }

  // Requires find(handle) != nullptr. Pointers to other objects stay valid.
  void erase(Handle handle) {
    PHOTON_CHECK(find(handle) != nullptr, "only what is in the slab is erased");
    const auto index = static_cast<std::uint32_t>(handle);
    slots_[index].value = T{};
    ++slots_[index].generation;
    free_.push_back(index);
    --size_;
  }

  std::size_t size() const { return size_; }

  // Visits every live object in slot order (deterministic).
  template <class Visitor>
  void for_each(Visitor&& visit) {
    for (std::uint32_t index = 0; index < slots_.size(); ++index) {
      Slot& slot = slots_[index];
      if ((slot.generation & 1U) != 0) {
        visit((Handle{slot.generation} << 32U) | index, slot.value);
      }
    }
  }

 private:
  struct Slot {
    std::uint32_t generation = 0;
    T value{};
  };
  PooledVector<Slot> slots_;
  PooledVector<std::uint32_t> free_;
  std::size_t size_ = 0;
};

}  // namespace photon
