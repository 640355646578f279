// An unsorted list of events in blocks that never move: adding and reading are sequential, and
// growing copies nothing and never needs the memory twice. Blocks are kept for reuse.
//
// It knows its least and greatest time, so that what distributes the events reads them once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core_impl/base/recycling_allocator.h"
#include "sim/event.h"

namespace photon::sim {

class EventList {
 public:
  EventList() = default;
  EventList(const EventList&) = delete;
  EventList& operator=(const EventList&) = delete;
  ~EventList() {
    for (Event* block : blocks_) release_recycled(block, kBlock * sizeof(Event));
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const Event& operator[](std::size_t index) const {
    return blocks_[index / kBlock][index % kBlock];
  }
  // Of the events; of none: the greatest and the least time that there is.
  std::int64_t least() const { return least_; }
  std::int64_t greatest() const { return greatest_; }

  void add(const Event& event) {
    if (size_ % kBlock == 0) [[unlikely]] {
      if (size_ / kBlock == blocks_.size()) grow();
      next_ = blocks_[size_ / kBlock];
    }
    least_ = std::min(least_, event.time);
    greatest_ = std::max(greatest_, event.time);
    *next_++ = event;
    ++size_;
  }

  // Hands all events to `take_event`, in the order in which they were added, and keeps those that
  // it does not take (returns false for).
  template <class TakeEvent>
  void drain(TakeEvent&& take_event) {
    const std::size_t size = size_;
    clear();
    for (std::size_t begin = 0; begin < size; begin += kBlock) {
      // A block is read before it is written: what is kept is never more than what was read.
      const Event* const block = blocks_[begin / kBlock];
      const std::size_t count = std::min(kBlock, size - begin);
      for (std::size_t i = 0; i < count; ++i) {
        const Event event = block[i];
        if (!take_event(event)) add(event);
      }
    }
  }

  void clear() {
    size_ = 0;
    least_ = std::numeric_limits<std::int64_t>::max();
    greatest_ = 0;
  }

 private:
  static constexpr std::size_t kBlock = 512;

  void grow() { blocks_.push_back(static_cast<Event*>(allocate_recycled(kBlock * sizeof(Event)))); }

  PooledVector<Event*> blocks_;
  std::size_t size_ = 0;
  Event* next_ = nullptr;  // the place of the next event, inside a block
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest_ = 0;
};

}  // namespace photon::sim
