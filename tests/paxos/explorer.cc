#include "tests/paxos/explorer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <memory>

#include <boost/unordered/unordered_flat_set.hpp>

#include "core_impl/base/hash.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

constexpr std::uint32_t kReplicas = kExplored;

// A message in the network; with from == to an acceptance of the master's own, for the judge only.
struct Flying {
  ReplicaIndex from;
  ReplicaIndex to;
  Message message;
  std::uint64_t hash;
};
using FlyingHandle = std::shared_ptr<const Flying>;
std::uint64_t hash_of_flying(const FlyingHandle& flying) { return flying->hash; }

using History = std::vector<std::uint64_t>;  // hashes of the values applied
struct Snapshot {
  SnapshotPoint point;
  History applied;
};

// One replica, its machine and its disk, and what it has done so far.
struct Machine {
  Replica replica;
  History applied{};
  std::uint64_t durable_in_life = 0;
  // The disk.
  Generation generation = kFirstGeneration;
  std::shared_ptr<const Snapshot> snapshot{};
  Slot base = 0;
  std::vector<LogRecord> durable{};
  std::vector<LogRecord> writing{};
  // Spent of the bounds.
  std::uint32_t elections = 0;
  std::uint32_t proposals = 0;
  std::uint32_t losses = 0;
  std::uint32_t snapshots = 0;

  std::uint64_t hash() const {
    Bytes bytes;
    bytes.reserve(2048);
    Encoder encoder(bytes);
    replica.encode_state(encoder);
    encoder(generation, base, elections, proposals, losses, snapshots);
    // What a crash would bring back, and what it would lose.
    for (const auto* records : {&durable, &writing}) {
      encoder(static_cast<std::uint32_t>(records->size()));
      for (const LogRecord& record : *records) encoder(record);
    }
    encoder(static_cast<std::uint32_t>(applied.size()));
    for (const std::uint64_t value : applied) encoder(value);
    if (snapshot) {
      encoder(snapshot->point);
      for (const std::uint64_t value : snapshot->applied) encoder(value);
    }
    return hash_bytes(bytes);
  }
};

Config config_of(ReplicaIndex index, const Bounds& bounds) {
  Config config;
  config.self = index;
  config.replicas = kReplicas;
  config.lease = Duration{};
  config.pipeline_depth = bounds.pipeline_depth;
  return config;
}

// The state of the world. A move copies it, and the one replica that moves.
class World {
 public:
  explicit World(const Bounds& bounds) : bounds_(&bounds) {
    for (ReplicaIndex i = 0; i < kReplicas; ++i) {
      moving_ = std::make_shared<Machine>(
          Machine{Replica(config_of(i, bounds), Recovered{}, MonotonicTime{})});
      settle(i);
    }
  }

  const Machine& machine(ReplicaIndex index) const { return *machines_[index]; }
  const std::vector<FlyingHandle>& network() const { return network_; }
  std::uint32_t crashes() const { return crashes_; }
  std::uint64_t hash() const { return combine(evidence(), combine(machines_hash(), crashes_)); }
  // Of all that the judge looks at.
  std::uint64_t evidence() const {
    std::uint64_t hash = network_hash_;
    for (const auto& machine : machines_) {
      for (const std::uint64_t value : machine->applied) hash = combine(hash, value);
      hash = combine(hash, machine->applied.size());
    }
    return hash;
  }

  World deliver(const Flying& flying) const {
    return moved(flying.to, [&](World& next) {
      next.feed(flying.to, Received{flying.from, flying.message});
    });
  }
  World persist(ReplicaIndex index, std::size_t count) const {
    return moved(index, [&](World& next) { next.write(index, count); });
  }
  World crash(ReplicaIndex index) const {
    return moved(index, [&](World& next) {
      ++next.crashes_;
      next.restart(index);
    });
  }
  World lose_disk(ReplicaIndex index) const {
    return moved(index, [&](World& next) {
      Machine& machine = *next.moving_;
      machine.generation = Generation(++machine.losses + kFirstGeneration.value());
      machine.durable.clear();
      machine.base = 0;
      machine.snapshot = nullptr;
      next.restart(index);
    });
  }
  // A snapshot becomes durable, and at once the log that begins behind it.
  World compact(ReplicaIndex index) const {
    return moved(index, [&](World& next) {
      Machine& machine = *next.moving_;
      ++machine.snapshots;
      const SnapshotPoint point{machine.applied.size(), machine.replica.generations()};
      machine.snapshot = std::make_shared<const Snapshot>(Snapshot{point, machine.applied});
      next.feed(index, Compact{point.through});
      next.rewrite_log(index);
    });
  }
  World campaign(ReplicaIndex index) const {
    return moved(index, [&](World& next) {
      ++next.moving_->elections;
      next.feed(index, Campaign{});
    });
  }
  World propose(ReplicaIndex index) const {
    return moved(index, [&](World& next) {
      const auto text = fmt::format("{}{}", char('a' + index), ++next.moving_->proposals);
      next.feed(index, Propose{command(text)});
    });
  }

  // The whole history of one acceptor orders by ballot, promise before acceptance, whatever the
  // order in which its messages were sent.
  Ledger judge() const {
    std::vector<const Flying*> history;
    for (const FlyingHandle& flying : network_) history.push_back(flying.get());
    const auto ballot = [](const Flying* flying) {
      return std::visit([](const auto& message) { return message.ballot; }, flying->message);
    };
    std::ranges::stable_sort(history, [&](const Flying* left, const Flying* right) {
      return std::pair(ballot(left), left->message.index()) <
             std::pair(ballot(right), right->message.index());
    });
    Ledger ledger(kReplicas);
    for (const Flying* flying : history) ledger.sent(flying->from, flying->message);
    for (ReplicaIndex i = 0; i < kReplicas; ++i) {
      Slot slot = 0;
      for (const std::uint64_t value : machines_[i]->applied) ledger.applied(i, ++slot, value);
    }
    return ledger;
  }

 private:
  template <class Move>
  World moved(ReplicaIndex index, Move&& move) const {
    World next = *this;
    next.moving_ = std::make_shared<Machine>(*machines_[index]);
    move(next);
    next.settle(index);
    return next;
  }

  void settle(ReplicaIndex index) {
    hashes_[index] = moving_->hash();
    machines_[index] = std::move(moving_);
  }

  std::uint64_t machines_hash() const {
    std::uint64_t hash = 0;
    for (const std::uint64_t machine : hashes_) hash = combine(hash, machine);
    return hash;
  }

  template <class Event>
  void feed(ReplicaIndex index, Event event) {
    Machine& machine = *moving_;
    Output out;
    machine.replica.step(Input{MonotonicTime{}, std::move(event)}, out);
    machine.writing.insert(machine.writing.end(), out.records.begin(), out.records.end());
    for (const Accepted& own : out.own_accepted) add(index, index, own);
    for (const Envelope& envelope : out.messages) send(index, envelope);
    for (const Chosen& chosen : out.chosen) machine.applied.push_back(chosen.value.hash());
    if (out.offer) install(index, *out.offer);
    if (bounds_->writes == Writes::at_once && !moving_->writing.empty()) {
      write(index, moving_->writing.size());
    }
  }

  void send(ReplicaIndex from, const Envelope& envelope) {
    if (std::holds_alternative<Heartbeat>(envelope.message) ||
        std::holds_alternative<Reject>(envelope.message)) {
      return;
    }
    for (ReplicaIndex to = 0; to < kReplicas; ++to) {
      if (envelope.to.contains(to)) add(from, to, envelope.message);
    }
  }

  void add(ReplicaIndex from, ReplicaIndex to, const Message& message) {
    Bytes bytes;
    Encoder encoder(bytes);
    encode_message(message, encoder);
    const std::uint64_t hash = hash_bytes(bytes, std::uint64_t{from} * kReplicas + to + 1);
    const auto place = std::ranges::lower_bound(network_, hash, {}, &hash_of_flying);
    if (place != network_.end() && (*place)->hash == hash) return;
    network_.insert(place, std::make_shared<const Flying>(Flying{from, to, message, hash}));
    network_hash_ += mix(hash);  // of a set: the order does not matter
  }

  void write(ReplicaIndex index, std::size_t count) {
    Machine& machine = *moving_;
    const auto end = machine.writing.begin() + static_cast<std::ptrdiff_t>(count);
    machine.durable.insert(machine.durable.end(), machine.writing.begin(), end);
    machine.writing.erase(machine.writing.begin(), end);
    machine.durable_in_life += count;
    feed(index, Persisted{machine.durable_in_life});
  }

  void rewrite_log(ReplicaIndex index) {
    Machine& machine = *moving_;
    const auto records = machine.replica.carried();
    machine.durable.assign(records.begin(), records.end());
    machine.base = machine.replica.base();
    machine.durable_in_life += machine.writing.size();
    machine.writing.clear();
    feed(index, Persisted{machine.durable_in_life});
  }

  void install(ReplicaIndex index, const Offered& offer) {
    const auto there = machines_[offer.from]->snapshot;
    if (!there || !moving_->replica.can_install(there->point.through)) return;
    moving_->snapshot = there;
    moving_->applied = there->applied;
    feed(index, Installed{there->point});
    rewrite_log(index);
  }

  void restart(ReplicaIndex index) {
    Machine& machine = *moving_;
    machine.writing.clear();
    machine.durable_in_life = 0;
    Recovered recovered = Recovered::above(machine.base);
    for (const LogRecord& record : machine.durable) REQUIRE(recovered.absorb(record));
    recovered.generation = machine.generation;
    machine.applied.clear();
    if (machine.snapshot) {
      recovered.install(machine.snapshot->point);
      machine.applied = machine.snapshot->applied;
    }
    machine.replica = Replica(config_of(index, *bounds_), std::move(recovered), MonotonicTime{});
    // Hand out what is known; a tick would stand for election by time, which does not pass here.
    feed(index, Persisted{0});
  }

  const Bounds* bounds_;
  std::array<std::shared_ptr<const Machine>, kReplicas> machines_;
  std::array<std::uint64_t, kReplicas> hashes_{};
  std::shared_ptr<Machine> moving_;    // during a move
  std::vector<FlyingHandle> network_;  // sorted by hash: a set
  std::uint64_t network_hash_ = 0;
  std::uint32_t crashes_ = 0;
};

class Explorer {
 public:
  explicit Explorer(const Bounds& bounds) : bounds_(bounds) {}

  Exploration run() {
    visit(World(bounds_));
    while (!frontier_.empty() && violation_.empty() && seen_.size() < bounds_.states) {
      const World world = std::move(frontier_.front());
      frontier_.pop_front();
      expand(world);
    }
    return {violation_,   seen_.size(),   frontier_.empty(),
            most_chosen_, most_admitted_, most_installed_};
  }

 private:
  void visit(World world) {
    if (!seen_.insert(world.hash()).second) return;
    if (judged_.insert(world.evidence()).second) {
      const Ledger ledger = world.judge();
      if (violation_.empty()) violation_ = ledger.violation();
      most_chosen_ = std::max(most_chosen_, ledger.chosen().size());
    }
    std::size_t admitted = 0;
    std::size_t installed = 0;
    for (ReplicaIndex i = 0; i < kReplicas; ++i) {
      const Machine& machine = world.machine(i);
      admitted += machine.replica.generations().in_force(i, kFirstGeneration) ? 0 : 1;
      installed += machine.replica.base() > 0 && machine.snapshots == 0 ? 1 : 0;
    }
    most_admitted_ = std::max(most_admitted_, admitted);
    most_installed_ = std::max(most_installed_, installed);
    frontier_.push_back(std::move(world));
  }

  void expand(const World& world) {
    for (const FlyingHandle& flying : world.network()) {
      if (flying->from != flying->to) visit(world.deliver(*flying));
    }
    for (ReplicaIndex i = 0; i < kReplicas; ++i) expand_replica(world, i);
  }

  void expand_replica(const World& world, ReplicaIndex i) {
    const Machine& machine = world.machine(i);
    if (!machine.writing.empty()) visit(world.persist(i, machine.writing.size()));
    if (machine.writing.size() > 1) visit(world.persist(i, 1));
    if (world.crashes() < bounds_.crashes) visit(world.crash(i));
    if (machine.losses < bounds_.losses[i]) visit(world.lose_disk(i));
    if (machine.snapshots < bounds_.snapshots[i] &&
        machine.replica.applied() > machine.replica.base()) {
      visit(world.compact(i));
    }
    if (machine.elections < bounds_.elections[i] &&
        std::holds_alternative<Follower>(machine.replica.role())) {
      visit(world.campaign(i));
    }
    if (machine.proposals < bounds_.proposals[i] && machine.replica.can_propose(MonotonicTime{})) {
      visit(world.propose(i));
    }
  }

  Bounds bounds_;
  std::deque<World> frontier_;
  boost::unordered_flat_set<std::uint64_t, Hasher> seen_;
  boost::unordered_flat_set<std::uint64_t, Hasher> judged_;
  std::string violation_;
  std::size_t most_chosen_ = 0;
  std::size_t most_admitted_ = 0;
  std::size_t most_installed_ = 0;
};

}  // namespace

Exploration explore(const Bounds& bounds) { return Explorer(bounds).run(); }

Exploration explore_and_check(const char* name, Bounds bounds) {
  if (const char* states = std::getenv("PAXOS_STATES")) {
    bounds.states = std::strtoull(states, nullptr, 10);
  }
  const Exploration result = explore(bounds);
  fmt::print("explorer, {}: {} distinct states{}\n", name, result.states,
             result.exhausted ? ", exhausted" : " (bound reached)");
  INFO(name);
  CHECK(result.violation == "");
  CHECK(result.chosen >= 1);
  return result;
}

}  // namespace photon::paxos::testing
