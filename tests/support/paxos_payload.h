// What an envelope of PaxosDB holds, for tests that look at messages on their way.
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
