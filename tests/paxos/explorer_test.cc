// A small exhaustive explorer: every interleaving of a bounded world, breadth first.
//
// The network is the set of all messages ever sent: delivering one does not remove it, so loss,
// delay, duplication and reordering are all there. Time stands still and leases are off: agreement
// must not need them. Moves: deliver a message, make a replica's records durable (all, or the
// first one only), crash and restart it at any point, stand for election, propose. Bounded are the
// elections per replica, the proposals and the crashes. Heartbeats and rejections are lost, for
// they only decide who tries next. States are recognised by hash; agreement is judged in each of
// them from the messages alone.
#include <algorithm>
#include <array>
#include <deque>
#include <memory>

#include <boost/unordered/unordered_flat_set.hpp>

#include "core_impl/base/hash.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::paxos::testing {
namespace {

using photon::testing::effort;

constexpr std::uint32_t kReplicas = 3;

enum class Writes : std::uint8_t { at_once, explored };

struct Bounds {
  std::array<std::uint32_t, kReplicas> elections{};
  std::array<std::uint32_t, kReplicas> proposals{};
  std::uint32_t crashes = 0;
  Writes writes = Writes::at_once;
  std::size_t states = 0;
};

// A message in the network; with from == to an acceptance of the master's own, for the judge only.
struct Flying {
  ReplicaIndex from;
  ReplicaIndex to;
  Message message;
  std::uint64_t hash;
};
using FlyingHandle = std::shared_ptr<const Flying>;

struct Disk {
  std::vector<LogRecord> durable;
  std::vector<LogRecord> writing;
};

Config config_of(ReplicaIndex index) {
  Config config;
  config.self = index;
  config.replicas = kReplicas;
  config.lease = Duration{};
  config.pipeline_depth = 2;
  return config;
}

// The state of the world: copied at every move.
struct World {
  std::vector<Replica> replicas;
  std::array<Disk, kReplicas> disks;
  std::array<std::uint64_t, kReplicas> durable_in_life{};
  std::vector<FlyingHandle> network;  // sorted by hash: a set
  std::array<std::uint32_t, kReplicas> elections{};
  std::array<std::uint32_t, kReplicas> proposals{};
  std::uint32_t crashes = 0;
  Writes writes = Writes::at_once;

  World() {
    for (ReplicaIndex i = 0; i < kReplicas; ++i) {
      replicas.emplace_back(config_of(i), Recovered{}, MonotonicTime{});
    }
  }

  void feed(ReplicaIndex index, Input input) {
    Output out;
    replicas[index].step(input, out);
    auto& writing = disks[index].writing;
    writing.insert(writing.end(), out.records.begin(), out.records.end());
    for (const Accepted& own : out.own_accepted) add(index, index, own);
    for (const Envelope& envelope : out.messages) send(index, envelope);
    if (writes == Writes::at_once && !writing.empty()) persist(index, writing.size());
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
    const auto place = std::ranges::lower_bound(network, hash, {}, &hash_of_flying);
    if (place != network.end() && (*place)->hash == hash) return;
    network.insert(place, std::make_shared<const Flying>(Flying{from, to, message, hash}));
  }
  static std::uint64_t hash_of_flying(const FlyingHandle& flying) { return flying->hash; }

  void persist(ReplicaIndex index, std::size_t count) {
    Disk& disk = disks[index];
    const auto end = disk.writing.begin() + static_cast<std::ptrdiff_t>(count);
    disk.durable.insert(disk.durable.end(), disk.writing.begin(), end);
    disk.writing.erase(disk.writing.begin(), end);
    durable_in_life[index] += count;
    feed(index, Input{MonotonicTime{}, Persisted{durable_in_life[index]}});
  }

  void crash(ReplicaIndex index) {
    ++crashes;
    disks[index].writing.clear();
    durable_in_life[index] = 0;
    Recovered recovered;
    for (const LogRecord& record : disks[index].durable) REQUIRE(recovered.absorb(record));
    replicas[index] = Replica(config_of(index), std::move(recovered), MonotonicTime{});
    // Hand out what is known; a tick would stand for election by time, which does not pass here.
    feed(index, Input{MonotonicTime{}, Persisted{0}});
  }

  // The whole history of one acceptor orders by ballot, promise before acceptance, whatever the
  // order in which its messages were sent.
  Ledger judge() const {
    std::vector<const Flying*> history;
    for (const FlyingHandle& flying : network) history.push_back(flying.get());
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
      for (Slot slot = 1; slot <= replicas[i].applied(); ++slot) {
        ledger.applied(i, slot, replicas[i].acceptor().entry(slot).value.hash());
      }
    }
    return ledger;
  }

  std::uint64_t hash() const {
    Bytes bytes;
    Encoder encoder(bytes);
    for (ReplicaIndex i = 0; i < kReplicas; ++i) {
      replicas[i].encode_state(encoder);
      encoder(elections[i], proposals[i]);
      // What a crash would bring back, and what it would lose.
      for (const auto* records : {&disks[i].durable, &disks[i].writing}) {
        encoder(static_cast<std::uint32_t>(records->size()));
        for (const LogRecord& record : *records) encoder(record);
      }
    }
    encoder(crashes);
    for (const FlyingHandle& flying : network) encoder(flying->hash);
    return hash_bytes(bytes);
  }
};

class Explorer {
 public:
  explicit Explorer(const Bounds& bounds) : bounds_(bounds) {}

  // Explores until there is nothing new, the bound on states is reached, or a violation is found.
  std::string run() {
    World first;
    first.writes = bounds_.writes;
    visit(std::move(first));
    while (!frontier_.empty() && violation_.empty() && seen_.size() < bounds_.states) {
      const World world = std::move(frontier_.front());
      frontier_.pop_front();
      expand(world);
    }
    return violation_;
  }
  std::size_t states() const { return seen_.size(); }
  bool exhausted() const { return frontier_.empty(); }
  std::size_t most_chosen() const { return most_chosen_; }

 private:
  void visit(World world) {
    if (!seen_.insert(world.hash()).second) return;
    const Ledger ledger = world.judge();
    if (violation_.empty()) violation_ = ledger.violation();
    most_chosen_ = std::max(most_chosen_, ledger.chosen().size());
    frontier_.push_back(std::move(world));
  }

  void expand(const World& world) {
    for (const FlyingHandle& flying : world.network) {
      if (flying->from == flying->to) continue;
      World next = world;
      next.feed(flying->to, Input{MonotonicTime{}, Received{flying->from, flying->message}});
      visit(std::move(next));
    }
    for (ReplicaIndex i = 0; i < kReplicas; ++i) expand_replica(world, i);
  }

  void expand_replica(const World& world, ReplicaIndex i) {
    const std::size_t writing = world.disks[i].writing.size();
    if (writing > 0) {
      World next = world;
      next.persist(i, writing);
      visit(std::move(next));
    }
    if (writing > 1) {
      World next = world;
      next.persist(i, 1);
      visit(std::move(next));
    }
    if (world.crashes < bounds_.crashes) {
      World next = world;
      next.crash(i);
      visit(std::move(next));
    }
    if (world.elections[i] < bounds_.elections[i] &&
        std::holds_alternative<Follower>(world.replicas[i].role())) {
      World next = world;
      ++next.elections[i];
      next.feed(i, Input{MonotonicTime{}, Campaign{}});
      visit(std::move(next));
    }
    if (world.proposals[i] < bounds_.proposals[i] &&
        world.replicas[i].can_propose(MonotonicTime{})) {
      World next = world;
      const auto text = fmt::format("{}{}", char('a' + i), ++next.proposals[i]);
      next.feed(i, Input{MonotonicTime{}, Propose{command(text)}});
      visit(std::move(next));
    }
  }

  Bounds bounds_;
  std::deque<World> frontier_;
  boost::unordered_flat_set<std::uint64_t, Hasher> seen_;
  std::string violation_;
  std::size_t most_chosen_ = 0;
};

void explore(const char* name, const Bounds& bounds) {
  Explorer explorer(bounds);
  const std::string violation = explorer.run();
  fmt::print("explorer, {}: {} distinct states{}\n", name, explorer.states(),
             explorer.exhausted() ? ", exhausted" : " (bound reached)");
  INFO(name);
  CHECK(violation == "");
  CHECK(explorer.most_chosen() >= 1);
}

}  // namespace

TEST_CASE("J-S6 explorer: two proposers, one command, to exhaustion") {
  explore("two proposers, one command", {{1, 1, 0}, {1, 0, 0}, 0, Writes::at_once, 50'000});
}

TEST_CASE("J-S6 explorer: two proposers, a command each") {
  explore("two proposers, a command each",
          {{1, 1, 0}, {1, 1, 0}, 0, Writes::at_once, effort(100'000)});
}

TEST_CASE("J-S6 explorer: three elections, one command") {
  explore("three elections, one command",
          {{2, 1, 0}, {1, 0, 0}, 0, Writes::at_once, effort(60'000)});
}

TEST_CASE("J-S6 B-12 B-18 explorer: two proposers, one crash anywhere") {
  explore("two proposers, one crash", {{1, 1, 0}, {1, 0, 0}, 1, Writes::explored, effort(100'000)});
}

}  // namespace photon::paxos::testing
