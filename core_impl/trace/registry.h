// Facts about the IdRegistry and the incarnation registry.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core_impl/base/event_id.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/trace/record.h"

namespace photon::trace {

// The same numbers as in the registry's own types.
enum class RegistryOperation : std::uint32_t {
  lookup = 0,
  insert = 1,
  move_boundary = 2,
  collect = 3,     // garbage collection of ids below the boundary
  clear = 4,       // forget the token, keep the id (F-12)
  remove = 5,      // the recovery delete, if exactly this token is stored (F-09)
  read_token = 6,  // which token is stored?
};

// Reads change nothing and are not replicated.
constexpr bool is_read(RegistryOperation operation) {
  return operation == RegistryOperation::lookup || operation == RegistryOperation::read_token;
}

// How the look-ups of a request are to be served (B-07). Stated by the client, repeated by
// the server.
enum class LookupMode : std::uint32_t {
  queue_ordered = 0,  // by the master, at their place in its queue
  bypass = 1,         // by the master, at once, from what it has applied
  replica = 2,        // by the replica that is asked, from what it has applied: perhaps the past
};

enum class RegistryCode : std::uint32_t {
  inserted = 0,        // OK: inserted now, or a retry with the stored token (B-41)
  already_exists = 1,  // stored under another token
  too_old = 2,         // stamp below the boundary (B-65)
  not_found = 3,       // lookup, clear, remove, read_token: the id is absent
  exists = 4,          // lookup, read_token
  cleared = 5,         // clear: no token is stored any more; read_token: none is (B-45)
  removed = 6,         // remove: the id was stored with this very token and is absent now
  no_match = 7,        // clear, remove: stored with another token; remove: with a cleared one
  // Not definitive: the outcome is unknown, retry with the same token (B-72).
  not_master = 16,
  unavailable = 17,
  overloaded = 18,
  wrong_shard = 19,
  future = 20,  // stamp too far ahead of true time (B-60f)
};

constexpr bool is_definitive(RegistryCode code) { return code <= RegistryCode::no_match; }
// They are numbered from 0.
inline constexpr std::size_t kDefinitiveCodes =
    static_cast<std::size_t>(RegistryCode::no_match) + 1;

constexpr std::string_view name_of(RegistryCode code) {
  switch (code) {
    case RegistryCode::inserted:
      return "inserted";
    case RegistryCode::already_exists:
      return "already_exists";
    case RegistryCode::too_old:
      return "too_old";
    case RegistryCode::not_found:
      return "not_found";
    case RegistryCode::exists:
      return "exists";
    case RegistryCode::cleared:
      return "cleared";
    case RegistryCode::removed:
      return "removed";
    case RegistryCode::no_match:
      return "no_match";
    case RegistryCode::not_master:
      return "not_master";
    case RegistryCode::unavailable:
      return "unavailable";
    case RegistryCode::overloaded:
      return "overloaded";
    case RegistryCode::wrong_shard:
      return "wrong_shard";
    case RegistryCode::future:
      return "future";
  }
  return "unknown code";
}

// One operation of a request, as it crosses the network.
struct RegistryAsk {
  static constexpr Kind kKind = Kind::registry_ask;
  EventId id;
  Token token;  // empty for reads
  std::uint64_t request;
  RegistryOperation operation;
  ShardId shard;
  LookupMode lookups = LookupMode::queue_ordered;  // of its request
  std::uint32_t unused = 0;
  std::uint64_t at_least = 0;  // lookups = replica: no answer from before this slot is valid
};

// One operation of a reply. `slot`: applied position the answer rests on (0 if not definitive).
// `token`: the question's; of a read_token answered `exists` the stored one.
struct RegistryAnswer {
  static constexpr Kind kKind = Kind::registry_answer;
  EventId id;
  Token token;
  std::uint64_t request;
  std::uint64_t slot;
  RegistryOperation operation;
  RegistryCode code;
  ShardId shard;
  LookupMode lookups = LookupMode::queue_ordered;  // of its request
};

// Decision: one operation of a chosen transaction was applied by header.node. `fresh` is 1 if it
// changed what is stored: an id that was absent became present (insert), lost its token (clear), or
// became absent (remove). Operations are numbered in the order of the transaction.
struct OperationApplied {
  static constexpr Kind kKind = Kind::operation_applied;
  EventId id;
  Token token;
  std::uint64_t slot;
  std::uint32_t index;
  RegistryOperation operation;
  RegistryCode code;
  ShardId shard;
  std::uint32_t fresh;
  std::uint32_t unused = 0;
};

// Decision: the registry thread put `operations` queued requests into one transaction (B-21).
struct BatchProposed {
  static constexpr Kind kKind = Kind::batch_proposed;
  std::uint64_t slot;
  std::uint32_t operations;
  std::uint32_t queued_after;  // requests still waiting
  ShardId shard;
  std::uint32_t unused = 0;
};

// Decision: header.node was asked to insert an id whose stamp lies more than the skew bound ahead
// of the latest that true time could be; `rejected` is 1 if it did not queue it (B-60f).
struct FutureInsert {
  static constexpr Kind kKind = Kind::future_insert;
  EventId id;
  Token token;
  std::int64_t ahead_nanoseconds;  // of TT.latest
  ShardId shard;
  std::uint32_t rejected;
};

// Decision at apply: the boundary of the shard became `boundary` (never less than before, B-62).
struct BoundaryMoved {
  static constexpr Kind kKind = Kind::boundary_moved;
  std::uint64_t slot;
  Stamp boundary;
  ShardId shard;
  std::uint32_t unused = 0;
};

enum class ShardingAction : std::uint32_t {
  announce = 1,  // from now on stamps >= start are not mapped
  confirm = 2,   // what is announced is in force
  cancel = 3,    // what is announced is void
  extend_horizon = 4,
  forget = 5,  // the intervals that end at `start` or before
};

// Decision: header.node applied one operation of the sharding configuration, which its author based
// on `version`. Its consequences, if any, are not in the record.
struct ShardingApplied {
  static constexpr Kind kKind = Kind::sharding_applied;
  std::uint64_t slot;
  std::uint64_t version;
  Stamp start;
  ShardingAction action;
  std::uint32_t shards;
  ShardId group;
  std::uint32_t unused = 0;
};

// How the configuration group answers a read of the history, or a request to change it.
enum class ShardingCode : std::uint8_t {
  ok = 0,           // a read; or the change was announced and confirmed
  cancelled = 1,    // announced, but it could not be confirmed in time: the old mapping stays
  conflict = 2,     // the version has moved on: read again, decide again (B-60a)
  undecided = 3,    // another change is open
  too_early = 4,    // t2 is not after TT.latest + S (+ the clients' age limit) (B-54)
  refused = 5,      // no shards, no change, or below the horizon
  not_master = 16,  // the outcome of a change is unknown: read the history to learn it
};

constexpr std::string_view name_of(ShardingCode code) {
  switch (code) {
    case ShardingCode::ok:
      return "ok";
    case ShardingCode::cancelled:
      return "cancelled";
    case ShardingCode::conflict:
      return "conflict";
    case ShardingCode::undecided:
      return "undecided";
    case ShardingCode::too_early:
      return "too_early";
    case ShardingCode::refused:
      return "refused";
    case ShardingCode::not_master:
      return "not_master";
  }
  return "unknown code";
}

// Message facts: a change of the number of shards, asked for; and an answer of the configuration
// group, to that or to a read. `newest` is the start of the last interval of the history in it, the
// least stamp if it holds none.
struct ShardingAsk {
  static constexpr Kind kKind = Kind::sharding_ask;
  std::uint64_t request;
  std::uint64_t version;
  Stamp start;
  std::uint32_t shards;
  std::uint32_t unused = 0;
};
// A read of the history, asked for.
struct ShardingRead {
  static constexpr Kind kKind = Kind::sharding_read;
  std::uint64_t request;
};
struct ShardingAnswer {
  static constexpr Kind kKind = Kind::sharding_answer;
  std::uint64_t request;
  std::uint64_t version;
  Stamp newest;
  ShardingCode code;
  std::array<std::uint8_t, 7> unused{};
};

// A client that only makes load states each operation that it asks for, and the answer that it
// receives in the end. `number` is the operation's, unique in the client's life.
struct LoadAsked {
  static constexpr Kind kKind = Kind::load_asked;
  EventId id;
  Token token;  // empty for look-ups
  std::uint64_t number;
  RegistryOperation operation;
  std::uint32_t unused = 0;
};
struct LoadDone {
  static constexpr Kind kKind = Kind::load_done;
  EventId id;
  Token token;
  std::uint64_t number;
  RegistryOperation operation;
  RegistryCode code;
};

// Message fact: process slot `address` was granted life `incarnation`; earlier lives are fenced. It
// is for the life that asked with the number `request`, its Context::incarnation; another life
// that a late copy reaches has no use for it.
struct IncarnationGranted {
  static constexpr Kind kKind = Kind::incarnation_granted;
  std::uint32_t address;
  std::uint32_t incarnation;
  std::uint64_t request;
};

}  // namespace photon::trace
