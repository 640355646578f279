#include "core_impl/photon/registry/registry_server.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon {
namespace {

// False for an item that no client of ours sends. It gets no answer: there is no code for it.
bool is_well_formed(const RegistryItem& item) {
  switch (item.operation) {
    case RegistryOperation::lookup:
    case RegistryOperation::read_token:
      return item.token.is_empty();
    case RegistryOperation::insert:
    case RegistryOperation::clear:
    case RegistryOperation::remove:
      return !item.token.is_empty();
    case RegistryOperation::move_boundary:
    case RegistryOperation::collect:
      break;  // the master's own
  }
  return false;
}

bool is_well_formed(const RegistryRequest& request) {
  const bool alone = request.lookups == LookupMode::replica;
  return std::ranges::all_of(request.items, [&](const RegistryItem& item) {
    return is_well_formed(item) && (!alone || item.operation == RegistryOperation::lookup);
  });
}

// To be filled in by the codes.
RegistryReply reply_to(const RegistryRequest& request) {
  RegistryReply reply;
  reply.request = request.request;
  reply.shard = request.shard;
  reply.lookups = request.lookups;
  reply.results.reserve(request.items.size());
  for (const RegistryItem& item : request.items) {
    reply.results.push_back(RegistryResult{item.id, item.token, 0, item.operation, {}});
  }
  return reply;
}

paxos::DriverOptions with_timer(paxos::DriverOptions options, TimerKind timer) {
  options.timer = timer;
  return options;
}

ShardGuardOptions with_timer(ShardGuardOptions options, TimerKind timer) {
  options.history.timer = timer;
  return options;
}

}  // namespace

RegistryServer::RegistryServer(RegistryServerOptions options)
    : options_(std::move(options)),
      store_(options_.collect_slice),
      guard_(with_timer(options_.guard, kShardingTimer), options_.consensus.config.group),
      thread_(options_.thread),
      driver_(with_timer(options_.consensus, kConsensusTimer), *this) {
  PHOTON_CHECK(options_.gc_age > Duration::zero(), "ids are remembered for some time");
  PHOTON_CHECK(options_.boundary_period > Duration::zero(),
               "moves of the boundary follow one another at some distance");
  PHOTON_CHECK(options_.collect_period > Duration::zero(),
               "collections follow one another at some distance");
  PHOTON_CHECK(options_.collect_limit > 0, "a collection removes something");
  PHOTON_CHECK(options_.linger >= Duration::zero(), "a wait has a length");
}

void RegistryServer::on_start(Context& context) { driver_.on_start(context); }

void RegistryServer::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
  work(context);
}

void RegistryServer::on_timer(Context& context, TimerKind kind) {
  if (kind == kBoundaryTimer) {
    move_boundary(context);
  } else if (kind == kCollectTimer) {
    collect(context);
  } else if (kind == kShardingTimer) {
    guard_.on_timer(context);
  } else if (kind != kLingerTimer) {
    driver_.on_timer(context, kind);
  }
  work(context);
}

void RegistryServer::on_io(Context& context, Ticket ticket, IoResult& result) {
  const bool known = driver_.on_io(context, ticket, result);
  PHOTON_CHECK(known, "only the replica's log does I/O");
  work(context);
}

void RegistryServer::on(Context& context, NodeId from, const RegistryRequest& request) {
  if (!is_well_formed(request)) {
    PHOTON_MARK("registry.request.malformed");
    return;
  }
  if (request.lookups == LookupMode::replica) return answer_as_replica(context, from, request);
  if (role_ != Role::master || !driver_.has_authority(context)) {
    PHOTON_MARK("registry.request.not_master");
    refuse(context, from, request);
    return;
  }
  if (request.lookups == LookupMode::bypass) {
    const auto lookups =
        std::ranges::count(request.items, RegistryOperation::lookup, &RegistryItem::operation);
    statistics_.aside += static_cast<std::uint64_t>(lookups);
  }
  thread_.enqueue(from, request, Applied{store_, driver_.applied_slot()},
                  refusals(context, request));
}

std::span<const Refusal> RegistryServer::refusals(Context& context,
                                                  const RegistryRequest& request) {
  refusals_.clear();
  std::span<const std::uint32_t> foreign = guard_.foreign(context, request);
  const Stamp present = stamp_from(context.true_time().latest);
  for (std::uint32_t index = 0; index < request.items.size(); ++index) {
    const RegistryItem& item = request.items[index];
    if (!foreign.empty() && foreign.front() == index) {
      foreign = foreign.subspan(1);
      PHOTON_MARK("registry.request.foreign_id");
      refusals_.push_back({index, RegistryCode::wrong_shard});
      continue;
    }
    const Duration ahead = between(present, item.id.stamp);
    PHOTON_LIMIT("registry.request.skew", ahead, options_.skew_bound);
    if (item.operation != RegistryOperation::insert || ahead <= options_.skew_bound) continue;
    PHOTON_MARK("registry.request.future_id");
    ++statistics_.future;
    const bool rejected = options_.future_ids == FutureIds::rejected;
    context.decide(trace::FutureInsert{item.id, item.token, ahead.count(), shard(), rejected});
    if (rejected) {
      PHOTON_MARK("registry.request.future_id_rejected");
      refusals_.push_back({index, RegistryCode::future});
    }
  }
  return refusals_;
}

// Perhaps from the past, which the client accepts, but not from before the slot that it has
// seen already.
void RegistryServer::answer_as_replica(Context& context, NodeId client,
                                       const RegistryRequest& request) {
  RegistryReply reply = reply_to(request);
  const std::uint64_t slot = driver_.applied_slot();
  PHOTON_LIMIT("registry.replica.slot", slot, request.at_least);
  const bool able = driver_.health() == paxos::Health::working && slot >= request.at_least;
  if (able) {
    for (RegistryResult& result : reply.results) {
      result.code = store_.lookup(result.id);
      result.slot = slot;
    }
    for (const std::uint32_t index : guard_.foreign(context, request)) {
      PHOTON_CHECK(index < reply.results.size(), "a refused id is one of the request");
      PHOTON_MARK("registry.replica.foreign_id");
      reply.results[index].code = RegistryCode::wrong_shard;
      reply.results[index].slot = 0;
    }
    statistics_.aside += request.items.size();
  } else {
    PHOTON_MARK("registry.replica.lags");
    for (RegistryResult& result : reply.results) result.code = RegistryCode::unavailable;
  }
  context.send(client, Body::make(std::move(reply)));
}

void RegistryServer::refuse(Context& context, NodeId client, const RegistryRequest& request) {
  ++statistics_.refused;
  RegistryReply reply = reply_to(request);
  reply.master_hint = driver_.master_hint();
  for (RegistryResult& result : reply.results) result.code = RegistryCode::not_master;
  context.send(client, Body::make(std::move(reply)));
}

void RegistryServer::work(Context& context) {
  send_replies(context);
  if (role_ != Role::master) return;
  start_batches(context);
  send_replies(context);  // of reads that needed no transaction, refusals of a full queue
}

// If not, a later event of the driver calls this again.
bool RegistryServer::may_start_batch(const Context& context) const {
  return open_.size() < options_.consensus.config.pipeline_depth && driver_.can_propose(context);
}

// The operation that finds the queue empty begins the wait. It ends for all that are queued by
// then, at once if they fill a batch.
bool RegistryServer::lingers(Context& context) {
  if (options_.linger == Duration::zero()) return false;
  if (!linger_until_) {
    linger_until_ = context.now() + options_.linger;
    context.set_timer(kLingerTimer, *linger_until_);
  }
  return context.now() < *linger_until_ && !thread_.fills_batch();
}

void RegistryServer::start_batches(Context& context) {
  while (thread_.queued() > 0 && !lingers(context) && may_start_batch(context)) {
    statistics_.operations += thread_.form_batch(builder_);
    if (thread_.queued() == 0) linger_until_.reset();
    const std::uint32_t operations = builder_.operations();
    if (operations == 0 && !open_.empty()) {
      PHOTON_MARK("registry.batch.reads_join_flight");
      continue;  // reads, answered after the batch in flight
    }
    if (operations == 0) {
      PHOTON_MARK("registry.batch.reads_alone");
      // Reads alone change nothing: the lease, valid now, makes the store's answer current.
      thread_.finish_batch(store_, driver_.applied_slot());
      continue;
    }
    const auto bytes = narrow<std::uint32_t>(builder_.bytes());
    const std::uint32_t bytes_max = options_.thread.max_batch_bytes;
    const TransactionHeader header{context.self(), context.incarnation(), ++proposals_, 0};
    const paxos::Slot slot = driver_.propose(context, builder_.finish(header));
    PHOTON_CHECK(slot != 0, "a master with an open pipeline may propose");
    PHOTON_CHECK(open_.empty() || open_.back().slot < slot, "the slots of open batches grow");
    open_.push_back({slot, proposals_, bytes + kInsertBytes > bytes_max ? bytes_max : bytes});
    ++statistics_.transactions;
    context.decide(
        trace::BatchProposed{slot, operations, narrow<std::uint32_t>(thread_.queued()), shard()});
  }
}

void RegistryServer::report_use(UseSink& sink) const {
  const std::uint64_t depth = options_.consensus.config.pipeline_depth;
  sink.use({trace::Resource::registry_queue, thread_.queued(), options_.thread.max_queue, 0});
  sink.use({trace::Resource::registry_transactions, open_.size(), depth, thread_.queued()});
  sink.use({trace::Resource::registry_batch, thread_.in_flight(),
            depth * options_.thread.max_batch_operations, thread_.queued()});
  std::uint64_t bytes = 0;
  for (const Proposal& proposal : open_) bytes += proposal.bytes;
  sink.use({trace::Resource::registry_batch_bytes, bytes, depth * options_.thread.max_batch_bytes,
            thread_.queued()});
}

// If the process was held up, its lease may have ended meanwhile: then it does not answer as master
// any more, not even about applied operations (J-S7). The client asks again.
void RegistryServer::send_replies(Context& context) {
  const bool entitled = driver_.has_authority(context);
  for (OutgoingReply& outgoing : thread_.outbox()) {
    if (!entitled) {
      PHOTON_MARK("registry.reply.lease_over");
      for (RegistryResult& result : outgoing.reply.results) {
        result.code = RegistryCode::not_master;
        result.slot = 0;
      }
    }
    context.send(outgoing.client, Body::make(std::move(outgoing.reply)));
  }
  thread_.outbox().clear();
}

std::uint32_t RegistryServer::apply(Context& context, paxos::Slot slot,
                                    std::span<const std::byte> command) {
  if (command.empty()) {
    PHOTON_MARK("registry.apply.no_op");
    return 0;
  }
  TransactionReader transaction(command);
  PHOTON_CHECK(role_ == Role::master || open_.empty(), "only a master has batches open");
  PHOTON_CHECK(open_.empty() || slot <= open_.front().slot,
               "batches are applied in the order of their slots");
  const bool mine = !open_.empty() && slot == open_.front().slot;
  PHOTON_CHECK(!mine || (transaction.header().proposer == context.self() &&
                         transaction.header().life == context.incarnation() &&
                         transaction.header().number == open_.front().number),
               "a slot proposed in an unbroken mastership holds what was proposed");
  const std::uint32_t operations = transaction.header().operations;
  for (std::uint32_t index = 0; index < operations; ++index) {
    if (mine) thread_.before_operation(store_, slot);
    const auto operation = transaction.next();
    const OperationResult result = store_.apply(*operation);
    trace::OperationApplied applied{};
    applied.slot = slot;
    applied.index = index;
    applied.code = result.code;
    applied.fresh = result.freshness == Freshness::fresh ? 1 : 0;
    trace_applied(context, *operation, applied);
    if (!mine) continue;
    thread_.after_operation(result, slot);
    own_work_done(context, operation->operation);
  }
  PHOTON_CHECK(!transaction.next().has_value(), "every operation was applied");
  if (mine) {
    thread_.finish_batch(store_, slot);
    open_.pop_front();
  }
  return operations;
}

void RegistryServer::trace_applied(Context& context, const StoreOperation& operation,
                                   trace::OperationApplied applied) {
  applied.id = operation.id;
  applied.token = operation.token;
  applied.operation = operation.operation;
  applied.shard = shard();
  if (operation.operation == RegistryOperation::move_boundary) {
    context.decide(trace::BoundaryMoved{applied.slot, store_.boundary(), shard()});
  }
  if (operation.operation != RegistryOperation::collect) {
    context.decide(applied);
    return;
  }
  // One record per id, all with the operation's index: the trace names every removed id.
  for (const EventId& id : store_.collected()) {
    applied.id = id;
    context.decide(applied);
  }
}

void RegistryServer::own_work_done(Context& context, RegistryOperation operation) {
  if (operation == RegistryOperation::move_boundary) boundary_queued_ = Queued::no;
  if (operation == RegistryOperation::collect) {
    collection_queued_ = Queued::no;
    collect(context);  // the rest, after all requests that wait by now
  }
}

void RegistryServer::became_master(Context& context, paxos::Ballot /*ballot*/,
                                   paxos::Slot /*applied*/) {
  PHOTON_CHECK(thread_.queued() == 0, "a follower queues nothing");
  PHOTON_CHECK(role_ == Role::follower, "mastership is gained by a follower");
  PHOTON_CHECK(open_.empty(), "a follower has no batch open");
  role_ = Role::master;
  move_boundary(context);
  collect(context);
}

void RegistryServer::lost_mastership(Context& context) {
  if (!open_.empty()) PHOTON_MARK("registry.master.lost_with_batches");
  role_ = Role::follower;
  open_.clear();
  boundary_queued_ = Queued::no;
  collection_queued_ = Queued::no;
  context.cancel_timer(kBoundaryTimer);
  context.cancel_timer(kCollectTimer);
  context.cancel_timer(kLingerTimer);
  linger_until_.reset();
  thread_.fail_all(RegistryCode::not_master, driver_.master_hint());
}

void RegistryServer::move_boundary(Context& context) {
  if (role_ != Role::master) return;
  const Stamp proposed = stamp_from(context.true_time().earliest) - options_.gc_age;
  PHOTON_LIMIT("registry.boundary.move", proposed, store_.boundary());
  // One at a time: while the shard cannot commit, moves do not pile up.
  if (proposed > store_.boundary() && boundary_queued_ == Queued::no) {
    boundary_queued_ = Queued::yes;
    thread_.enqueue(
        StoreOperation{.operation = RegistryOperation::move_boundary, .boundary = proposed});
  } else if (boundary_queued_ == Queued::yes) {
    PHOTON_MARK("registry.boundary.still_queued");
  }
  context.set_timer(kBoundaryTimer, context.now() + options_.boundary_period);
}

void RegistryServer::collect(Context& context) {
  if (role_ != Role::master) return;
  if (collection_queued_ == Queued::yes) PHOTON_MARK("registry.collect.still_queued");
  if (store_.has_garbage() && collection_queued_ == Queued::no) {
    collection_queued_ = Queued::yes;
    PHOTON_MARK("registry.collect.begins");
    ++statistics_.collections;
    thread_.enqueue(
        StoreOperation{.operation = RegistryOperation::collect, .limit = options_.collect_limit});
  }
  context.set_timer(kCollectTimer, context.now() + options_.collect_period);
}

}  // namespace photon
