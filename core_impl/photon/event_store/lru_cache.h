// Queries in memory, the least recently used of them evicted when the bytes run out.
//
// "Use" is an insert or a hit (E-07). Memory is proportional to what is resident: a slot and a
// table entry per query, and its payload in one block of its size.
//
// Paper: Photon section 3.4.1; SPEC E-05, E-07.
#pragma once

#include <cstdint>
#include <span>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/bytes.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon {

class LruCache {
 public:
  // What one query is charged besides its payload: slot, table entry, block overhead.
  static constexpr std::uint64_t kEntryBytes = 96;

  explicit LruCache(std::uint64_t capacity_bytes) : capacity_(capacity_bytes) {}

  // Makes the query the most recently used one, evicting others as needed. A query that is known
  // gets the new payload. One that does not fit even alone is not kept.
  void insert(const EventId& id, std::span<const std::byte> payload);
  // The payload, valid until the next insert; null if absent. A hit is a use.
  const Bytes* find(const EventId& id);

  std::size_t size() const { return table_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t evictions() const { return evictions_; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Slot {
    EventId id;
    Bytes payload;
    std::uint32_t newer = kNone;
    std::uint32_t older = kNone;  // doubles as the link of the free list
  };

  static std::uint64_t charge(std::size_t payload) { return kEntryBytes + payload; }
  void unlink(std::uint32_t slot);
  void link_newest(std::uint32_t slot);
  void remove(std::uint32_t slot);
  std::uint32_t take_slot();

  std::uint64_t capacity_;
  std::uint64_t bytes_ = 0;
  std::uint64_t evictions_ = 0;
  boost::unordered_flat_map<EventId, std::uint32_t, Hasher> table_;
  PooledVector<Slot> slots_;
  std::uint32_t newest_ = kNone;
  std::uint32_t oldest_ = kNone;
  std::uint32_t free_ = kNone;
};

}  // namespace photon
