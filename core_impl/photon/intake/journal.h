// The durable state of a process that takes clicks: one append-only journal of file offsets and of
// the retry store.
//
// One file holds both, because C-04 depends on their order: an offset may pass a click only
// after the record that saves the click. Any prefix of the journal is therefore a consistent
// state, so a torn append costs work and never a click. Group commit and compaction:
// cell_log/group_log.h, state_store.h.
//
// Layout: a sequence of frames (base/record_codec.h); a frame's body is a tag byte and the codec's
// encoding of the record it names:
//   1 OwnershipRecord  owner u32 | epoch u64 | renewed i64 (wall clock, ns) | lease i64 (ns)
//   2 OffsetRecord     file u32 (logs::LogFile::number) | offset u64
//   3 SavedRecord      click 16 | query 16 | handed on u32 | tries u32 | due i64 (wall clock, ns)
//                      | last joiner u32 | removed at u64 | payload size u32 | payload
//   4 RemovedRecord    click 16
//   5 IntentRecord     click 16 | token 16
//   6 SkippedRecord    file u32 | offset u64
// A later record about the same file or click replaces the earlier one; a SavedRecord or
// RemovedRecord ends the intent about its click. A SkippedRecord is for reports only: the offset
// that belongs to it is a record of its own.
//
// Paper: Photon section 3.2, 3.2.1; SPEC C-03, C-04, C-06, C-21, C-26, F-08.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/payload.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/trace/record.h"

namespace photon {

// The process that may write this state; kNoNode: any. The epoch is the owner's; the volume refuses
// lower ones. The first record of a journal is one.
struct OwnershipRecord {
  static constexpr std::uint8_t kTag = 1;
  NodeId owner = kNoNode;
  std::uint64_t epoch = 0;
  LocalTime renewed{};
  Duration lease{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.owner, self.epoch, self.renewed, self.lease);
  }
};

// Every click that ends at or before `offset` of `file` is finished or saved.
struct OffsetRecord {
  static constexpr std::uint8_t kTag = 2;
  std::uint32_t file = 0;
  std::uint64_t offset = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.file, self.offset);
  }
};

// A click to be tried again at `due`.
struct SavedRecord {
  static constexpr std::uint8_t kTag = 3;
  EventId click;
  EventId query;
  std::uint32_t handed_on = 0;  // times: to joiners; by a verifier: to dispatchers, again
  std::uint32_t tries = 0;      // what the backoff counts
  LocalTime due{};
  NodeId last_joiner = kNoNode;
  std::uint64_t removed_at = 0;  // brought back: logs::ReinjectedEvent
  Payload payload{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click, self.query, self.handed_on, self.tries, self.due, self.last_joiner,
          self.removed_at, self.payload);
  }
};

struct RemovedRecord {
  static constexpr std::uint8_t kTag = 4;
  EventId click;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click);
  }
};

// A verifier intends to remove the saved click from the registry, if it is stored with that token,
// and then to bring it back (F-08).
struct IntentRecord {
  static constexpr std::uint8_t kTag = 5;
  EventId click;
  Token token;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click, self.token);
  }
};

// An operator began this journal without its state: bytes of the file before that are
// skipped (C-32).
struct SkippedRecord {
  static constexpr std::uint8_t kTag = 6;
  std::uint32_t file = 0;
  std::uint64_t offset = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.file, self.offset);
  }
};

void append_journal(const OwnershipRecord& record, Bytes& out);
void append_journal(const OffsetRecord& record, Bytes& out);
void append_journal(const SavedRecord& record, Bytes& out);
void append_journal(const RemovedRecord& record, Bytes& out);
void append_journal(const IntentRecord& record, Bytes& out);
void append_journal(const SkippedRecord& record, Bytes& out);

// The content of a journal.
struct JournalState {
  OwnershipRecord ownership{};           // the latest
  PooledVector<OffsetRecord> offsets{};  // one per file, by file number
  PooledVector<SavedRecord> saved{};     // one per click, by click id
  PooledVector<IntentRecord> intents{};  // open ones, by click id; each click is saved
  std::uint64_t bytes_ignored = 0;       // after the last intact record: a torn append
};
JournalState read_journal(std::span<const std::byte> bytes);

// States the facts of every complete record in bytes written to the journal of that number:
// OffsetSaved, RetrySaved, RetryRemoved, RangeSkipped, in their order. A rewrite of the whole
// journal must state every offset and every saved click again; its caller states that it is
// one (trace::JournalReplaced).
void journal_facts(std::span<const std::byte> bytes, std::uint32_t journal, trace::FactSink& sink);

}  // namespace photon
