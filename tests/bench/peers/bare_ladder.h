// A two-rung ladder queue (Tang, Goh, Thng: "Ladder queue", ACM TOMACS 15, 2005) of bare events:
// a fast queue for many pending events, and nothing else.
//
//   top     unsorted, all events after the first rung, with their least and greatest time
//   rungs   buckets of equal width; a bucket above kSorted events is spread over the second rung
//   bottom  the events of one bucket, sorted, latest first
//
// Buckets are lists of chunks from one pool: buckets of the standard library's vectors measured
// half as fast.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/bench/peers/bare_peer.h"

namespace photon::bench {

struct BareBucket {
  std::uint32_t chunk = 0;  // the newest
  std::uint32_t count = 0;
};

class BareChunks {
 public:
  void add(BareBucket& bucket, const BareEvent& event) {
    const std::uint32_t place = bucket.count++ % kPerChunk;
    if (place == 0) bucket.chunk = take(bucket.chunk);
    chunks_[bucket.chunk].events[place] = event;
  }

  template <class Visitor>
  void drain(BareBucket& bucket, Visitor&& visit) {
    while (bucket.count > 0) {
      const std::uint32_t in_chunk = (bucket.count - 1) % kPerChunk + 1;
      for (std::uint32_t i = 0; i < in_chunk; ++i) {
        const BareEvent event = chunks_[bucket.chunk].events[i];
        visit(event);
      }
      bucket.count -= in_chunk;
      const std::uint32_t done = bucket.chunk;
      bucket.chunk = chunks_[done].next;
      chunks_[done].next = free_;
      free_ = done;
    }
  }

 private:
  static constexpr std::uint32_t kPerChunk = 10;
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Chunk {
    BareEvent events[kPerChunk];
    std::uint32_t next = kNone;
  };

  std::uint32_t take(std::uint32_t next) {
    std::uint32_t chunk = free_;
    if (chunk == kNone) {
      chunk = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    } else {
      free_ = chunks_[chunk].next;
    }
    chunks_[chunk].next = next;
    return chunk;
  }

  std::vector<Chunk> chunks_;
  std::uint32_t free_ = kNone;
};

class BareLadder {
 public:
  bool empty() const { return size_ == 0; }

  void push(const BareEvent& event) {
    ++size_;
    if (event.time >= top_begin_) {
      least_ = std::min(least_, event.time);
      greatest_ = std::max(greatest_, event.time);
      top_.push_back(event);
    } else if (first_.holds(event.time)) {
      add(first_, event);
    } else if (second_.holds(event.time)) {
      add(second_, event);
    } else {
      insert(event);
    }
  }

  BareEvent take() {
    if (bottom_.empty()) refill();
    const BareEvent event = bottom_.back();
    bottom_.pop_back();
    --size_;
    return event;
  }

 private:
  static constexpr std::size_t kSorted = 50;
  static constexpr std::size_t kPerBucket = 16;

  struct Rung {
    std::int64_t begin = 0;
    unsigned shift = 0;    // the width of a bucket is 2^shift
    std::size_t next = 0;  // the first bucket that has not been taken
    std::size_t used = 0;
    std::vector<BareBucket> buckets{};

    std::int64_t begin_of(std::size_t bucket) const {
      return begin + (static_cast<std::int64_t>(bucket) << shift);
    }
    bool holds(std::int64_t time) const { return next < used && time >= begin_of(next); }

    // For `count` events in [least, greatest].
    void prepare(std::int64_t least, std::int64_t greatest, std::size_t count) {
      const auto range = static_cast<std::uint64_t>(greatest - least) + 1;
      const std::uint64_t wanted = std::max<std::uint64_t>(1, range * kPerBucket / count);
      shift = 0;
      while ((std::uint64_t{2} << shift) <= wanted) ++shift;
      begin = least;
      next = 0;
      used = static_cast<std::size_t>((range - 1) >> shift) + 1;
      if (buckets.size() < used) buckets.resize(used);
    }
  };

  void add(Rung& rung, const BareEvent& event) {
    chunks_.add(rung.buckets[static_cast<std::size_t>((event.time - rung.begin) >> rung.shift)],
                event);
  }

  void insert(const BareEvent& event) {
    bottom_.push_back(event);
    std::size_t place = bottom_.size() - 1;
    for (; place > 0 && is_earlier(bottom_[place - 1], event); --place) {
      bottom_[place] = bottom_[place - 1];
    }
    bottom_[place] = event;
  }

  void refill() {
    while (true) {
      if (advance(second_)) return take_bucket(second_);
      if (!advance(first_)) {
        start_first_rung();
      } else if (first_.buckets[first_.next].count <= kSorted || first_.shift == 0) {
        return take_bucket(first_);
      } else {
        spread(first_.buckets[first_.next]);
      }
    }
  }

  static bool advance(Rung& rung) {
    while (rung.next < rung.used && rung.buckets[rung.next].count == 0) ++rung.next;
    return rung.next < rung.used;
  }

  void take_bucket(Rung& rung) {
    chunks_.drain(rung.buckets[rung.next++],
                  [this](const BareEvent& event) { bottom_.push_back(event); });
    std::sort(bottom_.begin(), bottom_.end(), [](const BareEvent& left, const BareEvent& right) {
      return is_earlier(right, left);
    });
  }

  // Spreads a bucket of the first rung over the second.
  void spread(BareBucket& bucket) {
    const std::int64_t begin = first_.begin_of(first_.next);
    ++first_.next;
    second_.prepare(begin, first_.begin_of(first_.next) - 1, bucket.count);
    chunks_.drain(bucket, [this](const BareEvent& event) { add(second_, event); });
  }

  void start_first_rung() {
    first_.prepare(least_, greatest_, top_.size());
    for (const BareEvent& event : top_) add(first_, event);
    top_.clear();
    top_begin_ = greatest_ + 1;
    least_ = std::numeric_limits<std::int64_t>::max();
    greatest_ = 0;
  }

  std::size_t size_ = 0;
  std::vector<BareEvent> bottom_;
  Rung first_;
  Rung second_;  // of one bucket of the first
  std::vector<BareEvent> top_;
  BareChunks chunks_;
  std::int64_t top_begin_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest_ = 0;
};

}  // namespace photon::bench
