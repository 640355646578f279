#include "core_impl/photon/event_store/lru_cache.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon {

std::uint32_t LruCache::words_of(Entry::Form form, std::uint32_t payload) {
  const std::uint64_t bytes = form == Entry::Form::bytes ? payload : sizeof(Reference);
  return narrow<std::uint32_t>((sizeof(Entry) + bytes + 7) / sizeof(std::uint64_t));
}

PayloadView LruCache::payload_of(const Entry& entry) {
  const auto* begin = reinterpret_cast<const std::byte*>(&entry + 1);
  if (entry.form == Entry::Form::bytes) return PayloadView(std::span(begin, entry.size));
  Reference reference;
  std::memcpy(&reference, begin, sizeof reference);
  return {*reference.source, reference.word, entry.size};
}

const LruCache::Entry& LruCache::entry_at(std::uint32_t place) const {
  const Segment& segment = segments_[place >> kPlaceBits];
  const std::uint64_t* words = segment.words.data() + (place & (kSegmentWords - 1));
  return *std::launder(reinterpret_cast<const Entry*>(words));
}

LruCache::Entry& LruCache::entry_at(std::uint32_t place) {
  return const_cast<Entry&>(std::as_const(*this).entry_at(place));
}

std::uint32_t LruCache::place_of(const EventId& id) const {
  return index_.find(tag_of(id), [&](std::uint32_t place) { return entry_at(place).id == id; });
}

void LruCache::open_segment(std::uint32_t words) {
  if (free_ == kEnd) {
    free_ = narrow<std::uint32_t>(segments_.size());
    PHOTON_CHECK(free_ < kEnd >> kPlaceBits, "a cache is smaller than 32 GiB");
    segments_.emplace_back();
  }
  const std::uint32_t opened = free_;
  Segment& segment = segments_[opened];
  free_ = std::exchange(segment.next, kEnd);
  if (segment.words.size() < words) {
    segment_words_ -= segment.words.size();
    segment.words = PooledVector<std::uint64_t>(std::max(words, kSegmentWords));
    segment_words_ += segment.words.size();
  }
  (head_ == kEnd ? tail_ : segments_[head_].next) = opened;
  head_ = opened;
}

void LruCache::close_segment(std::uint32_t number) {
  Segment& segment = segments_[number];
  segment.used = 0;
  segment.next = free_;
  free_ = number;
  if (segment.words.size() > kSegmentWords) {  // segment of an oversized entry
    segment_words_ -= segment.words.size();
    segment.words = PooledVector<std::uint64_t>();
  }
}

std::uint32_t LruCache::append(const EventId& id, const PayloadView& payload) {
  const auto form = payload.is_reference() ? Entry::Form::reference : Entry::Form::bytes;
  const std::uint32_t words = words_of(form, payload.size());
  if (head_ == kEnd || segments_[head_].used + words > segments_[head_].words.size()) {
    open_segment(words);
  }
  Segment& segment = segments_[head_];
  PHOTON_CHECK(segment.used < kSegmentWords, "a place in a segment fits its bits");
  newest_ = (head_ << kPlaceBits) | segment.used;
  auto* entry = ::new (segment.words.data() + segment.used)
      Entry{id, payload.size(), Entry::State::live, form};
  auto* begin = reinterpret_cast<std::byte*>(entry + 1);
  if (form == Entry::Form::reference) {
    const Reference reference{&payload.source(), payload.word()};
    std::memcpy(begin, &reference, sizeof reference);
  } else {
    payload.write({begin, payload.size()});
  }
  segment.used += words;
  PHOTON_CHECK(segment.used <= segment.words.size(), "an entry fits its segment");
  live_words_ += words;
  return newest_;
}

void LruCache::kill(std::uint32_t place) {
  Entry& entry = entry_at(place);
  PHOTON_CHECK(entry.state == Entry::State::live, "an entry dies once");
  PHOTON_CHECK(live_words_ >= words_of(entry), "the words of live entries are counted");
  entry.state = Entry::State::dead;
  live_words_ -= words_of(entry);
  dead_words_ += words_of(entry);
}

// Removes the oldest living entry and the dead ones before it.
void LruCache::evict() {
  while (true) {
    PHOTON_CHECK(tail_ != kEnd, "there is something to evict while bytes are in use");
    if (tail_at_ == segments_[tail_].used) {
      const std::uint32_t next = segments_[tail_].next;
      close_segment(std::exchange(tail_, next));
      tail_at_ = 0;
      if (next == kEnd) head_ = kEnd;
      continue;
    }
    const std::uint32_t place = (tail_ << kPlaceBits) | tail_at_;
    const Entry& oldest = entry_at(place);
    const std::uint32_t words = words_of(oldest);
    tail_at_ += words;
    if (oldest.state == Entry::State::dead) {
      PHOTON_CHECK(dead_words_ >= words, "the words of dead entries are counted");
      dead_words_ -= words;
      continue;
    }
    PHOTON_CHECK(live_words_ >= words && bytes_ >= charge(oldest.size),
                 "an evicted entry was counted");
    live_words_ -= words;
    bytes_ -= charge(oldest.size);
    index_.erase(tag_of(oldest.id), place);
    PHOTON_MARK("event_store.lru.evicted");
    ++evictions_;
    break;
  }
  // The next victim is known already: prefetch its slot of the index.
  if (tail_at_ < segments_[tail_].used) expect(entry_at((tail_ << kPlaceBits) | tail_at_).id);
}

// Copies the living entries, in their order, to new segments.
void LruCache::rewrite() {
  PHOTON_MARK("event_store.lru.rewritten");
  std::uint32_t old = std::exchange(tail_, kEnd);
  std::uint32_t at = std::exchange(tail_at_, 0);
  head_ = kEnd;
  live_words_ = dead_words_ = 0;
  while (old != kEnd) {
    while (at < segments_[old].used) {
      const std::uint32_t place = (old << kPlaceBits) | at;
      const Entry& entry = entry_at(place);
      at += words_of(entry);
      if (entry.state == Entry::State::dead) continue;
      index_.move(tag_of(entry.id), place, append(entry.id, payload_of(entry)));
    }
    at = 0;
    const std::uint32_t next = segments_[old].next;
    close_segment(std::exchange(old, next));
  }
  PHOTON_CHECK((live_words_ == 0) == (index_.size() == 0), "the index knows every live entry");
}

void LruCache::insert(const EventId& id, const PayloadView& payload) {
  const std::uint32_t known = place_of(id);
  if (known != PlaceIndex::kNowhere) {
    PHOTON_MARK("event_store.lru.replaced");
    bytes_ -= charge(entry_at(known).size);
    index_.erase(tag_of(id), known);
    kill(known);
  }
  const std::uint64_t needed = charge(payload.size());
  if (needed > capacity_) {
    PHOTON_MARK("event_store.lru.too_big");
    return;
  }
  PHOTON_LIMIT("event_store.cache.capacity", bytes_ + needed, capacity_);
  while (bytes_ + needed > capacity_) evict();
  if (dead_words_ > live_words_ + kSegmentWords) rewrite();
  index_.insert(tag_of(id), append(id, payload));
  bytes_ += needed;
}

std::optional<PayloadView> LruCache::find(const EventId& id) {
  std::uint32_t place = place_of(id);
  if (place == PlaceIndex::kNowhere) return std::nullopt;
  if (place != newest_) {
    if (dead_words_ > live_words_ + kSegmentWords) {
      rewrite();
      place = place_of(id);
    }
    kill(place);
    const Entry& entry = entry_at(place);
    const std::uint32_t copy = append(id, payload_of(entry));
    index_.move(tag_of(id), place, copy);
    place = copy;
  }
  return payload_of(entry_at(place));
}

}  // namespace photon
