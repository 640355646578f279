// The registry's state machine: event id -> token, and the boundary below which ids are too old.
//
// Invariants:
//  * `apply` is deterministic: the same operations in the same order give the same results and the
//    same state everywhere. All conditions are evaluated here and nowhere earlier (SPEC B-15): the
//    boundary first (B-66, B-67), then absence, then equality of the whole token (B-42).
//  * The boundary never decreases (B-62). Collection removes no id with stamp >= boundary (B-64);
//    only `remove` does, the recovery delete.
//  * A stored empty token is a cleared one and matches nothing (B-45). `clear` and `remove` name
//    the very token that is stored: a repetition of either has no effect (B-16, F-09).
//  * `state_hash` depends on the contents alone, not on the order in which they came (B-10).
//
// Memory and the time of every operation: id_table.h.
//
// Paper: Photon sections 2 (role), 2.2.1 (conditions in the transaction), 2.3 (collection), 3.3.3
// (clearing, recovery delete).
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/registry/id_table.h"
#include "core_impl/photon/registry_messages.h"

namespace photon {

// One operation of a transaction. `operation` determines which of the other fields are used.
struct StoreOperation {
  RegistryOperation operation = RegistryOperation::insert;
  std::uint32_t limit = 0;  // collect: remove at most this many ids
  EventId id{};             // insert, clear, remove
  Token token{};            // insert, clear, remove; not empty
  Stamp boundary{};         // move_boundary: the proposed value

  friend bool operator==(const StoreOperation&, const StoreOperation&) = default;
};

struct OperationResult {
  RegistryCode code = RegistryCode::inserted;  // also of the boundary's and the collection's moves
  Freshness freshness = Freshness::unchanged;
};

class IdStore {
 public:
  // `slice`: width of the time slices by which ids are collected; the same on all replicas. An id
  // becomes collectable when the boundary has passed the end of its slice.
  explicit IdStore(Duration slice = std::chrono::seconds(10));

  OperationResult apply(const StoreOperation& operation);
  // exists, not_found or too_old, from the state as it is now.
  RegistryCode lookup(const EventId& id) const;
  // exists, with the stored token; cleared, not_found or too_old.
  struct StoredToken {
    RegistryCode code{};
    Token token{};
  };
  StoredToken read_token(const EventId& id) const;
  // The stored token, empty if it was cleared; null if the id is absent. The next operation
  // invalidates it.
  const Token* token_of(const EventId& id) const;

  Stamp boundary() const { return boundary_; }
  std::size_t size() const { return table_.size(); }

  // Everything, byte for byte the same on replicas that applied the same operations: collection
  // takes ids in the order in which they were stored, so this order is part of the state. 33
  // bytes per id with token, 17 with a cleared one. Appended to `out` in one piece, in addition
  // to the table.
  void snapshot(Bytes& out) const;
  Bytes snapshot() const {
    Bytes bytes;
    snapshot(bytes);
    return bytes;
  }
  // Replaces the contents. False, and the contents are unspecified, if the bytes are no snapshot of
  // a store with this width of slices.
  bool restore(std::span<const std::byte> snapshot);
  std::uint64_t state_hash() const { return contents_hash_ + mix(boundary_word()); }
  // What the latest `collect` removed.
  const PooledVector<EventId>& collected() const { return collected_; }
  // Is there anything that `collect` could remove?
  bool has_garbage() const;
  // Bytes held by the table, for capacity reports (B-69, B-76).
  std::size_t memory_bytes() const { return table_.memory_bytes(); }

 private:
  OperationResult insert(const EventId& id, const Token& token);
  OperationResult clear(const EventId& id, const Token& token);
  OperationResult remove(const EventId& id, const Token& token);
  void collect(std::uint32_t limit);
  bool restore_entry(Decoder& decode);
  std::uint64_t boundary_word() const {
    return static_cast<std::uint64_t>(nanoseconds_of(boundary_));
  }

  Duration slice_;
  Stamp boundary_{Stamp::min()};
  IdTable table_;
  std::uint64_t contents_hash_ = 0;
  PooledVector<EventId> collected_;
};

}  // namespace photon
