// Many deadlines on one timer.
//
// Thousands of operations in flight share one timer of their process (DESIGN 3). The owner arms
// the timer for `next()`, and when it fires takes every due item; an item whose operation has
// ended meanwhile is recognised by its owner and ignored (lazy deletion). Items with equal deadline
// come out in the order they went in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/time.h"

namespace photon {

template <class Item>
class DeadlineQueue {
 public:
  void add(MonotonicTime due, Item item) {
    heap_.push_back(Entry{due, ordinal_++, std::move(item)});
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  // The earliest deadline. Requires !empty().
  MonotonicTime next() const { return first().due; }
  // The item with the earliest deadline. Requires !empty().
  const Item& front() const { return first().item; }

  // Removes and returns the earliest item if it is due at `now`.
  std::optional<Item> take_due(MonotonicTime now) {
    if (heap_.empty() || heap_.front().due > now) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    Item item = std::move(heap_.back().item);
    heap_.pop_back();
    return item;
  }

 private:
  struct Entry {
    MonotonicTime due;
    std::uint64_t ordinal;
    Item item;
  };
  struct Later {
    bool operator()(const Entry& left, const Entry& right) const {
      return std::pair(left.due, left.ordinal) > std::pair(right.due, right.ordinal);
    }
  };
  const Entry& first() const {
    PHOTON_CHECK(!heap_.empty(), "an empty queue has no first item");
    return heap_.front();
  }

  PooledVector<Entry> heap_;
  std::uint64_t ordinal_ = 0;
};

}  // namespace photon
