// Asks the auditors of all datacenters whether clicks are in the output.
//
// A click is present if one auditor has seen it; it is absent only if every auditor answers so. A
// silent datacenter leaves the question open (SPEC F-07): one that is down may hold the record. So
// does one that does not know yet. An auditor that will never know decides only after all of these.
//
// Usage: ask or prove, `flush` at the end of the callback; pass it every OutputReply and its timer,
// and after each drain `next` until empty. Every question is answered once.
//
// Paper: Photon section 3.3.3; SPEC F-02, F-06, F-07.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/verification/verification_messages.h"
#include "core_impl/rpc/in_flight.h"
#include "core_impl/rpc/open_requests.h"

namespace photon {

struct OutputWitnessesOptions {
  TimerKind timer = 0;                         // of the owner, for this object alone
  PooledVector<NodeId> auditors{};             // of all datacenters with output; at least one
  Duration timeout = std::chrono::seconds(5);  // without a reply, and without progress
};

class OutputWitnesses {
 public:
  struct Outcome {
    std::uint64_t tag = 0;
    Presence presence = Presence::unknown;
  };

  explicit OutputWitnesses(OutputWitnessesOptions options);

  // Among what the auditors have read so far?
  void ask(const EventId& click, std::uint64_t tag) { add(OutputOwner{}, click, tag); }
  // In the file of that life? `absent` lasts only if that life is dead and fenced.
  void prove(const EventId& click, const Token& owner, std::uint64_t tag) {
    add(OutputOwner{owner.address, owner.incarnation}, click, tag);
  }
  // Sends what was asked since the last flush: one query for each owner.
  void flush(Context& context);

  void on_reply(NodeId from, const OutputReply& reply);
  // An auditor is still reading: the time-out of the question starts again.
  void on_progress(Context& context, const OutputProgress& progress);
  void on_timer(Context& context);
  std::optional<Outcome> next();

 private:
  struct Question {
    OutputQuery query{};
    PooledVector<std::uint64_t> tags{};
    PooledVector<Presence> found{};  // the deciding one among the answers so far
    PooledVector<NodeId> silent{};   // have not answered
  };
  using Handle = rpc::InFlight<Question>::Handle;

  void add(OutputOwner owner, const EventId& click, std::uint64_t tag);
  void await_replies(Context& context, Handle handle);
  void conclude(Handle handle);

  OutputWitnessesOptions options_;
  PooledVector<Question> asked_;  // since the last flush, by owner
  rpc::InFlight<Question> questions_;
  rpc::OpenRequests requests_;
  PooledDeque<Outcome> outcomes_;
};

}  // namespace photon
