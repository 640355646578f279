// Every message type of the program, in one place. The round-trip test fails if a header under
// core_impl/ declares a type number that is missing here.
#pragma once

#include "core_impl/paxos/messages.h"
#include "core_impl/photon/output_copies/copy_messages.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/sharding/sharding_messages.h"
#include "core_impl/photon/verification/verification_messages.h"

namespace photon::testing {

template <class... Messages>
struct MessageList {
  // Calls visit.template operator()<M>() for every message type M.
  template <class Visitor>
  static void for_each(Visitor&& visit) {
    (visit.template operator()<Messages>(), ...);
  }
};

using AllMessages =
    MessageList<paxos::Envelope, RegistryRequest, RegistryReply, IncarnationRequest,
                IncarnationGrant, IncarnationQuery, IncarnationAnswer, BoundaryRead, BoundaryReply,
                ShardingRead, ShardingChange, ShardingForget, ShardingReply, JoinRequest,
                JoinGroupRequest, JoinReply, QueryRequest, QueryReply, QueryProgress, CacheFill,
                MapPut, MapPutDone, OutputQuery, OutputReply, OutputProgress, AttemptQuery,
                AttemptOver, CopyPiece, CopyAck>;

}  // namespace photon::testing
