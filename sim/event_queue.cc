#include "sim/event_queue.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"

namespace photon::sim {
namespace {

struct Later {
  bool operator()(const Event& left, const Event& right) const { return earlier(right, left); }
};

// Logarithm of the largest power of two that is at most `width`, for a width of at least 1.
unsigned shift_for(std::uint64_t width) {
  return width <= 1 ? 0 : static_cast<unsigned>(std::bit_width(width)) - 1;
}

// The middle of the times of up to 63 events taken at even distances.
std::int64_t sampled_median(const EventList& events) {
  std::array<std::int64_t, 63> sample{};
  const std::size_t stride = std::max<std::size_t>(1, events.size() / sample.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < events.size() && count < sample.size(); i += stride) {
    sample[count++] = events[i].time;
  }
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(sample.begin(), middle, sample.begin() + static_cast<std::ptrdiff_t>(count));
  return *middle;
}

void prepare(Rung& rung, std::int64_t start, unsigned shift, std::uint64_t buckets) {
  PHOTON_CHECK(buckets > 0 && shift < 63, "a rung has buckets of some width");
  rung.start = start;
  rung.shift = shift;
  rung.cursor = 0;
  rung.buckets = narrow<std::uint32_t>(buckets);
  rung.end = rung.begin_of(rung.buckets);
  rung.events = 0;
  if (rung.bags.size() < buckets) rung.bags.resize(buckets);
}

// Moves the cursor to the first bucket that holds events; false (and the rung out of use) if none.
bool find_bucket(Rung& rung) {
  if (rung.events == 0) rung.cursor = rung.buckets;
  while (rung.in_use() && rung.bags[rung.cursor].count == 0) ++rung.cursor;
  return rung.in_use();
}

}  // namespace

void EventQueue::push_crowded(const Event& event) {
  if (surplus_.empty() && split_near()) {
    if (event.time >= threshold_) {
      push_far(event);
    } else {
      insert_near(event);
    }
    return;
  }
  surplus_.push_back(event);
  std::push_heap(surplus_.begin(), surplus_.end(), Later{});
}

// Returns the later part of near to its source. False if equal times prevent it.
bool EventQueue::split_near() {
  constexpr std::size_t kLeastMoved = kNearMost / 4;
  Rung* rung = source_ == Source::fine ? &fine_ : source_ == Source::coarse ? &coarse_ : nullptr;
  std::int64_t split = near_[near_.size() / 2].time;
  if (split == near_.back().time) ++split;
  if (rung != nullptr) split = std::max(split, rung->start);
  const auto kept = std::partition_point(
      near_.begin(), near_.end(), [split](const Event& event) { return event.time >= split; });
  const auto moved = static_cast<std::size_t>(kept - near_.begin());
  if (moved < kLeastMoved) return false;
  for (std::size_t i = 0; i < moved; ++i) {
    if (rung == nullptr) {
      top_.add(near_[i]);
    } else {
      add(*rung, near_[i]);
    }
  }
  if (rung != nullptr) rung->cursor = rung->bucket_of(split);
  near_.erase(near_.begin(), kept);
  threshold_ = split;
  PHOTON_CHECK(!near_.empty(), "the next event stays near");
  return true;
}

void EventQueue::pop_with_surplus() {
  if (!near_.empty() && earlier(near_.back(), surplus_.front())) {
    near_.pop_back();
    return;
  }
  std::pop_heap(surplus_.begin(), surplus_.end(), Later{});
  surplus_.pop_back();
}

// Fills near with the next events. Requires near and surplus empty, and events elsewhere.
void EventQueue::refill() {
  PHOTON_CHECK(near_.empty() && surplus_.empty(), "a refill begins when nothing is near");
  while (true) {
    if (find_bucket(fine_)) return take_bucket(fine_, Source::fine);
    if (find_bucket(coarse_)) {
      if (coarse_.bags[coarse_.cursor].count <= kNearMost || coarse_.shift == 0) {
        return take_bucket(coarse_, Source::coarse);
      }
      start_fine();
    } else if (top_.size() <= kNearMost / 2) {
      return take_top();
    } else {
      start_coarse();
    }
  }
}

void EventQueue::take_top() {
  PHOTON_CHECK(!top_.empty(), "the queue is asked for an event it does not have");
  top_.drain([this](const Event& event) {
    near_.push_back(event);
    return true;
  });
  std::sort(near_.begin(), near_.end(), Later{});
  PHOTON_CHECK(near_.size() == size_, "every event is near");
  threshold_ = kInfinity;
  source_ = Source::top;
}

void EventQueue::take_bucket(Rung& rung, Source source) {
  Bag& bag = rung.bags[rung.cursor];
  PHOTON_CHECK(bag.count > 0 && rung.events >= bag.count, "a rung counts its events");
  rung.events -= bag.count;
  pool_.drain(bag, [this](const Event& event) { near_.push_back(event); });
  std::sort(near_.begin(), near_.end(), Later{});
  ++rung.cursor;
  if (rung.in_use()) pool_.expect(rung.bags[rung.cursor]);  // while near is being worked through
  threshold_ = rung.begin_of(rung.cursor);
  source_ = source;
}

// Makes a first rung of what is in top: dense buckets from the earliest event on; later events stay
// in top. The rung holds a good part of the events, which pays for the way through top, but not
// most of them: it is written in no order, and few buckets stay in the processor's cache.
void EventQueue::start_coarse() {
  const std::int64_t start = top_.least();
  const auto range = static_cast<std::uint64_t>(top_.greatest() - start);
  const auto half = static_cast<std::uint64_t>(sampled_median(top_) - start);
  const std::size_t before = top_.size();
  const std::uint64_t per_event = 2 * half / before + 1;
  const unsigned shift = shift_for(std::min(per_event, range / kPerBucket + 1) * kPerBucket);
  const std::uint64_t most = std::bit_ceil(before / 32) + 16;
  prepare(coarse_, start, shift, std::min((range >> shift) + 1, most));
  top_.drain([this](const Event& event) {
    if (event.time >= coarse_.end) return false;
    add(coarse_, event);
    return true;
  });
  PHOTON_CHECK(coarse_.events + top_.size() == before, "no event is lost on the way down");
}

// Spreads the coarse bucket at the cursor, which has too many events, over the fine rung.
void EventQueue::start_fine() {
  constexpr std::uint64_t kMostBuckets = 4096;
  Bag& bag = coarse_.bags[coarse_.cursor];
  PHOTON_CHECK(bag.count > 0 && coarse_.events >= bag.count, "a rung counts its events");
  const std::int64_t start = coarse_.begin_of(coarse_.cursor);
  const std::uint64_t width = std::uint64_t{1} << coarse_.shift;
  std::int64_t first = kInfinity;
  std::int64_t last = 0;
  pool_.for_each(bag, [&first, &last](const Event& event) {
    first = std::min(first, event.time);
    last = std::max(last, event.time);
  });
  const auto range = static_cast<std::uint64_t>(last - first);
  unsigned shift = shift_for(range * kPerBucket / bag.count + 1);
  while ((width >> shift) > kMostBuckets) ++shift;
  shift = std::min(shift, coarse_.shift);
  prepare(fine_, start, shift, width >> shift);
  coarse_.events -= bag.count;
  pool_.drain(bag, [this](const Event& event) { add(fine_, event); });
  ++coarse_.cursor;
}

}  // namespace photon::sim
