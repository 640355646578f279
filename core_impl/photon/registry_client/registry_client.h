// The client side of the IdRegistry, embedded in a dispatcher or joiner.
//
// Invariants:
//  * An insert is retried with the very same token until a definitive code arrives, for as long as
//    the process lives (SPEC D-11, D-12): silence is neither success nor failure (B-29).
//    So are a clear and a remove: both may be repeated safely (F-09, B-16). A remove whose answer
//    was lost learns `not_found` from its repetition.
//    (`renew_tokens` breaks this on purpose, to show what tokens are worth: J-L1.)
//  * A read that is not answered before its deadline completes with `unavailable`, which is not
//    definitive; it never counts as `exists` (B-73). It is not sent after its deadline.
//  * Every operation asked completes exactly once; answers to earlier attempts count as well as
//    answers to the latest (BC-28), answers to another life of this process count nowhere.
//  * A request never spans shards (B-30, BC-27).
//  * Look-ups of lookup_mode `replica` may be answered from the past, but never from before the
//    latest slot that the same shard has answered this client with, or that the caller has
//    named (`since`).
//  * An operation whose shard is not known, because the sharding history at hand is too old for its
//    id, waits for a newer one. So does one that a server refused as the wrong shard.
//
// Use: ask with lookup/insert; call `flush` at the end of every callback in which operations were
// asked or drained. Pass it every RegistryReply and every firing of its timer, and drain `next`
// after each until it is empty. It never calls back.
//
// Bundling: the operations asked within one turn for one shard travel in one request, at once. No
// request waits for an earlier answer, so bundling costs no latency. A dispatcher that reads a
// chunk of a log sends as many messages as there are shards.
//
// Paper: Photon sections 2.2 (client-side batching), 3.3.2 (retries with the same token).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/event_id.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/registry_client/nearest_replica.h"
#include "core_impl/photon/registry_client/token_source.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/sharding/shard_map.h"
#include "core_impl/photon/sharding/sharding_client.h"
#include "core_impl/rpc/in_flight.h"
#include "core_impl/rpc/master_finder.h"
#include "core_impl/rpc/open_requests.h"
#include "core_impl/runtime/context.h"

namespace photon {

struct RegistryClientOptions {
  TimerKind timer = 0;  // a timer of the owner that the client has for itself
  ShardMap shards{};    // fixed, unless `sharding` is given
  // Where to read the sharding history, and the rules of routing with it.
  std::optional<ShardingClientOptions> sharding{};
  // Replicas of every shard that there may be; the first of a list is asked first.
  PooledVector<PooledVector<NodeId>> replicas{};
  // After this time the request is sent again; after rounds of silence later (kLongestDetour).
  Duration request_timeout = std::chrono::seconds(1);
  // The first pause after a refusal without better advice; later ones double up to request_timeout.
  Duration retry_delay = std::chrono::milliseconds(50);
  Duration lookup_deadline = std::chrono::seconds(2);  // after this a read ends as unknown
  std::uint32_t max_bundle = 1024;                     // operations in one request
  LookupMode lookup_mode = LookupMode::queue_ordered;
  // lookup_mode = replica: the replicas of every shard, the nearest first. Empty: as in `replicas`.
  PooledVector<PooledVector<NodeId>> nearest{};
};

// The same options, with the owner's timers: one for requests, one for the history.
RegistryClientOptions with_timers(RegistryClientOptions options, TimerKind requests,
                                  TimerKind sharding);

struct RegistryCompletion {
  std::uint64_t tag = 0;  // the caller's
  EventId id{};
  Token token{};  // empty for look-ups; of a read_token answered `exists` the stored one
  std::uint64_t slot = 0;
  RegistryOperation operation = RegistryOperation::lookup;
  // Definitive, unless it is a read: then also `unavailable`, unknown after lookup_deadline.
  RegistryCode code = RegistryCode::unavailable;
};

class RegistryClient {
 public:
  // Rounds of silence double the time-out of a request at most this often. So a request without an
  // answer is repeated after at most kLongestDetour times `request_timeout`.
  static constexpr std::uint32_t kMostDoublings = 4;
  static constexpr std::int64_t kLongestDetour = std::int64_t{1} << kMostDoublings;

  explicit RegistryClient(RegistryClientOptions options);

  // Each completes once, through `next`, with the same tag. Sent by the next `flush`.
  // `since`: a slot of the id's shard. To ask again for a removed id, pass the slot of the
  // removal: an older answer would report the id as existing (J-S4).
  void lookup(const EventId& id, std::uint64_t tag, std::uint64_t since = 0);
  // Requires a token that is not empty (B-45).
  void insert(const EventId& id, const Token& token, std::uint64_t tag);
  // For verification (SPEC B-06, F-08, F-12), never for a joiner: the token is the one that was
  // read, and not empty. `clear` forgets the token and keeps the id; `remove` makes the id absent.
  // Both do nothing unless exactly this token is stored.
  void clear(const EventId& id, const Token& token, std::uint64_t tag);
  void remove(const EventId& id, const Token& token, std::uint64_t tag);
  void read_token(const EventId& id, std::uint64_t tag);
  // From now on every repetition of an insert carries a token of its own, as if there were none: an
  // insert whose answer was lost takes its own effect for that of another client. Completions name
  // the token sent last. `source` must outlive the client.
  void renew_tokens(TokenSource& source) { renewed_ = &source; }
  // The shard that an insert sent now would go to; empty if the history at hand is too old.
  std::optional<ShardId> shard_of(const Context& context, const EventId& id) const;
  // The caller keeps an id whose shard is not known: the history is read again. Try again after
  // each ShardingReply.
  void need_history(Context& context) { sharding_->need(context); }
  // Sends what was asked since the last flush.
  void flush(Context& context);

  void on_reply(Context& context, NodeId from, const RegistryReply& reply);
  void on_timer(Context& context);
  // With `sharding`: its replies and its timer.
  void on_sharding(Context& context, NodeId from, const ShardingReply& reply);
  void on_sharding_timer(Context& context);

  // The next completed operation, in the order of completion.
  std::optional<RegistryCompletion> next();

  // Operations asked and not yet drained as complete: what the owner's caps bound (B-75, D-14).
  std::size_t outstanding() const {
    return outstanding_lookups_ + outstanding_inserts_ + outstanding_care_;
  }
  std::size_t outstanding_lookups() const { return outstanding_lookups_; }
  std::size_t outstanding_inserts() const { return outstanding_inserts_; }
  // Inserts last sent to that shard, also while they wait for a newer history. Operations asked
  // since the last flush are not included.
  std::size_t outstanding_inserts(ShardId shard) const { return shards_[shard.value()].inserts; }
  // At the shard that has most of them.
  std::size_t most_outstanding_inserts() const;

  // Requests without a complete answer, and groups of operations that wait for a newer history.
  std::size_t in_flight() const { return bundles_.size(); }

  // Requests sent, first attempts and repetitions.
  struct Statistics {
    std::uint64_t requests = 0;
    std::uint64_t repetitions = 0;
    std::uint64_t unknown_reads = 0;
    std::uint64_t unrouted = 0;  // operations that had to wait for a newer sharding history
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Asked {
    RegistryItem item{};
    std::uint64_t tag = 0;
    std::uint64_t since = 0;
    std::optional<ShardId> counted{};  // an insert: the shard that counts it as outstanding
    bool complete = false;
    bool wrong_shard = false;  // refused by a server that owns another part of the id space
    bool sent = false;
  };
  // One request: the operations of one turn for one shard. It lives until all are complete, and all
  // its attempts carry the same number.
  struct Bundle {
    std::optional<ShardId> shard{};                  // empty: waits for a newer sharding history
    LookupMode lookups = LookupMode::queue_ordered;  // replica: look-ups alone, for the nearest
    std::uint64_t number = 0;                        // of the request
    NodeId asked = kNoNode;  // by the latest attempt; kNoNode during a pause
    std::uint32_t incomplete = 0;
    std::uint32_t redirects = 0;  // followed at once since the last pause
    std::uint32_t pauses = 0;     // each twice as long as the one before
    std::uint32_t silences = 0;   // attempts without an answer in time
    MonotonicTime give_up_reads{};
    PooledVector<Asked> items{};
  };
  using Handle = rpc::InFlight<Bundle>::Handle;
  struct Shard {
    rpc::MasterFinder master{};
    NearestReplica nearest{};
    std::uint64_t seen = 0;   // the latest slot that an answer rested on
    std::size_t inserts = 0;  // outstanding ones
    PooledVector<Asked> pending{};
    PooledVector<Asked> pending_lookups{};  // for the nearest replica
  };
  enum class Advice : std::uint8_t { none, wait, ask_again };

  void ask(const RegistryItem& item, std::uint64_t tag, std::uint64_t since = 0);
  std::size_t& outstanding(RegistryOperation operation);
  // An insert counts for the shard that it was sent to last, until it is complete (empty: nowhere).
  void count_at(Asked& asked, std::optional<ShardId> shard);
  // Sends `asked` in bundles; operations that cannot be routed wait. Reads end at that time.
  void dispatch(Context& context, std::span<const Asked> asked, MonotonicTime give_up_reads);
  // In bundles of max_bundle at most. Leaves `pending` empty.
  void begin_all(Context& context, const Bundle& pattern, PooledVector<Asked>& pending);
  void begin(Context& context, Bundle bundle);
  void wait_for_history(Context& context, Bundle bundle);
  void route_again(Context& context, Handle handle);
  // Takes the operations with the wrong shard out of `bundle`, to be routed by a newer history.
  void reroute_wrong_shard(Context& context, Bundle& bundle);
  void send(Context& context, Handle handle);
  void repeat(Context& context, Handle handle);  // operations that are not overdue
  void end(Handle handle);
  void complete(Bundle& bundle, Asked& asked, const RegistryResult& result);
  void give_up_overdue(const Context& context, Bundle& bundle);
  // Takes over the definitive results of `reply`; returns what to do about the others.
  Advice merge(Bundle& bundle, NodeId from, const RegistryReply& reply);
  // No answer, or none that is definitive: the next replica is asked next time.
  void turn_away(Context& context, Bundle& bundle);
  // A shard that stays silent may have been removed, its ids being too old everywhere (B-58): the
  // history is read again, and if it names another shard for them, that one is asked.
  bool has_moved(Context& context, const Bundle& bundle);
  Duration time_limit(const Bundle& bundle) const;  // time limit of an attempt
  Duration pause(Bundle& bundle) const;
  MonotonicTime earliest_wake(const Bundle& bundle, MonotonicTime due) const;

  RegistryClientOptions options_;
  std::optional<ShardingClient> sharding_;
  PooledVector<Asked> asked_;  // since the last flush
  PooledVector<Shard> shards_;
  PooledVector<ShardId> asked_shards_;  // those with pending operations, in the order of asking
  PooledVector<Handle> unrouted_;       // bundles that wait for a newer history
  rpc::InFlight<Bundle> bundles_;
  rpc::OpenRequests requests_;
  PooledDeque<RegistryCompletion> completed_;
  std::size_t outstanding_lookups_ = 0;
  std::size_t outstanding_inserts_ = 0;
  std::size_t outstanding_care_ = 0;  // clear, remove, read_token
  TokenSource* renewed_ = nullptr;
  Statistics statistics_;
};

}  // namespace photon
