// The pending events: exact order of keys, pooled, fast from two to millions of events.
//
// A hybrid (DESIGN 4):
//   near    sorted array of the next events, latest first, so that taking is a decrement;
//   rungs   two levels of buckets by time, unsorted, in chunks: a bucket is sorted when it becomes
//           near; a bucket with too many events is first spread over the finer second rung;
//   top     unsorted, everything beyond the first rung; it becomes the next first rung;
//   surplus binary heap for events that do not fit into near when near cannot be split by time
//           (bursts of equal times), so no pattern costs more than O(log n) per event.
// Every event earlier than `threshold_` is in near or surplus; every other one is in the rungs or
// in top. With few events pending threshold_ is infinite and all events are in near.
//
// tests/bench/phold measures the cost per event; DESIGN 4 weighs the alternatives. The same
// property tests run over this queue and over a plain binary heap.
#pragma once

#include <cstdint>
#include <limits>

#include "core_impl/base/check.h"
#include "core_impl/base/recycling_allocator.h"
#include "sim/chunk_pool.h"
#include "sim/event.h"
#include "sim/event_list.h"

namespace photon::sim {

// Buckets of equal width [start + i * 2^shift, start + (i + 1) * 2^shift). Those before `cursor`
// have been taken.
struct Rung {
  std::int64_t start = 0;
  std::int64_t end = 0;  // no event at or after `end` belongs here; == start: not in use
  unsigned shift = 0;
  std::uint32_t cursor = 0;
  std::uint32_t buckets = 0;
  std::size_t events = 0;
  PooledVector<Bag> bags{};

  bool in_use() const { return cursor < buckets; }
  std::uint32_t bucket_of(std::int64_t time) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(time - start) >> shift);
  }
  std::int64_t begin_of(std::uint32_t bucket) const {
    return start + (static_cast<std::int64_t>(bucket) << shift);
  }
};

class EventQueue {
 public:
  EventQueue() { near_.reserve(4 * kNearMost); }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Keys must be unique; time >= 0. An event may be earlier than ones already taken.
  void push(const Event& event) {
    ++size_;
    if (event.time >= threshold_) {
      push_far(event);
    } else if (near_.size() < kNearMost) [[likely]] {
      insert_near(event);
    } else {
      push_crowded(event);
    }
  }

  // The earliest event. Requires !empty().
  const Event& front() {
    if (near_.empty()) [[unlikely]] {
      if (surplus_.empty()) refill();
      if (near_.empty()) return surplus_.front();
    }
    if (!surplus_.empty()) [[unlikely]] {
      if (earlier(surplus_.front(), near_.back())) return surplus_.front();
    }
    return near_.back();
  }

  // Removes front(). Requires !empty(), and front() called since the last push or pop.
  void pop() {
    PHOTON_CHECK(size_ > 0, "an empty queue has no first event");
    --size_;
    if (!surplus_.empty()) [[unlikely]] {
      pop_with_surplus();
      return;
    }
    near_.pop_back();
  }

  // A guess of the event after front(), for prefetching; null if unknown.
  const Event* second() const { return near_.size() > 1 ? &near_[near_.size() - 2] : nullptr; }

 private:
  static constexpr std::size_t kNearMost = 64;
  static constexpr std::uint32_t kPerBucket = 16;  // target where events are dense
  static constexpr std::int64_t kInfinity = std::numeric_limits<std::int64_t>::max();

  void insert_near(const Event& event) {
    near_.push_back(event);
    std::size_t place = near_.size() - 1;
    for (; place > 0 && earlier(near_[place - 1], event); --place) near_[place] = near_[place - 1];
    near_[place] = event;
  }

  void push_far(const Event& event) {
    if (fine_.in_use() && event.time < fine_.end) {
      add(fine_, event);
    } else if (coarse_.in_use() && event.time < coarse_.end) {
      add(coarse_, event);
    } else {
      top_.add(event);
    }
  }

  void add(Rung& rung, const Event& event) {
    PHOTON_CHECK(rung.bucket_of(event.time) < rung.buckets,
                 "an event belongs to a bucket of its rung");
    pool_.add(rung.bags[rung.bucket_of(event.time)], event);
    ++rung.events;
  }

  // The source from which near was last filled.
  enum class Source : std::uint8_t { top, coarse, fine };

  void push_crowded(const Event& event);
  bool split_near();
  void pop_with_surplus();
  void refill();
  void take_top();
  void take_bucket(Rung& rung, Source source);
  void start_coarse();
  void start_fine();

  std::size_t size_ = 0;
  std::int64_t threshold_ = kInfinity;
  Source source_ = Source::top;
  PooledVector<Event> near_;
  PooledVector<Event> surplus_;
  Rung fine_;
  Rung coarse_;
  EventList top_;
  ChunkPool pool_;
};

}  // namespace photon::sim
