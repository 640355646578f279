// Messages between verifiers and the auditors of the datacenters. Those between verifiers and
// joiners are in pipeline_messages.h.
//
// Paper: Photon section 3.3.3; SPEC F-02, F-04, F-06, F-07.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/runtime/body.h"
#include "core_impl/trace/pipeline.h"

namespace photon {

// The file to read. Without an owner: none, the auditor answers from its memory.
struct OutputOwner {
  std::uint32_t address = 0;      // of the joiner
  std::uint32_t incarnation = 0;  // its life; 0: no owner named

  friend auto operator<=>(const OutputOwner&, const OutputOwner&) = default;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.address, self.incarnation);
  }
};

// "Are these clicks in the output of your datacenter?" With an owner the auditor reads the whole
// file of that life after it was asked, so its answer covers all that was written before.
struct OutputQuery {
  static constexpr MessageType kType = 330;
  static constexpr std::string_view kName = "output_query";
  std::uint64_t request = 0;
  OutputOwner owner{};
  PooledVector<EventId> clicks{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.owner, self.clicks);
  }
  void facts(trace::FactSink& sink) const {
    std::uint32_t place = 0;
    for (const EventId& click : clicks) {
      sink.fact(
          trace::OutputAsk{click, request, NodeId(owner.address), owner.incarnation, place++});
    }
  }
};

using trace::Presence;

struct OutputReply {
  static constexpr MessageType kType = 331;
  static constexpr std::string_view kName = "output_reply";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  PooledVector<Presence> presences{};  // in the order of the clicks asked for

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.presences);
  }
  void facts(trace::FactSink& sink) const {
    std::uint32_t place = 0;
    for (const Presence presence : presences) {
      sink.fact(trace::OutputAnswer{request, place++, presence});
    }
  }
};

// Auditor to verifier, for each part of a file that it has read: the search continues. Reading a
// file may take longer than the verifier's time-out.
struct OutputProgress {
  static constexpr MessageType kType = 334;
  static constexpr std::string_view kName = "output_progress";
  std::uint64_t request = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request);
  }
};

}  // namespace photon
