// Messages inside one pipeline: dispatcher to joiner, joiner to EventStore, reader to EventStore;
// and verifier to joiner, of any pipeline.
//
// Paper: Photon section 3; SPEC C-13, C-22, D-03, E-01..E-10, F-04. Every request carries a
// correlation number chosen by its sender, and the reply repeats it; but a question about an
// attempt is identified by its content.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/event_id.h"
#include "core_impl/base/payload.h"
#include "core_impl/logs/primary_batch.h"
#include "core_impl/runtime/body.h"
#include "core_impl/trace/pipeline.h"

namespace photon {

using JoinOutcome = trace::JoinOutcome;
using QueryStatus = trace::QueryStatus;
using QueryTier = trace::QueryTier;

struct JoinRequest {
  static constexpr MessageType kType = 300;
  static constexpr std::string_view kName = "join_request";
  std::uint64_t request = 0;
  EventId click;
  EventId query;
  std::uint32_t attempts = 0;  // earlier attempts (C-22)
  Payload payload{};           // of the click

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.click, self.query, self.attempts, self.payload);
  }
  void facts(trace::FactSink& sink) const {
    sink.fact(trace::JoinAsk{click, query, request, attempts});
  }
};

// Several clicks as one (an ablation, SPEC G-24): none of them is joined unless the queries of all
// are found. Each member has a number and an answer of its own.
struct JoinGroupRequest {
  static constexpr MessageType kType = 302;
  static constexpr std::string_view kName = "join_group_request";
  PooledVector<JoinRequest> members{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.members);
  }
  void facts(trace::FactSink& sink) const {
    for (const JoinRequest& each : members) each.facts(sink);
  }
};

struct JoinReply {
  static constexpr MessageType kType = 301;
  static constexpr std::string_view kName = "join_reply";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  EventId click;
  JoinOutcome outcome = JoinOutcome::internal;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.click, self.outcome);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::JoinAnswer{click, request, outcome}); }
};

// "The registry has your token for this click. Is your attempt over?", to the joiner that drew it.
struct AttemptQuery {
  static constexpr MessageType kType = 332;
  static constexpr std::string_view kName = "attempt_query";
  EventId click;
  Token token;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click, self.token);
  }
};

// "It is over." For ever: output of this attempt that is not there now will never be. There is no
// other answer; a joiner that is still at work on the click, or that is another life, is silent.
struct AttemptOver {
  static constexpr MessageType kType = 333;
  static constexpr std::string_view kName = "attempt_over";
  static constexpr bool kIsReply = true;
  EventId click;
  Token token;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click, self.token);
  }
};

// To a cache node or to the log store, depending on the addressee.
struct QueryRequest {
  static constexpr MessageType kType = 310;
  static constexpr std::string_view kName = "query_request";
  std::uint64_t request = 0;
  EventId query;
  QueryTier tier = QueryTier::cache;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.query, self.tier);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::QueryAsk{query, request, tier}); }
};

struct QueryReply {
  static constexpr MessageType kType = 311;
  static constexpr std::string_view kName = "query_reply";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  EventId query;
  QueryTier tier = QueryTier::cache;
  QueryStatus status = QueryStatus::error;
  EventId returned;   // id inside the record found
  Payload payload{};  // of the query, if found

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.query, self.tier, self.status, self.returned, self.payload);
  }
  void facts(trace::FactSink& sink) const {
    sink.fact(trace::QueryAnswer{query, returned, request, status, tier});
  }
};

// Log store to joiner: the search continues. It may take longer than the joiner's time-out.
struct QueryProgress {
  static constexpr MessageType kType = 312;
  static constexpr std::string_view kName = "query_progress";
  std::uint64_t request = 0;
  EventId query;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.query);
  }
};

// Reader to cache node: primary events as records, best effort (E-08).
struct CacheFill {
  static constexpr MessageType kType = 320;
  static constexpr std::string_view kName = "cache_fill";
  logs::PrimaryBatch batch{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.batch);
  }
};

// Reader to log store: entries of the log file map (E-10). Acknowledged once durable.
struct MapEntry {
  EventId id;
  std::uint32_t file = 0;  // logs::LogFile::number
  std::uint64_t offset = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.id, self.file, self.offset);
  }
};

struct MapPut {
  static constexpr MessageType kType = 321;
  static constexpr std::string_view kName = "map_put";
  std::uint64_t request = 0;
  PooledVector<MapEntry> entries{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.entries);
  }
};

struct MapPutDone {
  static constexpr MessageType kType = 322;
  static constexpr std::string_view kName = "map_put_done";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request);
  }
};

}  // namespace photon
