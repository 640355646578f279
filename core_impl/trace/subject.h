// The event that a record is about, according to its payload: a reader of traces finds by it what
// belongs together. A payload with a member `click` is about that click. For the others there is
// one line here each.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "core_impl/base/event_id.h"
#include "core_impl/trace/all_payloads.h"
#include "core_impl/trace/record.h"

namespace photon::trace {

// A registry's id is the id of its click.
struct Subject {
  enum class Of : std::uint8_t { nothing, click, query };
  Of of = Of::nothing;
  EventId id{};
};

template <Payload P>
Subject subject_of(const P& payload, Source) {
  if constexpr (requires { requires std::same_as<EventId, decltype(P::click)>; }) {
    return {Subject::Of::click, payload.click};
  } else {
    return {};
  }
}

// Copies of reads that arrive are about nothing: what was asked and what was answered counts.
inline Subject subject_of(const RegistryAsk& ask, Source source) {
  if (source != Source::sent && is_read(ask.operation)) return {};
  return {Subject::Of::click, ask.id};
}

inline Subject subject_of(const RegistryAnswer& answer, Source) {
  return {Subject::Of::click, answer.id};
}

// Only these operations are about an id of a click; a collection is about all below a boundary.
inline Subject subject_of(const OperationApplied& applied, Source) {
  const bool about_an_id = applied.operation == RegistryOperation::insert ||
                           applied.operation == RegistryOperation::clear ||
                           applied.operation == RegistryOperation::remove;
  return about_an_id ? Subject{Subject::Of::click, applied.id} : Subject{};
}

// Only a miss of the log tier that arrives says something about its query.
inline Subject subject_of(const QueryAnswer& answer, Source source) {
  const bool miss = source == Source::delivered && answer.status == QueryStatus::not_found &&
                    answer.tier == QueryTier::logs;
  return miss ? Subject{Subject::Of::query, answer.query} : Subject{};
}

// Of a click or of a query: no reader indexes the queries.
inline Subject subject_of(const InputDamaged& damaged, Source) {
  return damaged.click != 0 ? Subject{Subject::Of::click, damaged.event} : Subject{};
}

// Of any record: one table look-up by kind.
inline Subject subject_of(const Record& record) {
  constexpr std::size_t kKinds = 512;
  using Reader = Subject (*)(const Record&);
  static constexpr auto kReaders = [] {
    std::array<Reader, kKinds> readers{};
    AllPayloads::for_each([&]<class P>() {
      readers[static_cast<std::size_t>(P::kKind)] = [](const Record& of) {
        return subject_of(of.as<P>(), of.header.source);
      };
    });
    return readers;
  }();
  const auto kind = static_cast<std::size_t>(record.header.kind);
  const Reader reader = kind < kKinds ? kReaders[kind] : nullptr;
  return reader == nullptr ? Subject{} : reader(record);
}

}  // namespace photon::trace
