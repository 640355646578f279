// The registry thread of one server: a FIFO queue, batches in flight, answers after the commit.
//
// Invariants:
//  * The RPC handler only appends (SPEC B-20). A batch takes the waiting operations, first come
//    first served, up to the limits; it never waits for more (B-22, B-23). How many are in flight
//    is the server's choice (B-24); they are applied in the order in which they were formed.
//  * Nothing is decided here: results come from the store while the batch is applied (B-15, B-25).
//    A read is no part of the transaction. It is answered at its place in the queue, from the state
//    after the operations before it, in its batch and in all earlier ones (B-07, B-26). Reads that
//    come first after a batch in flight are answered at its end.
//    In a request with `bypass`, look-ups do not queue: they are answered from the applied state
//    when they arrive.
//  * No definitive answer leaves before its batch is applied (B-27): replies to queued operations
//    appear in the outbox only through `finish_batch`. When mastership ends, `fail_all` answers all
//    of them with a retriable code.
//  * A repetition of a request that still waits is not queued: the one answer answers every copy.
//    Otherwise clients whose requests to a slow shard time out would make it slower for ever.
//
// Paper: Photon sections 2.1 (figure 3), 2.2.1.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/flat_map.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/slab.h"
#include "core_impl/photon/registry/id_store.h"
#include "core_impl/photon/registry/transaction.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/rpc/request_id.h"

namespace photon {

struct RegistryThreadOptions {
  std::uint32_t max_queue = 100'000;  // waiting operations; from there on: overloaded (B-31)
  std::uint32_t max_batch_operations = 4096;  // reads included (B-23)
  std::uint32_t max_batch_bytes = 1U << 20U;  // of the transaction
};

// The store after an applied slot.
struct Applied {
  const IdStore& store;
  std::uint64_t slot = 0;
};

// An operation of a request that is answered at once, with a code that is not definitive.
struct Refusal {
  std::uint32_t index = 0;
  RegistryCode code{};
};

struct OutgoingReply {
  NodeId client{};
  RegistryReply reply{};
};

class RegistryThread {
 public:
  explicit RegistryThread(const RegistryThreadOptions& options);

  // Appends the operations of a client's request, but for those refused (ascending indices);
  // without room, all others are `overloaded`. `now` is current: look-ups that bypass the queue are
  // answered from it.
  void enqueue(NodeId client, const RegistryRequest& request, const Applied& now,
               std::span<const Refusal> refused = {});
  // Appends an operation of the server's own (boundary, collection); always fits.
  void enqueue(const StoreOperation& operation);

  std::size_t queued() const { return queue_.size(); }
  // The waiting operations exceed one of the limits of a batch, or reach it.
  bool fills_batch() const;
  std::size_t in_flight() const { return batch_.size(); }  // operations in batches
  bool batch_open() const { return !sizes_.empty(); }
  // Operations answered `overloaded` so far.
  std::uint64_t overloaded() const { return overloaded_; }

  // Moves waiting operations into a batch and those to be replicated into `transaction`, in order;
  // returns how many left the queue. If reads alone were left and a batch is in flight, they have
  // joined it and there is no new batch. Requires that something waits.
  std::size_t form_batch(TransactionBuilder& transaction);

  // While the oldest batch is applied at `slot`: before each operation, after it, and at the end.
  void before_operation(const IdStore& store, std::uint64_t slot);
  void after_operation(const OperationResult& result, std::uint64_t slot);
  void finish_batch(const IdStore& store, std::uint64_t slot);

  // Everything queued and in flight is answered `code`, which is not definitive.
  void fail_all(RegistryCode code, NodeId master_hint);

  // Completed replies, in the order of completion. The caller sends and clears them.
  PooledVector<OutgoingReply>& outbox() { return outbox_; }

 private:
  struct Queued {
    StoreOperation operation{};  // operation.operation may be a read here
    std::uint64_t request = 0;   // handle in requests_; 0: the server's own
    std::uint32_t index = 0;     // of the result in the reply
  };
  struct Request {
    rpc::RequestId id{};
    std::uint32_t open = 0;  // operations without a result
    RegistryReply reply{};
  };

  // A request is admitted whole while there is room for one more operation, so that a bundle larger
  // than the queue is delayed, not starved; the queue exceeds its limit by one bundle at most.
  bool has_room() const { return queue_.size() < options_.max_queue; }
  void answer_read(const IdStore& store, const Queued& queued, std::uint64_t slot);
  void resolve(const Queued& queued, RegistryCode code, std::uint64_t slot);
  void release(std::uint64_t handle);
  void release_finished();

  RegistryThreadOptions options_;
  PooledDeque<Queued> queue_;
  std::size_t queued_changes_ = 0;  // of these: no reads
  PooledDeque<Queued> batch_;       // in flight: all batches, one after the other
  PooledDeque<std::size_t> sizes_;  // of these batches
  std::size_t cursor_ = 0;          // first operation of the oldest one without a result
  std::uint64_t overloaded_ = 0;
  Slab<Request> requests_;
  FlatMap<rpc::RequestId, std::uint64_t, rpc::RequestIdHasher> handles_;  // in requests_
  PooledVector<std::uint64_t> finished_;  // requests whose last result came with this batch
  PooledVector<OutgoingReply> outbox_;
};

}  // namespace photon
