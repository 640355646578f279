// Fetches the snapshot of another replica, piece by piece.
//
// The receiver asks; the sender answers from its file and keeps no state. A lost request or answer
// is repaired by asking again after a time-out. If the sender has replaced its snapshot meanwhile,
// its answer names the new one, and the receiver starts again with that. One transfer at a time; an
// offer of another replica replaces a transfer that has come to a halt.
//
// The received file is checked as a whole, here by the checksum that every piece names and then by
// decode_snapshot; the snapshot is a fact about a chosen prefix, from any sender.
//
// SPEC B-18.
#pragma once

#include <optional>

#include "core_impl/base/check.h"
#include "core_impl/paxos/replica.h"

namespace photon::paxos {

class SnapshotFetcher {
 public:
  SnapshotFetcher(ShardId group, Duration timeout) : group_(group), timeout_(timeout) {
    PHOTON_CHECK(timeout_ > Duration::zero(), "a piece takes time to arrive");
  }

  // `offer.from` has the snapshot that this replica lacks.
  void offered(const Offered& offer, MonotonicTime now);
  // True if the snapshot is complete: take it.
  bool on_chunk(ReplicaIndex from, const SnapshotChunk& chunk, MonotonicTime now);
  Bytes take();

  struct Question {
    ReplicaIndex to = kNoReplica;
    SnapshotFetch fetch{};
  };
  // The request that is due, if one is. Repeating it is not due before the time-out.
  std::optional<Question> next_question(MonotonicTime now);
  MonotonicTime due() const { return transfer_ ? transfer_->due : MonotonicTime::max(); }

 private:
  struct Transfer {
    ReplicaIndex from = kNoReplica;
    Slot through = 0;
    std::uint64_t total = 0;     // 0: nothing has arrived
    std::uint64_t checksum = 0;  // of the whole
    Bytes bytes{};
    MonotonicTime due{};
    std::uint32_t unanswered = 0;  // requests since the last piece
  };

  ShardId group_;
  Duration timeout_;
  std::optional<Transfer> transfer_{};
};

}  // namespace photon::paxos
