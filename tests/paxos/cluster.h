// A small group of replicas in a random but replayable environment: for tests of the
// value type alone.
//
// Fault model: messages are lost, duplicated and delayed arbitrarily (so also reordered); links are
// cut one way or both; replicas crash at any instant, keeping what was durable and a random prefix
// of the records being written; clocks run at a constant rate within the bound, with arbitrary
// offsets. Snapshots become durable some time after they were taken, are fetched by others, and cut
// the log, which is then replaced as a whole or (crash) not at all. A disk may be lost with all its
// contents; the replica continues with a new generation. Everything follows from one seed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core_impl/paxos/replica.h"
#include "tests/paxos/ledger.h"

namespace photon::paxos::testing {

struct WorldOptions {
  std::uint64_t seed = 1;
  std::uint32_t replicas = 5;
  std::uint32_t pipeline_depth = 1;
  std::uint32_t loss_percent = 10;
  std::uint32_t duplicate_percent = 10;
  Duration most_delay = std::chrono::milliseconds(120);
  Duration most_write = std::chrono::milliseconds(15);
  Duration return_after{};  // of the group
};

class Cluster {
 public:
  explicit Cluster(const WorldOptions& options);

  // Runs until `until` of true time.
  void run_until(Duration until);
  void crash(ReplicaIndex index);
  void restart(ReplicaIndex index);
  // The replica crashes and its disk is gone.
  void lose_disk(ReplicaIndex index);
  // Takes a snapshot at `index`, if it is up; it takes effect when it is durable.
  void snapshot(ReplicaIndex index);
  bool is_up(ReplicaIndex index) const { return nodes_[index].replica.has_value(); }
  // Messages from `from` to `to` are lost until healed.
  void cut(ReplicaIndex from, ReplicaIndex to) { cut_[from].add(to); }
  void heal_links();
  void stop_faults();  // no loss and no duplication from now on
  // Proposes at `index` if it may; true if it was taken.
  bool propose(ReplicaIndex index, std::string_view text);
  std::optional<ReplicaIndex> master() const;  // with authority now
  // An operator asks all replicas to make `to` the master.
  void hand_over(ReplicaIndex to);

  Duration now() const { return now_; }
  std::uint64_t draw(std::uint64_t below);  // from the world's stream
  const Replica& replica(ReplicaIndex index) const { return *nodes_[index].replica; }
  const std::vector<std::string>& applied(ReplicaIndex index) const {
    return nodes_[index].applied;
  }
  // First violation of agreement or of the lease; empty if none.
  std::string violation() const;
  const Ledger& ledger() const { return ledger_; }
  std::uint64_t elections() const { return elections_; }
  std::uint64_t steps() const { return steps_; }
  // Masters that were elected because another one handed over to them.
  std::uint64_t handovers() const { return handovers_; }
  // Snapshots that cut a log, and snapshots that were installed from elsewhere.
  std::uint64_t compactions() const { return compactions_; }
  std::uint64_t installations() const { return installations_; }

  // Called for every message sent; tests count with it.
  std::function<void(ReplicaIndex from, const Outgoing&)> on_send;

 private:
  using History = std::vector<std::string>;  // the state machine: slot s at [s - 1]
  struct Snapshot {
    SnapshotPoint point;
    History applied;
  };
  using SnapshotHandle = std::shared_ptr<const Snapshot>;
  enum class Rewrite : std::uint8_t { no, requested, under_way };
  struct Node {
    std::optional<Replica> replica;
    // The disk.
    Generation generation = kFirstGeneration;
    SnapshotHandle snapshot;
    Slot base = 0;  // of the log
    std::vector<LogRecord> durable;
    // This life.
    std::vector<LogRecord> writing;  // the append in flight, or the log that will replace it
    Slot writing_base = 0;
    Rewrite rewrite = Rewrite::no;
    std::vector<LogRecord> waiting;
    std::uint64_t writing_mark = 0;
    std::uint64_t waiting_mark = 0;
    std::uint32_t life = 0;
    std::int64_t rate_ppm = 0;  // of its clock against true time
    std::int64_t offset = 0;
    History applied;
    std::optional<Duration> tick_at;
  };
  struct Event {
    ReplicaIndex node;
    std::uint32_t life;
    std::function<void()> act;
  };

  MonotonicTime local(const Node& node) const;
  Duration true_time_of(const Node& node, MonotonicTime time) const;
  void feed(ReplicaIndex index, Input&& input);
  void post(ReplicaIndex from, const Outgoing& outgoing);
  void deliver_later(ReplicaIndex from, ReplicaIndex to, const Message& message);
  void start_write(ReplicaIndex index);
  void written(ReplicaIndex index);
  void fetch(ReplicaIndex index, const Offered& offer);
  void keep_snapshot(ReplicaIndex index, const SnapshotHandle& snapshot);
  void install(ReplicaIndex index, const SnapshotHandle& snapshot);
  void arm(ReplicaIndex index);
  void check_authority();
  void after(Duration delay, ReplicaIndex node, std::function<void()> act);
  Config config_of(ReplicaIndex index) const;

  WorldOptions options_;
  std::vector<Node> nodes_;
  std::vector<ReplicaSet> cut_;
  std::map<std::pair<Duration, std::uint64_t>, Event> events_;
  std::uint64_t ordinal_ = 0;
  std::uint64_t draws_ = 0;
  std::uint64_t elections_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t handovers_ = 0;
  std::uint64_t compactions_ = 0;
  std::uint64_t installations_ = 0;
  Duration now_{};
  Ledger ledger_;
  std::string authority_violation_;
};

}  // namespace photon::paxos::testing
