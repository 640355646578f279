// Unsorted bags of events in fixed-size chunks from one pool: the buckets of a rung.
//
// A bag is a linked list of chunks of 15 events; adding writes sequentially, emptying reads
// sequentially, and chunks go back to a free list, so steady state allocates nothing.
#pragma once

#include <cstdint>

#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"
#include "sim/event.h"

namespace photon::sim {

struct Bag {
  std::uint32_t chunk = 0;  // the newest chunk; meaningless if count is 0
  std::uint32_t count = 0;
};

class ChunkPool {
 public:
  static constexpr std::uint32_t kPerChunk = 15;

  void add(Bag& bag, const Event& event) {
    const std::uint32_t place = bag.count % kPerChunk;
    if (place == 0) {
      const std::uint32_t fresh = take();
      chunks_[fresh].previous = bag.chunk;
      bag.chunk = fresh;
    }
    chunks_[bag.chunk].events[place] = event;
    ++bag.count;
  }

  // Hands every event of the bag to `take_event` (in no particular but a reproducible order) and
  // empties it. `take_event` may add to other bags of this pool.
  template <class TakeEvent>
  void drain(Bag& bag, TakeEvent&& take_event) {
    while (bag.count > 0) {
      const std::uint32_t in_chunk = (bag.count - 1) % kPerChunk + 1;
      for (std::uint32_t i = 0; i < in_chunk; ++i) {
        const Event event = chunks_[bag.chunk].events[i];
        take_event(event);
      }
      bag.count -= in_chunk;
      const std::uint32_t done = bag.chunk;
      bag.chunk = chunks_[done].previous;
      chunks_[done].previous = free_;
      free_ = done;
    }
  }

  template <class Visitor>
  void for_each(const Bag& bag, Visitor&& visit) const {
    std::uint32_t chunk = bag.chunk;
    for (std::uint32_t left = bag.count; left > 0; chunk = chunks_[chunk].previous) {
      const std::uint32_t in_chunk = (left - 1) % kPerChunk + 1;
      for (std::uint32_t i = 0; i < in_chunk; ++i) visit(chunks_[chunk].events[i]);
      left -= in_chunk;
    }
  }

  // The bag will soon be drained: fetches its newest chunk.
  void expect(const Bag& bag) const {
    if (bag.count == 0) return;
    const Event* events = chunks_[bag.chunk].events;
    const std::uint32_t in_chunk = (bag.count - 1) % kPerChunk + 1;
    for (std::uint32_t i = 0; i < in_chunk; i += 2) __builtin_prefetch(&events[i]);
    __builtin_prefetch(&chunks_[bag.chunk].previous);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Chunk {
    Event events[kPerChunk];
    std::uint32_t previous = kNone;
    std::uint32_t unused[7] = {};
  };
  static_assert(sizeof(Chunk) == 512);

  std::uint32_t take() {
    if (free_ == kNone) {
      chunks_.emplace_back();
      return narrow<std::uint32_t>(chunks_.size() - 1);
    }
    const std::uint32_t chunk = free_;
    free_ = chunks_[chunk].previous;
    return chunk;
  }

  PooledVector<Chunk> chunks_;
  std::uint32_t free_ = kNone;
};

}  // namespace photon::sim
