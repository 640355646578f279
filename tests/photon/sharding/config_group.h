// A configuration group under test: three real replicas and two operators.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core_impl/photon/sharding/sharding_server.h"
#include "tests/photon/registry/paxos_disk.h"
#include "tests/photon/registry/registry_world.h"
#include "tests/support/catch.h"

namespace photon::testing {

// Keeps every reply that it gets, by request.
class Asker final : public Node {
 public:
  using Inbox = Accepts<ShardingReply>;
  void on_start(Context&) override {}
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context&, NodeId, const ShardingReply& reply) { replies[reply.request] = reply; }
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context&, Ticket, IoResult&) override {}

  std::map<std::uint64_t, ShardingReply> replies;
};

inline constexpr Duration kMargin = std::chrono::seconds(5);

// Three replicas of the configuration group, two operators.
class ConfigGroup {
 public:
  explicit ConfigGroup(ShardingServerOptions options = {}) : options_(std::move(options)) {
    options_.first_shards = 4;
    options_.margin = kMargin;
    options_.consensus.config.replicas = 3;
    for (std::uint32_t replica = 0; replica < 3; ++replica) {
      disks_.push_back(world.add_volume());
      format_disk(world, disks_.back(), options_.consensus.config.group,
                  static_cast<paxos::ReplicaIndex>(replica));
      servers_.push_back(world.add([this, replica] {
        ShardingServerOptions mine = options_;
        mine.consensus.config.self = static_cast<paxos::ReplicaIndex>(replica);
        mine.consensus.volume = disks_[replica];
        return std::make_unique<ShardingServer>(mine);
      }));
      options_.consensus.members.push_back(servers_.back());
    }
    for (int i = 0; i < 2; ++i) {
      askers_.push_back(world.add([] { return std::make_unique<Asker>(); }));
    }
    for (const NodeId server : servers_) world.start(server);
    for (const NodeId asker : askers_) world.start(asker);
  }

  NodeId wait_for_master() {
    NodeId master = kNoNode;
    const bool found = world.run_until(
        [&] {
          for (const NodeId server : servers_) {
            if (!world.alive(server) || world.is_cut(server)) continue;
            if (!at(server).driver().can_propose(world.context(server))) continue;
            master = server;
            return true;
          }
          return false;
        },
        std::chrono::minutes(1));
    REQUIRE(found);
    return master;
  }

  ShardingServer& at(NodeId server) { return world.node<ShardingServer>(server); }
  const std::vector<NodeId>& servers() const { return servers_; }
  Stamp soonest() {  // just late enough at this moment
    const auto latest = world.context(askers_[0]).true_time().latest;
    return stamp_from(latest) + kMargin + std::chrono::seconds(1);
  }

  // With that number, or with the next one.
  std::uint64_t change(std::size_t asker, NodeId server, std::uint64_t version, Stamp start,
                       std::uint32_t shards, std::uint64_t number = 0) {
    const std::uint64_t request = number != 0 ? number : ++requests_;
    world.context(askers_[asker])
        .send(server, Body::make(ShardingChange{request, version, start, shards}));
    return request;
  }
  std::uint64_t read(NodeId server) {
    const std::uint64_t request = ++requests_;
    world.context(askers_[0]).send(server, Body::make(ShardingRead{request}));
    return request;
  }
  const ShardingReply* reply(std::size_t asker, std::uint64_t request) {
    auto& replies = world.node<Asker>(askers_[asker]).replies;
    const auto found = replies.find(request);
    return found == replies.end() ? nullptr : &found->second;
  }
  void forget_replies(std::size_t asker) { world.node<Asker>(askers_[asker]).replies.clear(); }
  ShardingReply answered(std::size_t asker, std::uint64_t request,
                         Duration limit = std::chrono::seconds(10)) {
    REQUIRE(world.run_until([&] { return reply(asker, request) != nullptr; }, limit));
    return *reply(asker, request);
  }

  World world{WorldOptions{}};

 private:
  ShardingServerOptions options_;
  std::vector<VolumeId> disks_;
  std::vector<NodeId> servers_;
  std::vector<NodeId> askers_;
  std::uint64_t requests_ = 0;
};

}  // namespace photon::testing
