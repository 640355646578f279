#include "core_impl/paxos/snapshot_fetcher.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/mark.h"

namespace photon::paxos {
namespace {

// Numbers of unanswered requests after which another sender may replace this one, and after which
// the same sender is started with again.
constexpr std::uint32_t kHalted = 2;
constexpr std::uint32_t kGivenUp = 10;

}  // namespace

void SnapshotFetcher::offered(const Offered& offer, MonotonicTime now) {
  PHOTON_CHECK(offer.from != kNoReplica && offer.through != 0,
               "an offer names its sender and its slot");
  if (transfer_) {
    const std::uint32_t most_unanswered = transfer_->from == offer.from ? kGivenUp : kHalted;
    if (transfer_->unanswered < most_unanswered) {
      PHOTON_MARK("paxos.fetch.goes_on");
      return;
    }
  }
  transfer_ = Transfer{offer.from, offer.through, 0, 0, {}, now, 0};
}

bool SnapshotFetcher::on_chunk(ReplicaIndex from, const SnapshotChunk& chunk, MonotonicTime now) {
  if (!transfer_ || transfer_->from != from || chunk.bytes.empty()) {
    PHOTON_MARK("paxos.fetch.stale_chunk");
    return false;
  }
  Transfer& transfer = *transfer_;
  const bool same = transfer.total != 0 && chunk.through == transfer.through &&
                    chunk.total == transfer.total && chunk.checksum == transfer.checksum;
  if (!same) {
    // The first piece, or that of a newer snapshot. An older one can only be a late answer.
    if (chunk.offset != 0 || chunk.through < transfer.through) {
      PHOTON_MARK("paxos.fetch.older_snapshot");
      return false;
    }
    if (transfer.total != 0) PHOTON_MARK("paxos.fetch.snapshot_changed");
    transfer.through = chunk.through;
    transfer.total = chunk.total;
    transfer.checksum = chunk.checksum;
    transfer.bytes.clear();
  }
  if (chunk.offset != transfer.bytes.size()) {
    PHOTON_MARK("paxos.fetch.chunk_twice");
    return false;  // came twice
  }
  append_bytes(chunk.bytes, transfer.bytes);
  transfer.unanswered = 0;
  transfer.due = now;
  if (transfer.bytes.size() < transfer.total) return false;
  if (hash_bytes(transfer.bytes) == transfer.checksum) return true;
  PHOTON_MARK("paxos.fetch.checksum_wrong");
  transfer_.reset();  // the next offer begins again
  return false;
}

Bytes SnapshotFetcher::take() {
  PHOTON_CHECK(transfer_ && transfer_->bytes.size() == transfer_->total, "a complete snapshot");
  Bytes bytes = std::move(transfer_->bytes);
  transfer_.reset();
  return bytes;
}

std::optional<SnapshotFetcher::Question> SnapshotFetcher::next_question(MonotonicTime now) {
  if (!transfer_ || now < transfer_->due) return std::nullopt;
  transfer_->due = now + timeout_;
  if (transfer_->unanswered > 0) PHOTON_MARK("paxos.fetch.asks_again");
  ++transfer_->unanswered;
  return Question{transfer_->from,
                  SnapshotFetch{group_, transfer_->through, transfer_->bytes.size()}};
}

}  // namespace photon::paxos
