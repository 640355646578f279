// What a joiner writes: joined records, and marks of clicks that it gave up as unjoinable.
//
// Layout. Both kinds of file are sequences of frames (base/record_codec.h); a frame's body is the
// codec's encoding (little-endian, fixed width) of one JoinedRecord or UnjoinableRecord.
//
//   JoinedRecord body:  click id 16 | query id 16 | token 16 | payload size 4 | payload
//   id:                 server u32 | process u32 | stamp i64
//   token:              address u32 | incarnation u32 | sequence u64
//   payload (combine):  click size u32 | click payload | query size u32 | query payload
//
// joined_hash is XXH3-64 (photon::hash_bytes, seed 0) over
//   click id 16 | query id 16 | payload
// with the encodings above. It covers everything a right join depends on, it is computable from the
// bytes written, and the lengths inside make the encoding unambiguous (J-S15).
//
// Paper: Photon section 1.1, 3.3; SPEC A-02, D-06, D-16, C-23, J-S15.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/event_id.h"
#include "core_impl/trace/record.h"

namespace photon {

struct JoinedRecord {
  EventId click;
  EventId query;
  Token token;  // of the attempt that registered the click
  Bytes payload{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click, self.query, self.token, self.payload);
  }
};

// A click that this datacenter's pipeline no longer tries to join. It is not registered: another
// datacenter may still join it (C-23).
struct UnjoinableRecord {
  EventId click;
  std::uint32_t attempts = 0;  // earlier attempts

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.click, self.attempts);
  }
};

// Appends the payload layout above to `out`.
void combine_payloads(std::span<const std::byte> click_payload,
                      std::span<const std::byte> query_payload, Bytes& out);

// Of a joined record with this payload.
std::uint64_t joined_hash(const EventId& click, const EventId& query,
                          std::span<const std::byte> joined_payload);

// States the facts of every complete record in bytes written to an output or unjoinable file:
// OutputRecord, UnjoinableLogged. Stops at the first incomplete or damaged record.
void output_facts(std::span<const std::byte> bytes, trace::FactSink& sink);
void unjoinable_facts(std::span<const std::byte> bytes, trace::FactSink& sink);

}  // namespace photon
