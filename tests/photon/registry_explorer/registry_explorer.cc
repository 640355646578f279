#include "tests/photon/registry_explorer/registry_explorer.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "tests/photon/registry_explorer/machine_catalogue.h"
#include "tests/photon/registry_explorer/shard_verdict.h"
#include "tests/support/catch.h"

namespace photon::testing {
namespace {

constexpr ReplyNumber kNoReply = ~ReplyNumber{0};

struct RequestState {
  bool asked = false;
  std::uint32_t answered_before = 0;
  ReplyNumber reply = kNoReply;
};

// A world without its network: a new one is hashed before the network is copied.
struct WorldHead {
  std::array<MachineNumber, kExplored> machines{};
  std::uint32_t times = 0;
  std::uint32_t crashes = 0;
  std::array<RequestState, kMaxRequests> requests{};
  std::uint64_t network_hash = 0;  // of a set: the order does not matter
  std::uint64_t judged_hash = 0;   // of those that the judge reads

  std::uint32_t answered() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kMaxRequests; ++i) {
      if (requests[i].reply != kNoReply) bits |= 1U << i;
    }
    return bits;
  }
  std::uint32_t asked() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kMaxRequests; ++i) bits |= requests[i].asked ? 1U << i : 0U;
    return bits;
  }
};

struct ShardWorld : WorldHead {
  std::vector<FlyingNumber> network;  // sorted: a set

  bool holds(FlyingNumber message) const { return std::ranges::binary_search(network, message); }
};

class ShardExplorer {
 public:
  explicit ShardExplorer(const ShardBounds& bounds) : bounds_(bounds), catalogue_(bounds_) {
    REQUIRE(bounds_.script.size() <= kMaxRequests);
  }

  ShardExploration run() {
    warm_up();
    while (!frontier_.empty() && result_.violation.empty() && seen_.size() < bounds_.states) {
      const ShardWorld world = std::move(frontier_.front());
      frontier_.pop_front();
      expand(world);
    }
    result_.states = seen_.size();
    result_.exhausted = frontier_.empty();
    if (result_.violation.empty() && bounds_.audits > 0) {
      const auto audited = catalogue_.audit(bounds_.audits);
      if (!audited) result_.violation = "a machine does not behave as its record says";
      result_.audited = audited.value_or(0);
    }
    result_.machines = catalogue_.machines();
    result_.replayed = catalogue_.replayed();
    return result_;
  }

 private:
  // The first election of replica 0, with every message in turn until nothing is new. What happens
  // in between is explored by tests/paxos/explorer.h.
  void warm_up() {
    ShardWorld world;
    for (std::uint32_t i = 0; i < kExplored; ++i) {
      world.machines[i] = catalogue_.initial(static_cast<paxos::ReplicaIndex>(i));
    }
    world = after(world, 0, catalogue_.happen(world.machines[0], kTick));
    settle(world);
    std::vector<FlyingNumber> delivered;
    for (std::size_t i = 0; i < world.network.size();) {
      const FlyingNumber number = world.network[i++];
      const Flying& flying = catalogue_.message(number).flying;
      if (flying.from == flying.to || std::ranges::find(delivered, number) != delivered.end()) {
        continue;
      }
      delivered.push_back(number);
      world = after(world, flying.to, catalogue_.happen(world.machines[flying.to], number));
      settle(world);
      i = 0;
    }
    seen_.insert(hash_of(world));
    examine(world);
    frontier_.push_back(std::move(world));
  }

  // Completes all writes.
  void settle(ShardWorld& world) {
    for (std::uint32_t i = 0; i < kExplored; ++i) {
      const auto writes = [&] {
        const auto& moves = catalogue_.machine(world.machines[i]).moves;
        return std::ranges::find(moves, kPersist) != moves.end();
      };
      while (writes()) world = after(world, i, catalogue_.happen(world.machines[i], kPersist));
    }
  }

  void expand(const ShardWorld& world) {
    const std::uint32_t deaf =
        bounds_.deaf | (world.times > 0 ? bounds_.deaf_late : bounds_.deaf_early);
    for (const FlyingNumber number : world.network) {
      const Flying& flying = catalogue_.message(number).flying;
      if (flying.from == flying.to || ((deaf >> flying.to) & 1U) != 0) continue;
      visit(world, flying.to, catalogue_.happen(world.machines[flying.to], number));
    }
    for (std::uint32_t i = 0; i < kExplored; ++i) {
      for (const Event move : catalogue_.machine(world.machines[i]).moves) {
        const bool crash = move == kCrash || move == kCrashWritten;
        if (crash && world.crashes == bounds_.crashes) continue;
        WorldHead base = world;
        base.crashes += crash ? 1 : 0;
        visit(world, base, i, catalogue_.happen(world.machines[i], move));
      }
    }
    ask(world);
    if (world.times < bounds_.times) pass_time(world);
  }

  void ask(const ShardWorld& world) {
    const std::uint32_t asked = world.asked();
    const std::uint32_t answered = world.answered();
    for (std::uint32_t request = 0; request < bounds_.script.size(); ++request) {
      const ScriptedRequest& scripted = bounds_.script[request];
      if (world.requests[request].asked) continue;
      if ((scripted.after_reply & ~answered) != 0) continue;
      if ((scripted.after_asked & ~asked) != 0) continue;
      for (std::uint32_t i = 0; i < kExplored; ++i) {
        if (((scripted.to >> i) & 1U) == 0) continue;
        WorldHead base = world;
        base.requests[request] = {true, answered, kNoReply};
        visit(world, base, i, catalogue_.happen(world.machines[i], kAsk | request));
      }
    }
  }

  void pass_time(const ShardWorld& world) {
    ShardWorld next = world;
    ++next.times;
    for (MachineNumber& machine : next.machines) {
      machine = catalogue_.happen(machine, kTimePasses).machine;
    }
    ++result_.transitions;
    if (seen_.insert(hash_of(next)).second) keep(std::move(next));
  }

  // The head of `world` becomes that after an event of one server. False if nothing changes.
  bool advance(WorldHead& head, const ShardWorld& world, std::uint32_t server,
               const ServerOutcome& outcome) const {
    bool changed = outcome.machine != head.machines[server];
    head.machines[server] = outcome.machine;
    for (const FlyingNumber number : outcome.sent) {
      if (world.holds(number)) continue;
      const KnownMessage& known = catalogue_.message(number);
      head.network_hash += mix(known.flying.hash);
      if (known.judged) head.judged_hash += mix(known.flying.hash);
      changed = true;
    }
    for (const ReplyNumber number : outcome.replies) {
      RequestState& request = head.requests[catalogue_.reply(number).request];
      if (request.reply != kNoReply) continue;
      request.reply = number;
      changed = true;
    }
    return changed;
  }

  static ShardWorld with_network(const WorldHead& head, const ShardWorld& world,
                                 const ServerOutcome& outcome) {
    ShardWorld next{head, {}};
    next.network.reserve(world.network.size() + outcome.sent.size());
    std::ranges::set_union(world.network, outcome.sent, std::back_inserter(next.network));
    return next;
  }

  ShardWorld after(const ShardWorld& world, std::uint32_t server,
                   const ServerOutcome& outcome) const {
    WorldHead head = world;
    advance(head, world, server, outcome);
    return with_network(head, world, outcome);
  }

  // `base`: the head of `world` with what the move itself changes.
  void visit(const ShardWorld& world, WorldHead base, std::uint32_t server,
             const ServerOutcome& outcome) {
    ++result_.transitions;
    advance(base, world, server, outcome);
    if (seen_.insert(hash_of(base)).second) keep(with_network(base, world, outcome));
  }
  void visit(const ShardWorld& world, std::uint32_t server, const ServerOutcome& outcome) {
    ++result_.transitions;
    WorldHead head = world;
    if (!advance(head, world, server, outcome)) return;
    if (seen_.insert(hash_of(head)).second) keep(with_network(head, world, outcome));
  }

  void keep(ShardWorld world) {
    examine(world);
    frontier_.push_back(std::move(world));
  }

  std::uint64_t hash_of_requests(const WorldHead& world) const {
    std::uint64_t hash = 0;
    for (const RequestState& request : world.requests) {
      hash = combine(hash, request.asked ? 1 : 0);
      hash = combine(hash, request.answered_before);
      hash = combine(hash, request.reply);
    }
    return hash;
  }

  std::uint64_t hash_of(const WorldHead& world) const {
    std::uint64_t hash = combine(world.network_hash, world.crashes);
    hash = combine(combine(hash, world.times), hash_of_requests(world));
    for (const MachineNumber number : world.machines) {
      hash = combine(hash, catalogue_.machine(number).hash);
    }
    return hash;
  }

  void examine(const ShardWorld& world) {
    std::uint64_t evidence = combine(world.judged_hash, hash_of_requests(world));
    std::size_t masters = 0;
    for (const MachineNumber number : world.machines) {
      const ServerEvidence& server = catalogue_.machine(number).evidence;
      evidence = combine(evidence, server.hash);
      masters += server.elected > 0 ? 1 : 0;
      result_.open = std::max(result_.open, server.open);
    }
    result_.masters = std::max(result_.masters, masters);
    if (judged_.insert(evidence).second) judge(world);
  }

  void judge(const ShardWorld& world) {
    ShardState state;
    for (const FlyingNumber number : world.network) {
      const KnownMessage& known = catalogue_.message(number);
      if (known.judged) state.messages.push_back(&known.flying);
    }
    for (std::size_t i = 0; i < kExplored; ++i) {
      state.servers[i] = &catalogue_.machine(world.machines[i]).evidence;
    }
    std::size_t definite = 0;
    for (std::size_t i = 0; i < kMaxRequests; ++i) {
      const RequestState& request = world.requests[i];
      const bool replied = request.reply != kNoReply;
      const SentReply* reply = replied ? &catalogue_.reply(request.reply) : nullptr;
      state.requests[i] = {request.asked, request.answered_before, reply};
      const bool definitive =
          replied && std::ranges::all_of(reply->results, [](const RegistryResult& result) {
            return trace::is_definitive(result.code);
          });
      definite += definitive ? 1 : 0;
    }
    ShardVerdict verdict = judge_shard(bounds_, state);
    if (result_.violation.empty()) result_.violation = std::move(verdict.violation);
    result_.chosen = std::max(result_.chosen, verdict.chosen);
    result_.definite = std::max(result_.definite, definite);
  }

  ShardBounds bounds_;
  MachineCatalogue catalogue_;
  std::deque<ShardWorld> frontier_;
  boost::unordered_flat_set<std::uint64_t, Hasher> seen_;
  boost::unordered_flat_set<std::uint64_t, Hasher> judged_;
  ShardExploration result_;
};

}  // namespace

ShardExploration explore_shard(const ShardBounds& bounds) { return ShardExplorer(bounds).run(); }

ShardExploration explore_shard_and_check(const char* name, const ShardBounds& bounds) {
  const ShardExploration result = explore_shard(bounds);
  fmt::print(
      "shard explorer, {}: {} states{}, {} transitions, {} machines, {} events replayed; at most "
      "{} "
      "slots chosen, {} open, {} requests answered; {} events audited\n",
      name, result.states, result.exhausted ? ", exhausted" : " (bound reached)",
      result.transitions, result.machines, result.replayed, result.chosen, result.open,
      result.definite, result.audited);
  INFO(name);
  CHECK(result.violation == "");
  CHECK(result.definite >= 1);
  return result;
}

}  // namespace photon::testing
