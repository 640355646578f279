// A small environment for tests of the registry: real nodes, real messages,
// volumes with durability.
//
// Not the simulator: no models, no trace files, just enough to lose, delay, reorder and duplicate
// messages, to crash and restart nodes, and to see what was decided and sent. One seed, one
// history. Requests that are open when their process crashes take effect or not, at random.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/runtime/context.h"

namespace photon::testing {

struct WorldOptions {
  std::uint64_t seed = 1;
  std::uint32_t loss_per_mille = 0;
  std::uint32_t duplicate_per_mille = 0;
  Duration delay_least = std::chrono::microseconds(500);
  Duration delay_most = std::chrono::microseconds(1500);
  Duration storage = std::chrono::microseconds(200);
  Duration true_time_uncertainty = std::chrono::milliseconds(4);
};

// A volume with epochs. Everything completed is durable.
class WorldVolume {
 public:
  void serve(const VolumeRequest& request, IoResult& result);
  const Bytes* content(std::string_view name) const;
  std::uint64_t epoch_of(std::string_view name) const;
  void wipe() { *this = {}; }  // replaced by an empty disk
  bool available = true;

 private:
  std::map<std::string, Bytes> files_;
  std::vector<std::pair<std::string, std::uint64_t>> fences_;  // prefix, epoch
};

struct Sent {
  NodeId from;
  NodeId to;
  Body body;
};

class World {
 public:
  using Factory = std::function<std::unique_ptr<Node>()>;

  explicit World(const WorldOptions& options);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  NodeId add(Factory factory);  // ids count from 0; not started yet
  VolumeId add_volume();
  void start(NodeId node);  // first boot or restart
  void crash(NodeId node);
  bool alive(NodeId node) const { return slot(node).node != nullptr; }

  void run_for(Duration duration);
  // Runs until `done` holds or `limit` has passed; returns whether it held.
  bool run_until(const std::function<bool()>& done, Duration limit);
  void at(Duration from_now, std::function<void()> action);

  // Lets test code act as that node, outside its callbacks.
  Context& context(NodeId node);
  template <class N>
  N& node(NodeId id) {
    return dynamic_cast<N&>(*slot(id).node);
  }
  WorldVolume& volume(VolumeId id) { return *volumes_[id.value()]; }
  MonotonicTime now() const { return MonotonicTime(now_); }
  std::uint32_t life(NodeId node) const { return slot(node).life; }

  // Messages for which this holds are lost. Evaluated at sending.
  std::function<bool(const Sent&)> drop;
  // Sees every message handed to the network, also those that are lost.
  std::function<void(const Sent&)> on_send;
  // Added to the uncertainty interval of that node's TrueTime (it still contains true time).
  std::map<std::uint32_t, Duration> true_time_lag;
  // The offset of that node's calendar clock.
  std::map<std::uint32_t, Duration> wall_error;
  // All decisions, in order.
  std::vector<trace::Record> decisions;
  void set_faults(std::uint32_t loss_per_mille, std::uint32_t duplicate_per_mille) {
    options_.loss_per_mille = loss_per_mille;
    options_.duplicate_per_mille = duplicate_per_mille;
  }
  void cut(NodeId node) { cut_.insert(node.value()); }  // no message in or out
  void heal() { cut_.clear(); }
  bool is_cut(NodeId node) const { return cut_.contains(node.value()); }
  std::uint64_t draw(std::uint64_t bound);
  void deliver(const Sent& sent, Duration delay);

 private:
  class NodeContext;
  struct Slot {
    Factory factory;
    std::unique_ptr<Node> node;
    std::unique_ptr<NodeContext> context;
    std::uint32_t life = 0;
  };

  const Slot& slot(NodeId node) const { return slots_[node.value()]; }
  Slot& slot(NodeId node) { return slots_[node.value()]; }
  bool step(Duration limit);
  void schedule(Duration at, std::function<void()> action);
  void send(const Sent& sent);

  WorldOptions options_;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<WorldVolume>> volumes_;
  std::multimap<Duration, std::function<void()>> events_;  // equal times in insertion order
  std::set<std::uint32_t> cut_;
  Duration now_ = std::chrono::seconds(1000);
  std::uint64_t draws_ = 0;
};

}  // namespace photon::testing
