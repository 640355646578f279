// The joiner: finds the query of a click, lets the adapter join them, registers the click with a
// token of its own, and only then writes the joined record.
//
// An attempt belongs to this joiner, not to the request that began it: a registration that was sent
// is completed whatever happens to the dispatcher (D-13). Stages of an attempt:
//   finding      the EventStore is asked
//   waiting      found; the window is full, or its shard is not known yet and shards have a cap
//   registering  the registry is asked with this attempt's token, until a definitive answer
//   writing      registered; the record is being written to the output, repeated until durable
//   marking      given up as unjoinable; the mark is being written to the unjoinable log
// The window (D-15) holds the attempts that register or write: exactly those that a crash can lose.
//
// Invariants:
//  * registration strictly precedes output: a record is added to the output only on `inserted` for
//    the attempt's own token (D-07, J-S2), and once (D-17);
//  * a success is answered only after what it claims is durable (D-19);
//  * in flight <= max_in_flight, registrations <= max_outstanding_registry, those of one shard <=
//    max_outstanding_per_shard, window <= max_window. A registration that a server refused as the
//    wrong shard is counted in addition at the shard that a newer history names: it is repeated
//    until it is answered (D-12);
//  * the output file is this life's own; after `fenced` nothing is written or answered (F-06).
//
// A verifier that finds a token of this life in the registry and no record in the output asks
// whether that attempt is over. It is over if this joiner has no attempt for that click: only
// attempts write, and an ended one never returns. Then the attempt was refused, and a copy of its
// insert arrived late, after its id had been removed from the owner: the registry names an owner
// that will never write. With the joiner's answer the verifier can take the id from it while it
// lives (verifier.h). An answer costs a walk through all attempts, up to max_in_flight. Questions
// are few, one per check of a click that is registered and not written; an index of attempts by
// click would burden every request.
//
// After on_stop it accepts no request and registers nothing more. It finishes the attempts in the
// window; then nothing is lost with it (D-23).
//
// Each click of a group (an ablation, G-24) is looked up alone. When all look-ups have ended they
// continue together, or, if one query is missing, fail together: `query_not_found`. A click whose
// own look-up was an error is answered with that error and blocks no other: what cannot be read may
// be lost for ever. Only clicks whose own look-up was a miss can be given up as unjoinable.
//
// Needs in its datacenter's cell: output/NNNNN/ and unjoinable/NNNNN/ (cell_log/cell_files.h), of
// which the incarnation registry fences the earlier lives.
//
// Paper: Photon section 3.3, 3.2.1 (unjoinable); SPEC D-01..D-24, C-22, C-23, C-25, F-04.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core_impl/base/flat_map.h"
#include "core_impl/photon/cell_log/group_log.h"
#include "core_impl/photon/event_store/client.h"
#include "core_impl/photon/incarnations/incarnation_client.h"
#include "core_impl/photon/joiner/adapter.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "core_impl/photon/registry_client/token_source.h"
#include "core_impl/rpc/request_id.h"
#include "core_impl/runtime/accepts.h"

namespace photon {

// The token with which a registration is repeated (D-11).
enum class Tokens : std::uint8_t {
  kept,     // its own
  renewed,  // a new one each time: to study what tokens are worth (J-L1)
};

struct JoinerOptions {
  NodeId incarnations = kNoNode;  // incarnation registry of the datacenter
  VolumeId cell{};
  RegistryClientOptions registry{};              // `timer` is set by the joiner
  EventStoreClientOptions event_store{};         // `timer` is set by the joiner
  std::uint32_t max_in_flight = 1000;            // requests being worked on
  std::uint32_t max_outstanding_registry = 100;  // registrations without an answer
  std::uint32_t max_window = 100;                // registered or registering, output not durable
  // Registrations without an answer of one shard (D-22): a shard that is down then takes that many
  // and no more. 0: no such cap.
  std::uint32_t max_outstanding_per_shard = 0;
  Tokens tokens = Tokens::kept;
  std::uint32_t unjoinable_attempts = 20;           // R
  Duration unjoinable_age = std::chrono::hours(6);  // A
  Duration cell_retry_delay = std::chrono::milliseconds(200);
};

struct JoinerStatistics {
  std::uint64_t requests = 0;
  std::uint64_t coalesced = 0;  // network duplicates of a request in flight
  static constexpr std::size_t kOutcomes = static_cast<std::size_t>(JoinOutcome::stopping) + 1;
  std::array<std::uint64_t, kOutcomes> answers{};  // by outcome
  std::uint64_t window_max = 0;                    // largest window so far
  std::uint64_t fenced = 0;                        // 1: this life was ended by a later one

  std::uint64_t answered(JoinOutcome outcome) const {
    return answers.at(static_cast<std::size_t>(outcome));
  }
};

class Joiner final : public Node {
 public:
  using Inbox = Accepts<IncarnationGrant, RegistryReply, ShardingReply, QueryReply, QueryProgress,
                        JoinRequest, JoinGroupRequest, AttemptQuery>;
  enum Timer : TimerKind {
    kRegistry = 0,
    kEventStore = 1,
    kOutput = 2,
    kUnjoinable = 3,
    kIncarnation = 4,
    kSharding = 5
  };

  // `adapter` outlives the joiner; it may serve several.
  Joiner(JoinerOptions options, const Adapter& adapter);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void report_use(UseSink& sink) const override;
  void on_stop(Context& context) override;
  bool may_end() const override { return attempts_.size() == 0; }

  void on(Context& context, NodeId from, const IncarnationGrant& grant);
  void on(Context& context, NodeId from, const RegistryReply& reply);
  void on(Context& context, NodeId from, const ShardingReply& reply);
  void on(Context& context, NodeId from, const QueryReply& reply);
  void on(Context& context, NodeId from, const QueryProgress& progress);
  void on(Context& context, NodeId from, const JoinRequest& request);
  void on(Context& context, NodeId from, const JoinGroupRequest& request);
  void on(Context& context, NodeId from, const AttemptQuery& query);

  const JoinerStatistics& statistics() const { return statistics_; }
  const RegistryClient& registry() const { return registry_; }
  const EventStoreClient& event_store() const { return event_store_; }
  std::size_t in_flight() const { return attempts_.size(); }
  std::size_t window() const { return window_; }

 private:
  enum class Stage : std::uint8_t { finding, waiting, registering, writing, marking };
  struct Attempt {
    rpc::RequestId source;
    EventId click;
    EventId query;
    Token token;               // from `registering` on
    Payload payload;           // of the click
    Bytes joined;              // after the adapter: payload of the joined record
    std::uint64_t group = 0;   // while it waits for its neighbours' queries; 0: in no group
    std::uint32_t before = 0;  // earlier attempts
    Stage stage = Stage::finding;
  };
  using Handle = Slab<Attempt>::Handle;
  // Attempts of one JoinGroupRequest, and the results of their look-ups so far.
  struct Group {
    std::size_t members = 0;
    PooledVector<EventStoreClient::Outcome> outcomes{};
  };
  // Attempts whose record ends at `end` of a log, in that order.
  struct Written {
    std::uint64_t end = 0;
    Handle handle = 0;
  };

  std::optional<JoinOutcome> refuse(std::size_t clicks) const;
  Handle begin(Context& context, const rpc::RequestId& source, const JoinRequest& request);
  void answer(Context& context, const rpc::RequestId& source, const EventId& click,
              JoinOutcome outcome);
  void end(Context& context, Handle handle, JoinOutcome outcome);

  void drain(Context& context);
  void drain_event_store(Context& context);
  void drain_registry(Context& context);
  void on_query(Context& context, const EventStoreClient::Outcome& outcome);
  void take_for_group(Context& context, std::uint64_t number, EventStoreClient::Outcome outcome);
  void decide_group(Context& context, const Group& group);
  void on_found(Context& context, Handle handle, Attempt& attempt, const Payload& query);
  void on_not_found(Context& context, Handle handle, Attempt& attempt);
  bool is_unjoinable(Context& context, const Attempt& attempt) const;
  void register_waiting(Context& context);
  // Whether the shard has room for one more registration. If so, it is counted.
  enum class Room : std::uint8_t { free, full, unknown };
  Room enter_shard(Context& context, const EventId& click);
  void on_registered(Context& context, const RegistryCompletion& done);
  void write(Handle handle, Attempt& attempt);
  void on_log(Context& context, GroupLog::Event event, const GroupLog& log,
              PooledDeque<Written>& written, JoinOutcome outcome);
  void stop();

  JoinerOptions options_;
  const Adapter& adapter_;
  IncarnationClient life_;
  std::optional<TokenSource> tokens_;  // once the life is granted
  RegistryClient registry_;
  EventStoreClient event_store_;
  GroupLog output_;
  GroupLog unjoinable_;
  Slab<Attempt> attempts_;
  Slab<Group> groups_;
  FlatMap<rpc::RequestId, Handle, rpc::RequestIdHasher> sources_;
  PooledDeque<Handle> waiting_;
  PooledVector<Handle> unplaced_;  // of stage waiting: their shard is known with newer history
  PooledDeque<Written> writing_;
  PooledDeque<Written> marking_;
  std::size_t window_ = 0;
  Bytes query_bytes_;  // scratch: payloads while the adapter reads them
  Bytes click_bytes_;
  // With max_outstanding_per_shard: shards that this turn's attempts enter, once for each.
  PooledVector<ShardId> entered_;
  bool stopping_ = false;  // asked to stop
  bool stopped_ = false;   // fenced
  JoinerStatistics statistics_;
};

}  // namespace photon
