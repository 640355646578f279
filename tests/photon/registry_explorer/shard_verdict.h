// The judge of one state of the explorer (registry_explorer.h).
//
// It knows messages, disks (as acceptances), the decisions of the trace and the replies, and
// nothing of the servers' variables. What is chosen it counts itself (tests/paxos/ledger.h); what
// the chosen transactions mean it computes with a model of its own, a map from ids to tokens; their
// bytes it reads by the layout in transaction.h.
//   J-S3   no replica applies two fresh inserts of an id, and no two tokens are answered `inserted`
//   J-S4   the replies, with the order of requests and replies in time, agree with some order in
//          which the operations took effect one by one, a request without a definitive reply at any
//          time after it was asked, or never
//   J-S6   what a replica applies is chosen, and has the model's outcome
//   J-S13  a definitive reply rests on a slot that is chosen, with every slot before it, and that
//          its sender has applied; that slot holds the operation, with the outcome in the reply
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/photon/registry_explorer/explored_server.h"

namespace photon::testing {

// A request as the clients saw it.
struct Asked {
  bool asked = false;
  std::uint32_t answered_before = 0;  // requests with a reply when this one was asked, as bits
  const SentReply* reply = nullptr;
};

struct ShardState {
  std::vector<const Flying*> messages;  // ever sent
  std::array<const ServerEvidence*, kExplored> servers{};
  std::array<Asked, kMaxRequests> requests{};
};

struct ShardVerdict {
  std::string violation;   // the first one
  std::size_t chosen = 0;  // slots
};

ShardVerdict judge_shard(const ShardBounds& bounds, const ShardState& state);

// J-S4 alone: false if no order explains the replies.
bool is_linearizable(const ShardBounds& bounds, std::span<const Asked> requests);

}  // namespace photon::testing
