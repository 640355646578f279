// Queries in memory, the least recently used of them evicted when the bytes run out.
//
// "Use" is an insert or a hit (E-07). The cache is a log: entries lie in the order of their last
// use in a chain of segments, new ones are appended at its head, and eviction reads the tail from
// one end to the other. A hit appends the entry once more and marks the old one dead; when dead
// entries outweigh the others, the log is written anew. So a query costs no object of its own,
// neighbours in memory are used together, and segments are recycled. Memory is at most twice what
// is resident, two segments, and the index. A payload by reference (base/payload.h) takes 16 bytes,
// but is charged as its bytes would be: what is evicted does not depend on the form.
//
// Paper: Photon section 3.4.1; SPEC E-05, E-07.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/payload.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/event_store/place_index.h"

namespace photon {

class LruCache {
 public:
  // What one query is charged besides its payload, whatever the layout.
  static constexpr std::uint64_t kEntryBytes = 96;
  static constexpr std::uint64_t charge(std::size_t payload) { return kEntryBytes + payload; }

  explicit LruCache(std::uint64_t capacity_bytes) : capacity_(capacity_bytes) {}

  // Makes the query the most recently used one, evicting others as needed. A query that is known
  // gets the new payload. One that does not fit even alone is not kept.
  void insert(const EventId& id, const PayloadView& payload);
  // The payload, valid until the next call but `expect`; nothing if absent. A hit is a use.
  std::optional<PayloadView> find(const EventId& id);
  // The query will soon be inserted or looked up. Makes that faster, changes nothing.
  void expect(const EventId& id) const { index_.expect(tag_of(id)); }

  std::size_t size() const { return index_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t evictions() const { return evictions_; }
  // Bytes of all segments, in use or kept for reuse.
  std::uint64_t memory_bytes() const { return segment_words_ * sizeof(std::uint64_t); }

 private:
  // Followed by its payload, or a Reference to it, and what is missing to whole words.
  struct Entry {
    enum class State : std::uint16_t { live, dead };
    enum class Form : std::uint16_t { bytes, reference };
    EventId id;
    std::uint32_t size;  // of the payload
    State state;
    Form form;
  };
  struct Reference {
    const PayloadSource* source;
    std::uint64_t word;
  };
  struct Segment {
    PooledVector<std::uint64_t> words{};
    std::uint32_t used = 0;     // words
    std::uint32_t next = kEnd;  // towards the head; or the next free one
  };
  static constexpr std::uint32_t kEnd = 0xffffffffU;
  static constexpr unsigned kPlaceBits = 12;
  static constexpr std::uint32_t kSegmentWords = 1U << kPlaceBits;  // 32 KiB, or one longer entry

  // The lower half of the hash: the hash ring has chosen this node by the upper bits.
  static std::uint32_t tag_of(const EventId& id) { return static_cast<std::uint32_t>(hash_of(id)); }
  static std::uint32_t words_of(Entry::Form form, std::uint32_t payload);
  static std::uint32_t words_of(const Entry& entry) { return words_of(entry.form, entry.size); }
  static PayloadView payload_of(const Entry& entry);

  Entry& entry_at(std::uint32_t place);
  const Entry& entry_at(std::uint32_t place) const;
  std::uint32_t place_of(const EventId& id) const;
  // Writes the entry at the head; the caller updates the index.
  std::uint32_t append(const EventId& id, const PayloadView& payload);
  void open_segment(std::uint32_t words);
  void close_segment(std::uint32_t segment);
  void kill(std::uint32_t place);  // the caller updates the index
  void evict();
  void rewrite();

  std::uint64_t capacity_;
  std::uint64_t bytes_ = 0;
  std::uint64_t evictions_ = 0;
  PlaceIndex index_;  // place: number of the segment, then the word in it where the entry begins
  PooledVector<Segment> segments_;
  std::uint32_t head_ = kEnd;  // segment written to
  std::uint32_t tail_ = kEnd;  // segment with the oldest entry
  std::uint32_t tail_at_ = 0;  // word of that entry
  std::uint32_t free_ = kEnd;
  std::uint32_t newest_ = PlaceIndex::kNowhere;  // place of the last entry appended
  std::uint64_t live_words_ = 0;
  std::uint64_t dead_words_ = 0;
  std::uint64_t segment_words_ = 0;
};

}  // namespace photon
