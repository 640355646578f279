// A record of the trace with the event that it names: what ledgers and oracles are given.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/evidence/evidence.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

// The event is resolved once: the click's index in the evidence, or for query_answer that missed
// the query's. kNoIndex if the record names none, and where no reader needs it: for registry_ask
// delivered and for operation_applied that repeats what another replica did.
struct Fact {
  const trace::Record& record;
  std::uint32_t event = kNoIndex;
  // Of a recalled record (trace::Recalled): when it really happened.
  SimTime moment = SimTime::max();

  SimTime at() const { return std::min(moment, record.header.at); }
  const trace::Header& header() const { return record.header; }
  trace::Source source() const { return record.header.source; }
  template <class Payload>
  const Payload& as() const {
    return record.as<Payload>();
  }
};

}  // namespace photon::analysis
