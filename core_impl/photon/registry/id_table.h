// The table of a shard's ids: dense arrays, an index per time slice, tokens only while they
// are set.
//
// Layout: arrays in blocks (core_impl/base/block_array.h), addressed by 32-bit slots.
//   entries  32 bytes per id: the id, the next id of its chain, its neighbours in the slice, the
//            slot of its token
//   tokens   16 bytes for each token that is set, and 4 bytes for its entry's slot
//   slices   64 bytes for each slice (stamp / width) that has ids: the ends of its list, and its
//            index, a hash table of chains with one head of 4 bytes per id. Up to kUnindexed ids
//            have no index but are searched in turn.
//
// Invariants:
//  * Entries and tokens have no holes: a removed one is replaced by the last one. So memory follows
//    the number of ids in both directions, without steps, whatever was collected; blocks are given
//    back to the allocator, indexes of slices to the thread's recycled memory.
//  * An index gains one head per id (linear hashing: heads are split one after the other). No
//    operation touches more than a few chains: there is no pause at any size, and never an old and
//    a new copy. An index does not shrink; it is removed with its slice.
//    One cost grows with the number of slices: a new one between old ones (an id of an unusual
//    time) moves up to half of their 64-byte records, a megabyte at 26,000 slices, three days.
//  * A slice lists its ids in the order of insertion; `next_garbage` is the newest of the oldest
//    slice. This order depends on the operations alone; slots and chains are internal.
//  * A cleared token is no token: it takes no room, and reads as the empty one (SPEC B-45, F-12).
//
// Why by slices: ids arrive in the order of time, more or less, and are looked up again and
// cleared soon after. The memory they touch is then in the processor's cache, at 20 million ids as
// at 20,000.
//
// Memory per id: 32 bytes, 4 to 8 for its head, 20 while its token is set, and its share of the
// slice's 64. Measured at every size from 5 to 20 million ids, by the allocator's count, the peak
// while growing included: at most 38.2 with cleared and 58.6 with set tokens at 770 ids per slice,
// 39.3 and 59.7 at 50. With all that a replica holds besides, its log above all (compacted when it
// has grown by one snapshot): 55.3 and 78.7, and at the peak, while a snapshot is being written,
// 72.2 and 111.6 (tests/bench/replica_memory). An insert with the clearing of an older id takes
// 0.18 us, a look-up among the last minute's ids 45 ns, whatever the size; a look-up of any id of
// three days 0.65 us, all of it cache misses (tests/bench/id_table).
//
// Considered: one flat table (160 ns for any id; but 33 bytes per slot and 16 more to find garbage,
// half empty after it doubles, so 98 bytes and 136 at the peak, and a pause of 0.8 s); one
// incremental index over all ids (as dense, but every step of it misses the cache); a whole table
// per slice (cheap to drop; costs a table for few ids); tokens in the entries (52 bytes, cleared or
// not).
//
// Paper: Photon sections 2.3 (collection), 3.3.3 (tokens are cleared, ids stay); SPEC B-69, B-76.
#pragma once

#include <cstdint>

#include "core_impl/base/block_array.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"

namespace photon {

// Did an operation change the stored state of its id?
enum class Freshness : std::uint8_t { unchanged, fresh };

class IdTable {
 public:
  // The place of an id. Valid until an id is erased.
  using Slot = std::uint32_t;
  static constexpr Slot kAbsent = ~Slot{0};

  // `slice`: width of the slices by which ids are collected; positive.
  explicit IdTable(Duration slice);

  std::uint32_t size() const { return entries_.size(); }
  std::uint32_t tokens() const { return tokens_.size(); }  // set ones
  Slot find(const EventId& id) const;
  const EventId& id(Slot slot) const { return entries_[slot].id; }
  // Empty if it was cleared. The reference survives no operation.
  const Token& token(Slot slot) const;

  struct Placed {
    Slot slot;
    Freshness freshness;
  };
  // The token (it may be empty) is stored only if the id is new.
  Placed insert(const EventId& id, const Token& token);
  // Without effect if the token is cleared already.
  void clear_token(Slot slot);
  void erase(Slot slot);
  void clear();

  std::int64_t slice_of(Stamp stamp) const;
  // Of a table that is not empty.
  std::int64_t oldest_slice() const { return slices_.front().number; }
  std::int64_t newest_slice() const { return slices_.back().number; }
  Slot next_garbage() const { return slices_.front().newest; }

  // Visits every slot: slices from the oldest to the newest, ids in the order of insertion. Insert
  // in this order to obtain a table with the same order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (const Slice& slice : slices_) {
      for (Slot slot = slice.oldest; slot != kAbsent; slot = entries_[slot].newer) visit(slot);
    }
  }

  std::size_t memory_bytes() const;

 private:
  struct Entry {
    EventId id;
    Slot chain;  // the next of the same head; means nothing in a slice without index
    Slot older;  // neighbours in the slice
    Slot newer;
    std::uint32_t token;  // its slot in tokens_, kAbsent if cleared
  };
  static_assert(sizeof(Entry) == 32);

  struct Slice {
    std::int64_t number = 0;
    Slot oldest = kAbsent;
    Slot newest = kAbsent;
    std::uint32_t ids = 0;
    BlockArray<Slot> heads{};  // none, or at least one per id
  };
  using Slices = PooledDeque<Slice>;  // ascending, none without ids

  static constexpr std::uint32_t kUnindexed = 8;

  Slices::const_iterator lower_bound(std::int64_t number) const;
  Slices::iterator slice_at(Stamp stamp);  // exists
  Slot find_in(const Slice& slice, const EventId& id) const;
  void append(Slice& slice, Slot slot);
  void remove_from_slice(Slot slot);
  void move_entry(Slot from, Slot to);

  // The index of a slice that has one.
  void link(Slice& slice, Slot slot);
  // The link to `slot` in its chain: in a head or in another entry.
  Slot& link_to(Slice& slice, Slot slot);
  void add_head(Slice& slice);

  std::int64_t slice_width_;
  BlockArray<Entry> entries_;
  BlockArray<Token> tokens_;
  BlockArray<Slot> token_owners_;  // beside tokens_: slot of the entry
  Slices slices_;
};

}  // namespace photon
