#include "tests/paxos/explorer.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <span>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "core_impl/base/hash.h"
#include "tests/paxos/explored_machine.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

constexpr std::uint32_t kReplicas = kExplored;

// Machines and messages are stored once and numbered in the order of their discovery.
using MachineNumber = std::uint32_t;
using FlyingNumber = std::uint32_t;

struct KnownFlying {
  Flying flying;
  bool judged = false;  // whether the judge reads it
};
struct KnownMachine {
  Machine machine;
  std::uint64_t hash = 0;
  std::uint64_t applied_hash = 0;
  std::vector<Move> moves;
};
// The result of a move of a machine, and its messages.
struct Outcome {
  MachineNumber machine = 0;
  std::vector<FlyingNumber> sent;
};

// All machines, messages and moves of any state. A machine's reaction to a message is computed
// once, however many states it occurs in.
class Catalogue {
 public:
  explicit Catalogue(const Bounds& bounds) : bounds_(bounds) {}

  MachineNumber initial(ReplicaIndex self) { return enter(Machine(self, bounds_)); }
  const KnownMachine& machine(MachineNumber number) const { return machines_[number]; }
  const KnownFlying& flying(FlyingNumber number) const { return flying_[number]; }

  const Outcome& make(MachineNumber from, Move move) {
    return known(from, kMoves + static_cast<std::uint32_t>(move),
                 [&](Machine& machine) { machine.make(move, sent_); });
  }
  const Outcome& deliver(MachineNumber to, FlyingNumber number) {
    return known(to, number, [&](Machine& machine) {
      machine.deliver(flying_[number].flying, nullptr, sent_);
    });
  }
  // Depends on the sender's disk, therefore computed each time.
  const Outcome& deliver_offer(MachineNumber to, FlyingNumber number, const SnapshotHandle& there) {
    offered_ =
        after(to, [&](Machine& machine) { machine.deliver(flying_[number].flying, there, sent_); });
    return offered_;
  }

 private:
  static constexpr std::uint32_t kMoves = 1U << 31U;  // above every number of a message

  template <class Event>
  const Outcome& known(MachineNumber from, std::uint32_t event, Event&& happen) {
    const std::uint64_t key = (std::uint64_t{from} << 32U) | event;
    const auto place = numbers_of_outcomes_.find(key);
    if (place != numbers_of_outcomes_.end()) return outcomes_[place->second];
    numbers_of_outcomes_.emplace(key, static_cast<std::uint32_t>(outcomes_.size()));
    outcomes_.push_back(after(from, happen));
    return outcomes_.back();
  }

  template <class Event>
  Outcome after(MachineNumber from, Event&& happen) {
    Machine machine = machines_[from].machine;
    sent_.clear();
    happen(machine);
    Outcome outcome{enter(std::move(machine)), {}};
    for (Flying& flying : sent_) outcome.sent.push_back(enter(std::move(flying)));
    std::ranges::sort(outcome.sent);
    outcome.sent.erase(std::unique(outcome.sent.begin(), outcome.sent.end()), outcome.sent.end());
    return outcome;
  }

  MachineNumber enter(Machine machine) {
    const std::uint64_t hash = machine.hash();
    const auto number = static_cast<MachineNumber>(machines_.size());
    const auto [place, fresh] = numbers_of_machines_.emplace(hash, number);
    if (!fresh) return place->second;
    std::uint64_t applied_hash = machine.applied().size();
    for (const std::uint64_t value : machine.applied()) applied_hash = combine(applied_hash, value);
    std::vector<Move> moves = machine.moves();
    machines_.push_back({std::move(machine), hash, applied_hash, std::move(moves)});
    return number;
  }

  FlyingNumber enter(Flying flying) {
    const auto number = static_cast<FlyingNumber>(flying_.size());
    const auto [place, fresh] = numbers_of_flying_.emplace(flying.hash, number);
    if (!fresh) return place->second;
    const bool judged = std::holds_alternative<Promise>(flying.message) ||
                        std::holds_alternative<Accept>(flying.message) ||
                        std::holds_alternative<Accepted>(flying.message);
    flying_.push_back({std::move(flying), judged});
    return number;
  }

  const Bounds& bounds_;
  std::deque<KnownMachine> machines_;
  std::deque<KnownFlying> flying_;
  std::deque<Outcome> outcomes_;
  boost::unordered_flat_map<std::uint64_t, MachineNumber, Hasher> numbers_of_machines_;
  boost::unordered_flat_map<std::uint64_t, FlyingNumber, Hasher> numbers_of_flying_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t, Hasher> numbers_of_outcomes_;
  std::vector<Flying> sent_;  // during a move
  Outcome offered_;
};

// The state of the whole group.
struct World {
  std::array<MachineNumber, kReplicas> machines{};
  std::uint32_t crashes = 0;
  std::uint64_t network_hash = 0;     // of a set: the order does not matter
  std::uint64_t judged_hash = 0;      // of those that the judge reads
  std::vector<FlyingNumber> network;  // sorted: a set

  bool holds(FlyingNumber flying) const { return std::ranges::binary_search(network, flying); }
};

class Explorer {
 public:
  Explorer(const Bounds& bounds, Observer* observer)
      : bounds_(bounds), catalogue_(bounds_), observer_(observer) {}

  Exploration run() {
    World first;
    for (ReplicaIndex i = 0; i < kReplicas; ++i) first.machines[i] = catalogue_.initial(i);
    seen_.insert(hash_of_world(first));
    frontier_.push_back(std::move(first));
    while (!frontier_.empty() && result_.violation.empty() && seen_.size() < bounds_.states) {
      const World world = std::move(frontier_.front());
      frontier_.pop_front();
      expand(world);
    }
    result_.states = seen_.size();
    result_.exhausted = frontier_.empty();
    return result_;
  }

 private:
  void expand(const World& world) {
    if (observer_ != nullptr) observer_->from(observed(world));
    for (const FlyingNumber number : world.network) {
      const Flying& flying = catalogue_.flying(number).flying;
      if (flying.from == flying.to) continue;
      const MachineNumber to = world.machines[flying.to];
      if (std::holds_alternative<SnapshotOffer>(flying.message)) {
        const auto& there = catalogue_.machine(world.machines[flying.from]).machine.snapshot();
        visit(world, flying.to, catalogue_.deliver_offer(to, number, there));
      } else {
        visit(world, flying.to, catalogue_.deliver(to, number));
      }
    }
    for (ReplicaIndex i = 0; i < kReplicas; ++i) {
      for (const Move move : catalogue_.machine(world.machines[i]).moves) {
        const bool crash = move == Move::crash;
        if (crash && world.crashes == bounds_.crashes) continue;
        visit(world, i, catalogue_.make(world.machines[i], move), crash ? 1 : 0);
      }
    }
  }

  // The state after a move of one replica; it is built only if it is new.
  void visit(const World& world, ReplicaIndex mover, const Outcome& outcome,
             std::uint32_t crashes = 0) {
    bool changed = crashes > 0 || outcome.machine != world.machines[mover];
    World next{world.machines, world.crashes + crashes, world.network_hash, world.judged_hash, {}};
    next.machines[mover] = outcome.machine;
    for (const FlyingNumber number : outcome.sent) {
      if (world.holds(number)) continue;
      const KnownFlying& known = catalogue_.flying(number);
      next.network_hash += mix(known.flying.hash);
      if (known.judged) next.judged_hash += mix(known.flying.hash);
      changed = true;
    }
    if (!changed) return;
    const bool fresh = seen_.insert(hash_of_world(next)).second;
    if (!fresh && observer_ == nullptr) return;
    next.network.reserve(world.network.size() + outcome.sent.size());
    std::ranges::set_union(world.network, outcome.sent, std::back_inserter(next.network));
    if (observer_ != nullptr && !observer_->step(observed(next))) {
      result_.violation = "the observer ended the exploration";
    }
    if (!fresh) return;
    examine(next);
    frontier_.push_back(std::move(next));
  }

  Observed observed(const World& world) const {
    Observed observed;
    for (std::size_t i = 0; i < kReplicas; ++i) {
      observed.machines[i] = &catalogue_.machine(world.machines[i]).machine;
    }
    for (const FlyingNumber number : world.network) {
      observed.messages.push_back(&catalogue_.flying(number).flying);
    }
    return observed;
  }

  std::uint64_t hash_of_world(const World& world) const {
    std::uint64_t hash = combine(world.network_hash, world.crashes);
    for (const MachineNumber number : world.machines) {
      hash = combine(hash, catalogue_.machine(number).hash);
    }
    return hash;
  }

  void examine(const World& world) {
    std::uint64_t evidence = world.judged_hash;
    std::size_t admitted = 0;
    std::size_t installed = 0;
    for (const MachineNumber number : world.machines) {
      const KnownMachine& known = catalogue_.machine(number);
      evidence = combine(evidence, known.applied_hash);
      admitted += known.machine.admitted() ? 1 : 0;
      installed += known.machine.installed() ? 1 : 0;
    }
    result_.admitted = std::max(result_.admitted, admitted);
    result_.installed = std::max(result_.installed, installed);
    if (judged_.insert(evidence).second) judge(world);
  }

  // The whole history of one acceptor orders by ballot, promise before acceptance, whatever the
  // order in which its messages were sent.
  void judge(const World& world) {
    std::vector<const Flying*> history;
    for (const FlyingNumber number : world.network) {
      const KnownFlying& known = catalogue_.flying(number);
      if (known.judged) history.push_back(&known.flying);
    }
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
      for (const std::uint64_t value : catalogue_.machine(world.machines[i]).machine.applied()) {
        ledger.applied(i, ++slot, value);
      }
    }
    if (result_.violation.empty()) result_.violation = ledger.violation();
    result_.chosen = std::max(result_.chosen, ledger.chosen().size());
  }

  Bounds bounds_;
  Catalogue catalogue_;
  std::deque<World> frontier_;
  boost::unordered_flat_set<std::uint64_t, Hasher> seen_;
  boost::unordered_flat_set<std::uint64_t, Hasher> judged_;
  Observer* observer_;
  Exploration result_;
};

}  // namespace

Exploration explore(const Bounds& bounds, Observer* observer) {
  return Explorer(bounds, observer).run();
}

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
