// A request as its server knows it: by the process it came from and that process's number for it.
//
// Clients number their requests with OpenRequests, so a request that is known already is a
// duplicate made by the network, or a retry of the client.
#pragma once

#include <cstdint>

#include "core_impl/base/hash.h"
#include "core_impl/base/strong_id.h"

namespace photon::rpc {

struct RequestId {
  NodeId from = kNoNode;
  std::uint64_t number = 0;

  friend bool operator==(const RequestId&, const RequestId&) = default;
};

struct RequestIdHasher {
  using is_avalanching = void;
  std::uint64_t operator()(const RequestId& id) const {
    return combine(mix(id.from.value()), id.number);
  }
};

}  // namespace photon::rpc
