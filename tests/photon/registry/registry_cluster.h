// One registry shard under test: real replicas, real clients, and a judge of what they did.
//
// The judge knows only what the seam shows: messages handed to the network and the decisions
// `operation_applied` and `boundary_moved`. It checks, at every prefix of the run:
//   J-S3  a fresh insert finds the id absent: never registered, or removed since;
//   J-S6  all replicas apply the same operations with the same results in the same slots;
//   J-S13 a definitive reply leaves a replica only after that replica applied the slot it names,
//         and matches the applied operations; any other one names no slot;
//   J-S4  every answer agrees with the applied order at the slot it names, and that slot is not
//         older than anything that was answered before the request (of look-ups that any
//         replica may answer: not older than the slot in the request);
//   J-S8  the boundary never moves back.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/photon/registry/registry_server.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "tests/photon/registry/registry_world.h"

namespace photon::testing {

// Owns a client; tests ask through it and read what completed.
class RegistryUser final : public Node {
 public:
  using Inbox = Accepts<RegistryReply>;
  static constexpr TimerKind kTimer = 1;

  explicit RegistryUser(const RegistryClientOptions& options) : client_(options) {}
  void on_start(Context& /*context*/) override {}
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on(Context& context, NodeId from, const RegistryReply& reply);
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& /*context*/, Ticket /*ticket*/, IoResult& /*result*/) override {}

  std::uint64_t insert(Context& context, const EventId& id, const Token& token);
  std::uint64_t lookup(Context& context, const EventId& id, std::uint64_t since = 0);
  std::uint64_t clear(Context& context, const EventId& id, const Token& token);
  std::uint64_t remove(Context& context, const EventId& id, const Token& token);
  std::uint64_t read_token(Context& context, const EventId& id);
  // Null while the operation with that tag is open.
  const RegistryCompletion* result(std::uint64_t tag) const;
  std::size_t outstanding() const { return client_.outstanding(); }

 private:
  void drain();

  RegistryClient client_;
  std::map<std::uint64_t, RegistryCompletion> completed_;
  std::uint64_t tags_ = 0;
};

struct ClusterOptions {
  WorldOptions world{};
  std::uint32_t replicas = 3;
  std::uint32_t users = 2;
  RegistryServerOptions server{};  // shard map and consensus are filled in
  std::uint32_t shards = 1;        // of the map; the cluster serves shard 0
  LookupMode lookup_mode = LookupMode::queue_ordered;
};

class RegistryCluster {
 public:
  explicit RegistryCluster(ClusterOptions options);

  World& world() { return world_; }
  RegistryServer& server(std::uint32_t replica) {
    return world_.node<RegistryServer>(servers_[replica]);
  }
  NodeId server_id(std::uint32_t replica) const { return servers_[replica]; }
  NodeId user_id(std::uint32_t user) const { return users_[user]; }
  RegistryUser& user(std::uint32_t index) { return world_.node<RegistryUser>(users_[index]); }
  std::uint32_t replicas() const { return static_cast<std::uint32_t>(servers_.size()); }

  // Replica that holds authority now; waits for one. Fails the test after a minute.
  std::uint32_t wait_for_master();
  void restart(std::uint32_t replica);
  // The replica crashes and its disk is lost. It stays down.
  void lose_disk(std::uint32_t replica);

  std::uint64_t insert(std::uint32_t user, const EventId& id, const Token& token);
  std::uint64_t lookup(std::uint32_t user, const EventId& id, std::uint64_t since = 0);
  std::uint64_t clear(std::uint32_t user, const EventId& id, const Token& token);
  std::uint64_t remove(std::uint32_t user, const EventId& id, const Token& token);
  std::uint64_t read_token(std::uint32_t user, const EventId& id);
  // Waits for the completion. Fails the test after a minute of virtual time.
  RegistryCompletion wait(std::uint32_t user, std::uint64_t tag);

  // All violations found so far; empty if none. Also compares the replicas' stores where they have
  // applied equally much.
  std::vector<std::string> findings();
  // How often `id` became present, and absent by a removal.
  std::size_t fresh_inserts(const EventId& id) const;
  std::size_t removals(const EventId& id) const;

 private:
  void judge_decisions();
  void judge_applied(const trace::Record& record);
  void judge_message(const Sent& sent);
  void judge_reply(const Sent& sent, const RegistryReply& reply);
  void judge_change(const trace::OperationApplied& operation);
  void judge_outcome(const RegistryResult& result);
  void judge_read(const RegistryResult& result);
  // What a read at `slot` may have seen, and what it must have seen if only one answer is possible.
  // Inside its own slot it may stand on either side of an operation.
  struct Seen {
    bool may_exist = false;
    bool must_exist = true;
    std::set<Token> tokens{};  // an empty one: cleared
  };
  Seen seen_at(const EventId& id, std::uint64_t slot) const;
  void find(const std::string& what, const RegistryResult& result);

  ClusterOptions options_;
  World world_;
  std::vector<VolumeId> disks_;
  std::vector<NodeId> servers_;
  std::vector<NodeId> users_;
  std::size_t judged_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, trace::OperationApplied>
      log_;  // by slot, index
  // Per replica and life: the last slot applied.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> applied_through_;
  // The outcome of an id in that slot: registered, cleared (present with an empty token), removed.
  struct Change {
    std::uint64_t slot = 0;
    bool present = false;
    Token token{};
  };
  std::map<EventId, std::vector<Change>> changes_;
  std::map<std::uint64_t, Stamp> boundary_at_;  // after that slot, where it moved
  std::uint64_t answered_slot_ = 0;             // the latest slot that any answer named so far
  // By user and request: answered_slot_ when it was asked first.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> asked_after_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Stamp> boundaries_;
  std::vector<std::string> findings_;
};

EventId id_number(std::uint32_t number, std::int64_t stamp_seconds = 1000);

}  // namespace photon::testing
