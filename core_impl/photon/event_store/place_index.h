// Hash table from a key to the 32-bit place where the owner keeps it: eight bytes per slot.
//
// The key itself is not stored: a slot holds 32 bits of its hash, and the owner compares the key at
// a place with the one it needs. Open addressing, linear probing, at most half full; erasing moves
// later slots back, so there are no tombstones. The upper bits of the tag are the home slot, so
// that growing touches nothing but the table.
//
// Why not a table of ids: for a cache of millions of small entries the misses of the processor's
// caches dominate the cost. Eight slots share a cache line, and `expect` fetches it ahead.
#pragma once

#include <bit>
#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon {

class PlaceIndex {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffffU;  // is never stored

  PlaceIndex() : slots_(kLeast) {}

  std::size_t size() const { return size_; }

  // The place of the key with that tag for which `is_it(place)` holds; kNowhere if there is none.
  template <class Predicate>
  std::uint32_t find(std::uint32_t tag, Predicate&& is_it) const {
    for (std::size_t at = home(tag); slots_[at].place != kNowhere; at = after(at)) {
      if (slots_[at].tag == tag && is_it(slots_[at].place)) return slots_[at].place;
    }
    return kNowhere;
  }

  // Requires that the key is absent.
  void insert(std::uint32_t tag, std::uint32_t place) {
    PHOTON_CHECK(place != kNowhere, "a place is a place");
    if (2 * (size_ + 1) > slots_.size()) grow();
    put({tag, place});
    ++size_;
  }

  // Requires that the key at `from` is present.
  void move(std::uint32_t tag, std::uint32_t from, std::uint32_t to) {
    PHOTON_CHECK(to != kNowhere, "a place is a place");
    slots_[slot_of(tag, from)].place = to;
  }

  void erase(std::uint32_t tag, std::uint32_t place) {
    std::size_t gap = slot_of(tag, place);
    for (std::size_t at = after(gap); slots_[at].place != kNowhere; at = after(at)) {
      // A slot may fill the gap unless its home lies after the gap.
      if (distance(home(slots_[at].tag), at) < distance(gap, at)) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = Slot{};
    --size_;
  }

  // The tag will soon be asked for or stored.
  void expect(std::uint32_t tag) const { __builtin_prefetch(&slots_[home(tag)], 1); }

 private:
  static constexpr std::size_t kLeast = 16;
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t place = kNowhere;
  };

  std::size_t home(std::uint32_t tag) const { return tag >> shift_; }
  std::size_t after(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  std::size_t distance(std::size_t from, std::size_t to) const {
    return (to - from) & (slots_.size() - 1);
  }

  std::size_t slot_of(std::uint32_t tag, std::uint32_t place) const {
    std::size_t at = home(tag);
    while (slots_[at].place != place) {
      PHOTON_CHECK(slots_[at].place != kNowhere, "the index knows every place in use");
      at = after(at);
    }
    return at;
  }

  void put(const Slot& slot) {
    std::size_t at = home(slot.tag);
    while (slots_[at].place != kNowhere) at = after(at);
    slots_[at] = slot;
  }

  void grow() {
    PooledVector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    PHOTON_CHECK(shift_ > 0, "a table has at most 2^32 slots");
    --shift_;
    for (const Slot& slot : old) {
      if (slot.place != kNowhere) put(slot);
    }
  }

  PooledVector<Slot> slots_;  // a power of two of them
  unsigned shift_ = 32 - std::countr_zero(kLeast);
  std::size_t size_ = 0;
};

}  // namespace photon
