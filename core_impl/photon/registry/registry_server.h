// One replica of one registry shard: the Node around PaxosDB, the store and the registry thread.
//
// Invariants:
//  * Only a replica that holds authority queues requests; every other one answers `not_master` at
//    once, with a hint. `bypass` look-ups do not queue, under the same authority. `replica`
//    look-ups are answered at once from what this replica has applied. Authority is asked for again
//    whenever a batch is formed, so a batch of reads alone is answered from the store only under a
//    valid lease (SPEC B-07, B-14).
//  * An answer depends on a batch that this replica has applied (B-27); it leaves after the trace
//    has seen the slot applied. Losing mastership answers everything waiting with `not_master`.
//  * The store is written by `apply` and `restore` alone, on master and followers alike (B-15). It
//    is volatile: after a restart PaxosDB restores the latest snapshot and applies the rest again.
//  * The master moves the boundary to TT.earliest - N every boundary_period (B-63) and proposes
//    bounded collections of ids below it (B-64, B-69), through the same queue as all requests.
//
// Paper: Photon sections 2.1 (figures 3 and 4), 2.2.1, 2.3.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/paxos/messages.h"
#include "core_impl/paxos/replica_driver.h"
#include "core_impl/paxos/state_machine.h"
#include "core_impl/photon/registry/id_store.h"
#include "core_impl/photon/registry/registry_thread.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/sharding/shard_guard.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/rounds.h"

namespace photon {

enum class FutureIds : std::uint8_t { counted, rejected };

struct RegistryServerOptions {
  paxos::DriverOptions consensus{};  // its timer is chosen by the server; config.group is the shard
  ShardGuardOptions guard{};         // what this shard accepts; its timer is the server's choice
  RegistryThreadOptions thread{};
  // How long the first operation in the queue waits for others before a batch that is not full is
  // formed. The paper does not wait (section 2.2.1, B-22): 0.
  Duration linger = Duration::zero();
  Duration gc_age = std::chrono::hours(72);  // N: ids older than this are too old
  Duration boundary_period = std::chrono::seconds(30);
  Duration collect_period = std::chrono::seconds(60);
  Duration collect_slice = std::chrono::seconds(10);  // IdStore's bucket
  std::uint32_t collect_limit = 1000;                 // ids removed by one transaction
  // S: an id whose stamp lies further ahead of TT.latest is from the future: no clock within its
  // bound gave it (B-60f). Its insert is counted and traced, and refused if so configured.
  Duration skew_bound = std::chrono::seconds(2);
  FutureIds future_ids = FutureIds::counted;
};

class RegistryServer final : public Node, public Rounds, private paxos::StateMachine {
 public:
  using Inbox = paxos::ReplicaDriver::Inbox::And<RegistryRequest, BoundaryRead, ShardingReply>;

  explicit RegistryServer(RegistryServerOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void report_use(UseSink& sink) const override;
  Rounds* rounds() override { return this; }

  std::optional<Next> next_round() const override {
    const bool idle = role_ == Role::master && thread_.queued() == 0 && open_.empty();
    return idle ? driver_.next_round() : std::nullopt;
  }
  bool follows(NodeId leader) const override { return driver_.follows(leader); }
  void rounds_passed(Duration time) override { driver_.rounds_passed(time); }

  void on(Context& context, NodeId from, const RegistryRequest& request);
  void on(Context& context, NodeId from, const BoundaryRead& read) {
    context.send(from, Body::make(BoundaryReply{read.request, shard(), store_.boundary()}));
  }
  void on(Context& context, NodeId from, const ShardingReply& reply) {
    guard_.on_reply(context, from, reply);
  }
  void on(Context& context, NodeId from, const paxos::Envelope& message) {
    driver_.on(context, from, message);
  }

  // For reports and tests.
  const IdStore& store() const { return store_; }
  const paxos::ReplicaDriver& driver() const { return driver_; }
  struct Statistics {
    std::uint64_t transactions = 0;  // proposed, the server's own work included
    std::uint64_t operations = 0;    // of clients, in batches
    std::uint64_t collections = 0;   // transactions' collect operations proposed
    std::uint64_t refused = 0;       // requests answered not_master
    std::uint64_t aside = 0;         // look-ups answered without the queue: bypass, replica
    std::uint64_t future = 0;        // inserts of ids from the future, repetitions included
  };
  const Statistics& statistics() const { return statistics_; }
  std::uint64_t overloaded() const { return thread_.overloaded(); }

 private:
  enum : TimerKind {
    kConsensusTimer = 0,
    kBoundaryTimer = 1,
    kCollectTimer = 2,
    kShardingTimer = 3,
    kLingerTimer = 4
  };
  enum class Role : std::uint8_t { follower, master };

  std::uint32_t apply(Context& context, paxos::Slot slot,
                      std::span<const std::byte> command) override;
  std::uint64_t state_hash() const override { return store_.state_hash(); }
  void snapshot(Bytes& out) const override { store_.snapshot(out); }
  bool restore(Context&, paxos::Slot, std::span<const std::byte> snapshot) override {
    return store_.restore(snapshot);
  }
  void became_master(Context& context, paxos::Ballot ballot, paxos::Slot applied) override;
  void lost_mastership(Context& context) override;

  // Ends every callback: sends the answers, starts the next batch, sends again.
  void work(Context& context);
  bool may_start_batch(const Context& context) const;
  // Whether the queue waits for more operations; sets the timer that ends the wait.
  bool lingers(Context& context);
  void start_batches(Context& context);
  void send_replies(Context& context);
  void refuse(Context& context, NodeId client, const RegistryRequest& request);
  // The operations of a request that the queue does not take. Valid until the next call.
  std::span<const Refusal> refusals(Context& context, const RegistryRequest& request);
  void answer_as_replica(Context& context, NodeId client, const RegistryRequest& request);
  // `applied` names slot, index and outcome.
  void trace_applied(Context& context, const StoreOperation& operation,
                     trace::OperationApplied applied);
  void own_work_done(Context& context, RegistryOperation operation);
  void move_boundary(Context& context);
  void collect(Context& context);
  ShardId shard() const { return options_.consensus.config.group; }

  RegistryServerOptions options_;
  IdStore store_;
  ShardGuard guard_;
  RegistryThread thread_;
  TransactionBuilder builder_;
  paxos::ReplicaDriver driver_;
  Role role_ = Role::follower;
  struct Proposal {
    paxos::Slot slot = 0;
    std::uint64_t number = 0;
    // Of the transaction; the whole limit where no more operation had room.
    std::uint32_t bytes = 0;
  };
  PooledDeque<Proposal> open_{};  // batches that are being replicated, the oldest first
  std::uint64_t proposals_ = 0;   // of this life
  // End of the wait of the operations in the queue; nothing: the queue is empty.
  std::optional<MonotonicTime> linger_until_{};
  PooledVector<Refusal> refusals_{};
  enum class Queued : std::uint8_t { no, yes };  // the server's own operations: one of each kind
  Queued boundary_queued_ = Queued::no;
  Queued collection_queued_ = Queued::no;
  Statistics statistics_;
};

}  // namespace photon
