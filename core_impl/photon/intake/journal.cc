#include "core_impl/photon/intake/journal.h"

#include <map>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/trace/pipeline.h"

namespace photon {
namespace {

// On disk: the kind of record, then its fields.
template <class Record>
struct Tagged {
  const Record& record;

  template <class Visitor>
  static void each_field(const Tagged& self, Visitor&& visit) {
    visit(Record::kTag);
    Record::each_field(self.record, visit);
  }
};

template <class Record>
void append_tagged(const Record& record, Bytes& out) {
  append_encoded(Tagged<Record>{record}, out);
}

template <class Record, class Visitor>
bool visit_as(std::span<const std::byte> fields, Visitor& visit) {
  Record record;
  if (!decode_record(fields, record)) return false;
  visit(record);
  return true;
}

template <class Visitor>
bool visit_body(std::span<const std::byte> body, Visitor& visit) {
  if (body.empty()) return false;
  const auto fields = body.subspan(1);
  switch (static_cast<std::uint8_t>(body.front())) {
    case OwnershipRecord::kTag:
      return visit_as<OwnershipRecord>(fields, visit);
    case OffsetRecord::kTag:
      return visit_as<OffsetRecord>(fields, visit);
    case SavedRecord::kTag:
      return visit_as<SavedRecord>(fields, visit);
    case RemovedRecord::kTag:
      return visit_as<RemovedRecord>(fields, visit);
    case IntentRecord::kTag:
      return visit_as<IntentRecord>(fields, visit);
    case SkippedRecord::kTag:
      return visit_as<SkippedRecord>(fields, visit);
    default:
      return false;
  }
}

// Visits the intact records in order; returns the number of bytes after them.
template <class Visitor>
std::uint64_t visit_journal(std::span<const std::byte> bytes, Visitor& visit) {
  return for_each_record(bytes,
                         [&](std::span<const std::byte> body) { return visit_body(body, visit); });
}

struct Replay {
  OwnershipRecord ownership{};
  std::map<std::uint32_t, std::uint64_t> offsets{};
  std::map<EventId, SavedRecord> saved{};
  std::map<EventId, Token> intents{};

  void operator()(const OwnershipRecord& record) { ownership = record; }
  void operator()(const OffsetRecord& record) { offsets[record.file] = record.offset; }
  void operator()(SavedRecord& record) {
    intents.erase(record.click);
    saved[record.click] = std::move(record);
  }
  void operator()(const RemovedRecord& record) {
    intents.erase(record.click);
    saved.erase(record.click);
  }
  void operator()(const IntentRecord& record) { intents[record.click] = record.token; }
  void operator()(const SkippedRecord&) {}
};

struct Projection {
  std::uint32_t journal;
  trace::FactSink& sink;

  void operator()(const OwnershipRecord& record) {
    sink.fact(trace::JournalOwned{record.epoch, record.lease.count(), record.owner, journal});
  }
  void operator()(const IntentRecord&) {}
  void operator()(const OffsetRecord& record) {
    sink.fact(trace::OffsetSaved{record.offset, record.file, journal});
  }
  void operator()(const SkippedRecord& record) {
    sink.fact(trace::RangeSkipped{record.offset, record.file, journal});
  }
  void operator()(const SavedRecord& record) {
    sink.fact(trace::RetrySaved{record.click, record.due, record.handed_on, journal, record.tries});
  }
  void operator()(const RemovedRecord& record) {
    sink.fact(trace::RetryRemoved{record.click, journal});
  }
};

}  // namespace

void append_journal(const OwnershipRecord& record, Bytes& out) {
  PHOTON_CHECK(record.epoch != 0, "an owner has a life");
  append_tagged(record, out);
}

void append_journal(const OffsetRecord& record, Bytes& out) { append_tagged(record, out); }
void append_journal(const SavedRecord& record, Bytes& out) { append_tagged(record, out); }
void append_journal(const RemovedRecord& record, Bytes& out) { append_tagged(record, out); }
void append_journal(const IntentRecord& record, Bytes& out) { append_tagged(record, out); }
void append_journal(const SkippedRecord& record, Bytes& out) { append_tagged(record, out); }

JournalState read_journal(std::span<const std::byte> bytes) {
  Replay replay;
  JournalState state;
  state.bytes_ignored = visit_journal(bytes, replay);
  if (state.bytes_ignored > 0) PHOTON_MARK("intake.journal.tail_ignored");
  state.ownership = replay.ownership;
  for (const auto& [file, offset] : replay.offsets) {
    state.offsets.push_back(OffsetRecord{file, offset});
  }
  for (auto& [click, record] : replay.saved) state.saved.push_back(std::move(record));
  for (const auto& [click, token] : replay.intents) state.intents.push_back({click, token});
  return state;
}

void journal_facts(std::span<const std::byte> bytes, std::uint32_t journal, trace::FactSink& sink) {
  Projection projection{journal, sink};
  static_cast<void>(visit_journal(bytes, projection));
}

}  // namespace photon
