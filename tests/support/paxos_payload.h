// The payload of an envelope of PaxosDB, for tests that inspect messages in flight.
#pragma once

#include <variant>

#include "core_impl/paxos/messages.h"

namespace photon::testing {

// Null if the body is no envelope, or holds something else.
template <class M>
const M* payload_in(const Body& body) {
  if (body.type() != paxos::Envelope::kType) return nullptr;
  return std::get_if<M>(&body.as<paxos::Envelope>().payload);
}

}  // namespace photon::testing
