// Messages of the IdRegistry: requests bundled by the client, replies with one result per
// operation; and of the incarnation registry.
//
// Paper: Photon section 2.1, 2.2; SPEC B-06, B-30, B-72. Operation kinds and result codes are the
// trace vocabulary's, so a trace shows what crossed the wire.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/runtime/body.h"
#include "core_impl/trace/registry.h"

namespace photon {

using RegistryOperation = trace::RegistryOperation;
using RegistryCode = trace::RegistryCode;
using LookupMode = trace::LookupMode;

struct RegistryItem {
  EventId id;
  Token token;  // empty for reads
  RegistryOperation operation = RegistryOperation::lookup;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.id, self.token, self.operation);
  }
};

// All items of a request belong to one shard (B-30). `request` is the client's number for it (see
// rpc/open_requests.h): no other request of any life of the client has it. A repetition carries the
// same number and asks for nothing that the first copy did not ask for, perhaps for less.
// With lookups = replica it holds look-ups alone, and any replica may be asked; one that has
// applied less than `at_least` answers `unavailable`.
struct RegistryRequest {
  static constexpr MessageType kType = 200;
  static constexpr std::string_view kName = "registry_request";
  std::uint64_t request = 0;
  ShardId shard{};
  LookupMode lookups = LookupMode::queue_ordered;
  std::uint64_t at_least = 0;
  PooledVector<RegistryItem> items{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.shard, self.lookups, self.at_least, self.items);
  }
  void facts(trace::FactSink& sink) const {
    for (const RegistryItem& item : items) {
      sink.fact(trace::RegistryAsk{item.id, item.token, request, item.operation, shard, lookups, 0,
                                   at_least});
    }
  }
};

struct RegistryResult {
  EventId id;
  Token token;             // the item's; of a read_token answered `exists` the stored one
  std::uint64_t slot = 0;  // applied position the answer rests on; 0 if not definitive
  RegistryOperation operation = RegistryOperation::lookup;
  RegistryCode code = RegistryCode::unavailable;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.id, self.token, self.slot, self.operation, self.code);
  }
};

struct RegistryReply {
  static constexpr MessageType kType = 201;
  static constexpr std::string_view kName = "registry_reply";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  ShardId shard{};
  LookupMode lookups = LookupMode::queue_ordered;  // the request's
  NodeId master_hint = kNoNode;                    // with not_master: the believed master
  PooledVector<RegistryResult> results{};          // in the order of the request's items

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.shard, self.lookups, self.master_hint, self.results);
  }
  void facts(trace::FactSink& sink) const {
    for (const RegistryResult& result : results) {
      sink.fact(trace::RegistryAnswer{result.id, result.token, request, result.slot,
                                      result.operation, result.code, shard, lookups});
    }
  }
};

// "What is your boundary?", to any replica of a shard.
struct BoundaryRead {
  static constexpr MessageType kType = 202;
  static constexpr std::string_view kName = "boundary_read";
  std::uint64_t request = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request);
  }
};

// The boundary as the replier has applied it: the shard's is at least that, for ever (B-62).
struct BoundaryReply {
  static constexpr MessageType kType = 203;
  static constexpr std::string_view kName = "boundary_reply";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  ShardId shard{};
  Stamp boundary{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.shard, self.boundary);
  }
};

// A process asks the incarnation registry of its datacenter for a life of its own: a number that no
// earlier life of `address` had. Granting it is durable and fences the files of all earlier lives.
struct IncarnationRequest {
  static constexpr MessageType kType = 210;
  static constexpr std::string_view kName = "incarnation_request";
  std::uint32_t address = 0;
  std::uint64_t request = 0;  // same number on retransmission: the same grant is returned

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.address, self.request);
  }
};

struct IncarnationGrant {
  static constexpr MessageType kType = 211;
  static constexpr std::string_view kName = "incarnation_grant";
  static constexpr bool kIsReply = true;
  std::uint32_t address = 0;
  std::uint64_t request = 0;
  std::uint32_t incarnation = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.address, self.request, self.incarnation);
  }
  void facts(trace::FactSink& sink) const {
    sink.fact(trace::IncarnationGranted{address, incarnation, request});
  }
};

// "Is that incarnation dead and fenced?" (F-03..F-06)
struct IncarnationQuery {
  static constexpr MessageType kType = 212;
  static constexpr std::string_view kName = "incarnation_query";
  std::uint32_t address = 0;
  std::uint32_t incarnation = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.address, self.incarnation);
  }
};

enum class Liveness : std::uint32_t { maybe_alive = 0, dead_and_fenced = 1 };

struct IncarnationAnswer {
  static constexpr MessageType kType = 213;
  static constexpr std::string_view kName = "incarnation_answer";
  static constexpr bool kIsReply = true;
  std::uint32_t address = 0;
  std::uint32_t incarnation = 0;
  Liveness liveness = Liveness::maybe_alive;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.address, self.incarnation, self.liveness);
  }
};

}  // namespace photon
