// Facts about dispatcher, joiner, EventStore and the joined output.
#pragma once

#include <array>
#include <cstdint>

#include "core_impl/base/event_id.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/trace/record.h"

namespace photon::trace {

// Why a join attempt ended. Up to `unjoinable` it is a success for the dispatcher (C-25).
enum class JoinOutcome : std::uint32_t {
  joined = 0,
  already_exists = 1,
  too_old = 2,
  skipped = 3,  // by the adapter
  unjoinable = 4,
  query_not_found = 16,
  too_many_in_flight = 17,
  registry_throttled = 18,
  event_store_error = 19,
  internal = 20,
  stopping = 21,  // the joiner was asked to stop (D-23)
};

constexpr bool is_success(JoinOutcome outcome) { return outcome <= JoinOutcome::unjoinable; }

// Why the dispatcher is finished with a click: a success of the joiner, or its own look-up.
enum class DoneReason : std::uint32_t {
  joined = 0,
  already_exists = 1,
  too_old = 2,
  skipped = 3,
  unjoinable = 4,
  lookup_exists = 8,
  lookup_too_old = 9,
};

// Requires is_success(outcome). Equal things have equal numbers in both lists.
constexpr DoneReason done_reason(JoinOutcome outcome) {
  const auto same = [](JoinOutcome left, DoneReason right) {
    return static_cast<std::uint32_t>(left) == static_cast<std::uint32_t>(right);
  };
  static_assert(same(JoinOutcome::joined, DoneReason::joined) &&
                same(JoinOutcome::already_exists, DoneReason::already_exists) &&
                same(JoinOutcome::too_old, DoneReason::too_old) &&
                same(JoinOutcome::skipped, DoneReason::skipped) &&
                same(JoinOutcome::unjoinable, DoneReason::unjoinable));
  return static_cast<DoneReason>(outcome);
}

enum class QueryStatus : std::uint32_t { found = 0, not_found = 1, error = 2 };
enum class QueryTier : std::uint32_t { cache = 0, logs = 1 };

// Dispatcher to joiner.
struct JoinAsk {
  static constexpr Kind kKind = Kind::join_ask;
  EventId click;
  EventId query;
  std::uint64_t request;
  std::uint32_t attempts;  // earlier attempts
  std::uint32_t unused = 0;
};

struct JoinAnswer {
  static constexpr Kind kKind = Kind::join_answer;
  EventId click;
  std::uint64_t request;
  JoinOutcome outcome;
  std::uint32_t unused = 0;
};

struct QueryAsk {
  static constexpr Kind kKind = Kind::query_ask;
  EventId query;
  std::uint64_t request;
  QueryTier tier;
  std::uint32_t unused = 0;
};

// `returned` is the id inside the record handed back; it must be the one asked for (J-S19).
struct QueryAnswer {
  static constexpr Kind kKind = Kind::query_answer;
  EventId query;
  EventId returned;
  std::uint64_t request;
  QueryStatus status;
  QueryTier tier;
};

// Decision of the joiner's adapter (D-05).
struct AdapterDecided {
  static constexpr Kind kKind = Kind::adapter_decided;
  EventId click;
  EventId query;
  std::uint64_t skipped;  // 1: filtered
};

// Decision: the dispatcher took a complete click record ending at `end` of `file` from the log.
struct ClickRead {
  static constexpr Kind kKind = Kind::click_read;
  EventId click;
  std::uint64_t end;
  std::uint32_t file;
  std::uint32_t unused = 0;
};

// Decision: the dispatcher is finished with a click. `attempts` counts sends to joiners.
struct ClickDone {
  static constexpr Kind kKind = Kind::click_done;
  EventId click;
  DoneReason reason;
  std::uint32_t attempts;
};

// Storage facts (source issued or durable), decoded from the bytes themselves.
// One joined record in the output log of header.datacenter. header.node is the joiner.
struct OutputRecord {
  static constexpr Kind kKind = Kind::output_record;
  EventId click;
  EventId query;
  Token token;
  std::uint64_t joined_hash;
};

// Facts about the journals of the dispatchers of header.datacenter: `journal` numbers them there,
// header.node is the writer, which then owned the journal (C-06).

// Storage fact: `owner` claims the journal for `lease`; kNoNode: it has no owner (C-06, C-30). The
// lease begins when the claim is made, before the record is durable.
struct JournalOwned {
  static constexpr Kind kKind = Kind::journal_owned;
  std::uint64_t epoch;
  std::int64_t lease_nanoseconds;
  NodeId owner;
  std::uint32_t journal = 0;
};

// The persisted position: every click ending at or before `offset` is finished or in the retry
// store (C-04).
struct OffsetSaved {
  static constexpr Kind kKind = Kind::offset_saved;
  std::uint64_t offset;
  std::uint32_t file;
  std::uint32_t journal = 0;
};

// An operator began the journal anew without its state: bytes before `offset` of the file are
// skipped (C-32).
struct RangeSkipped {
  static constexpr Kind kKind = Kind::range_skipped;
  std::uint64_t offset;
  std::uint32_t file;
  std::uint32_t journal = 0;
};

struct RetrySaved {
  static constexpr Kind kKind = Kind::retry_saved;
  EventId click;
  LocalTime due;
  std::uint32_t attempts;  // sends to joiners
  std::uint32_t journal = 0;
  std::uint32_t tries = 0;  // that failed: what the backoff counts (C-21)
  std::uint32_t unused = 0;
};

struct RetryRemoved {
  static constexpr Kind kKind = Kind::retry_removed;
  EventId click;
  std::uint32_t journal = 0;
  std::uint32_t unused = 0;
};

// The whole journal is replaced (or removed: `bytes` is 0). Its earlier facts count no more; those
// of its new content follow, then one JournalRestated.
struct JournalReplaced {
  static constexpr Kind kKind = Kind::journal_replaced;
  std::uint64_t bytes;
  std::uint32_t journal = 0;
  std::uint32_t unused = 0;
};

struct JournalRestated {
  static constexpr Kind kKind = Kind::journal_restated;
  std::uint64_t bytes;
  std::uint32_t journal = 0;
  std::uint32_t unused = 0;
};

struct UnjoinableLogged {
  static constexpr Kind kKind = Kind::unjoinable_logged;
  EventId click;
  std::uint64_t attempts;
};

// Storage fact: a click that ends at `end` of `file`, one of those that verification brings back.
// header.node is the verifier.
struct ClickReinjected {
  static constexpr Kind kKind = Kind::click_reinjected;
  EventId click;
  std::uint64_t removed_at;
  std::uint64_t end;
  std::uint32_t file;
  std::uint32_t unused = 0;
};

// A verifier's finding about a click of the input.
enum class Verified : std::uint32_t {
  present = 0,       // in the output
  output_lost = 1,   // its token is cleared, so it was in the output; it is no longer there (F-14)
  too_old = 2,       // below the boundary: nothing can be done any more (F-11)
  unregistered = 3,  // not registered, although it was brought back; still followed (F-08, F-16)
  // Its owner is dead, and the storage has lost records of that life, of which the click's may have
  // been one: it can be neither found nor proven absent (F-06, F-14).
  indeterminate = 4,
};

inline constexpr std::size_t kVerifiedVerdicts = 5;

// Decision: the verifier is finished with a click.
struct ClickVerified {
  static constexpr Kind kKind = Kind::click_verified;
  EventId click;
  Verified verdict;
  std::uint32_t reinjections;  // of this verifier
};

// Environment: the cell of header.datacenter has lost this joined record, which was durable.
struct OutputLost {
  static constexpr Kind kKind = Kind::output_lost;
  EventId click;
  Token token;
};

// Environment: in the cell of header.datacenter the output files of process slot `joiner` are shut
// to every life below `life`: nothing that such a life appends has any effect from now on (F-06).
// header.node is the process that asked for it.
struct OutputFenced {
  static constexpr Kind kKind = Kind::output_fenced;
  NodeId joiner;
  std::uint32_t life;
};

// Message facts: is a click in the output of a datacenter? One of each per click of the request,
// with its place there.
// Verifier to auditor. `owner` and `life`: of the joiner whose file is searched; life 0: none is
// named, and the auditor answers from its memory.
struct OutputAsk {
  static constexpr Kind kKind = Kind::output_ask;
  EventId click;
  std::uint64_t request;
  NodeId owner;
  std::uint32_t life;
  std::uint32_t place;
  std::uint32_t unused = 0;
};

// Of several answers about a click the later one in this order decides (F-06, F-14).
enum class Presence : std::uint8_t {
  // With an owner: not in its file, as long as the registry stores the owner's token. Without:
  // neither durable when the auditor began to read the output of its datacenter, nor read since.
  absent,
  // Only with an owner: its file has lost records, and it is not known which.
  indeterminate,
  unknown,  // not all of it could be read, or was read yet: ask again
  present,
};

struct OutputAnswer {
  static constexpr Kind kKind = Kind::output_answer;
  std::uint64_t request;
  std::uint32_t place;
  Presence presence;
  std::array<std::uint8_t, 3> unused{};
};

// Decision: a reader of logs has skipped [begin, end) of `file`, where it found no sound record.
struct RecordSkipped {
  static constexpr Kind kKind = Kind::record_skipped;
  static constexpr std::uint32_t kOtherFile = 0xffffffffU;  // not one of the logs
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t file;
  std::uint32_t unused = 0;
};

// Decision: the EventStore reader has made every query of `file` before `offset` findable.
struct ReaderProgress {
  static constexpr Kind kKind = Kind::reader_progress;
  std::uint64_t offset;
  std::uint32_t file;
  std::uint32_t unused = 0;
};

}  // namespace photon::trace
