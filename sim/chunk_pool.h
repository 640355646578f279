// Unsorted bags of events in fixed-size chunks from one pool.
//
// A bag is a linked list of chunks of 15 events; adding writes sequentially, emptying reads
// sequentially, and chunks go back to a free list, so steady state allocates nothing. Chunks lie in
// blocks that never move: growing copies nothing and never needs the memory twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>

#include "core_impl/base/recycling_allocator.h"
#include "sim/event.h"

namespace photon::sim {

struct Chunk {
  static constexpr std::uint32_t kEvents = 15;
  Event events[kEvents];
  Chunk* previous;
  std::uint64_t unused[3];  // the size is a power of two
};
static_assert(sizeof(Chunk) == 512);

struct Bag {
  Chunk* chunk = nullptr;   // the newest chunk; meaningless if count is 0
  std::uint32_t count = 0;  // events
  std::uint32_t room = 0;   // for so many more in the newest chunk
};

class ChunkPool {
 public:
  ChunkPool() = default;
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;
  ~ChunkPool() {
    for (const Block& block : blocks_) release_recycled(block.chunks, block.bytes);
  }

  void add(Bag& bag, const Event& event) {
    if (bag.room == 0) begin_chunk(bag);
    bag.chunk->events[Chunk::kEvents - bag.room] = event;
    --bag.room;
    ++bag.count;
  }

  // Hands every event of the bag to `take_event` (in no particular but a reproducible order) and
  // empties it. `take_event` may add to other bags of this pool.
  template <class TakeEvent>
  void drain(Bag& bag, TakeEvent&& take_event) {
    std::uint32_t in_chunk = Chunk::kEvents - bag.room;
    while (bag.count > 0) {
      Chunk* const done = bag.chunk;
      for (std::uint32_t i = 0; i < in_chunk; ++i) {
        const Event event = done->events[i];
        take_event(event);
      }
      bag.count -= in_chunk;
      bag.chunk = done->previous;
      done->previous = free_;
      free_ = done;
      in_chunk = Chunk::kEvents;
    }
    bag.room = 0;
  }

  template <class Visitor>
  void for_each(const Bag& bag, Visitor&& visit) const {
    const Chunk* chunk = bag.chunk;
    std::uint32_t in_chunk = Chunk::kEvents - bag.room;
    for (std::uint32_t left = bag.count; left > 0; chunk = chunk->previous) {
      for (std::uint32_t i = 0; i < in_chunk; ++i) visit(chunk->events[i]);
      left -= in_chunk;
      in_chunk = Chunk::kEvents;
    }
  }

  // The bag will soon be drained: fetches its newest chunk.
  void expect(const Bag& bag) const {
    if (bag.count == 0) return;
    const std::uint32_t in_chunk = Chunk::kEvents - bag.room;
    for (std::uint32_t i = 0; i < in_chunk; i += 2) __builtin_prefetch(&bag.chunk->events[i]);
    __builtin_prefetch(&bag.chunk->previous);
  }

 private:
  static constexpr std::size_t kLeastBlock = 8;  // chunks
  static constexpr std::size_t kMostBlock = 65536;
  struct Block {
    Chunk* chunks;
    std::size_t bytes;
  };

  void begin_chunk(Bag& bag) {
    Chunk* const fresh = take();
    fresh->previous = bag.chunk;
    bag.chunk = fresh;
    bag.room = Chunk::kEvents;
  }

  Chunk* take() {
    if (free_ != nullptr) {
      Chunk* const chunk = free_;
      free_ = chunk->previous;
      return chunk;
    }
    if (unused_ == 0) grow();
    --unused_;
    return ::new (next_++) Chunk;
  }

  // Each block is as large as all before it, up to a bound.
  void grow() {
    const std::size_t count = std::clamp(made_, kLeastBlock, kMostBlock);
    const std::size_t bytes = count * sizeof(Chunk);
    blocks_.push_back({static_cast<Chunk*>(allocate_recycled(bytes)), bytes});
    next_ = blocks_.back().chunks;
    unused_ = count;
    made_ += count;
  }

  PooledVector<Block> blocks_;
  Chunk* next_ = nullptr;   // chunks of the last block that have never been used
  std::size_t unused_ = 0;  // their number
  std::size_t made_ = 0;    // in all blocks
  Chunk* free_ = nullptr;
};

}  // namespace photon::sim
