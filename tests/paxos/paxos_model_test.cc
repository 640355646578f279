// The real replicas against the TLA+ specification of Paxos (paxos_model.h).
//
// The published figures validate the interpreter. Then every step of the explorer (explorer.h)
// must be none, one or a few steps of the specification, of slot 1. A state of the replicas is
// mapped to:
//   1a     Prepare, sent
//   1b     a promise on an acceptor's disk, with the latest acceptance of slot 1 before it
//   2a     an Accept that covers slot 1, sent
//   2b     an acceptance of slot 1 on an acceptor's disk
// Disks rather than replies, because an own promise and an own acceptance cross no network, and a
// promise reports no slot that the candidate knows to be chosen.
#include "tests/paxos/paxos_model.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "tests/paxos/explored_machine.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::paxos::testing {
namespace {

using photon::testing::effort;

// Rounds 1 and 2 of replicas 0 and 1.
constexpr ModelShape kReplicasShape{.acceptors = 3, .ballots = 4, .values = 3};
// A candidate begins a ballot and promises it, and an elected one proposes and accepts, at once;
// several records may become durable at once.
constexpr int kStepsMerged = 4;

int model_ballot(Ballot ballot) {
  return static_cast<int>(round_of(ballot) - 1) * 2 + owner_of(ballot);
}

int model_value(const SharedBytes& bytes) {
  if (bytes.hash() == value("a1").hash()) return 0;
  if (bytes.hash() == value("b1").hash()) return 1;
  CHECK(bytes.empty());
  return 2;
}

ModelState map_to_model(const Observed& observed) {
  ModelState state;
  for (const Flying* flying : observed.messages) {
    if (const auto* prepare = std::get_if<Prepare>(&flying->message)) {
      state.begin(model_ballot(prepare->ballot));
    } else if (const auto* accept = std::get_if<Accept>(&flying->message)) {
      if (accept->first_slot != 1 || accept->values.empty()) continue;
      state.propose(model_ballot(accept->ballot), model_value(accept->values.front()));
    }
  }
  for (int acceptor = 0; acceptor < ModelState::kAcceptors; ++acceptor) {
    for (const LogRecord& record :
         observed.machines[static_cast<std::size_t>(acceptor)]->durable()) {
      if (record.kind == RecordKind::promise) {
        state.promise(acceptor, model_ballot(record.ballot));
      } else if (record.kind == RecordKind::accept && record.slot == 1) {
        state.accept(acceptor, model_ballot(record.ballot), model_value(record.value));
      }
    }
  }
  return state;
}

bool leads_to(const ModelState& from, const ModelState& to, int steps) {
  if (from == to) return true;
  if (steps == 0) return false;
  const auto next = next_states(kReplicasShape, from);
  return std::ranges::any_of(next, [&](const ModelState& state) {
    return state != from && state.is_within(to) && leads_to(state, to, steps - 1);
  });
}

class Refinement final : public Observer {
 public:
  void from(const Observed& state) override {
    from_ = map_to_model(state);
    note(from_);
  }
  bool step(const Observed& to) override {
    ++steps;
    const ModelState state = map_to_model(to);
    if (state == from_ || !pairs_.insert(combine(from_.hash(), state.hash())).second) return true;
    note(state);
    return leads_to(from_, state, kStepsMerged);
  }
  bool reached(const ModelState& state) const { return seen_.contains(state.hash()); }
  std::size_t distinct() const { return seen_.size(); }
  std::size_t changes() const { return pairs_.size(); }

  std::size_t steps = 0;

 private:
  void note(const ModelState& state) { seen_.insert(state.hash()); }

  ModelState from_;
  boost::unordered_flat_set<std::uint64_t, Hasher> seen_;
  boost::unordered_flat_set<std::uint64_t, Hasher> pairs_;
};

Exploration explore_refinement(const char* name, const Bounds& bounds, Refinement& refinement) {
  const Exploration explored = explore(bounds, &refinement);
  fmt::print(
      "refinement, {}: {} states of the replicas{}, {} steps, {} states of the model, {} "
      "changes of it\n",
      name, explored.states, explored.exhausted ? ", exhausted" : " (bound reached)",
      refinement.steps, refinement.distinct(), refinement.changes());
  INFO(name);
  CHECK(explored.violation == "");
  return explored;
}

}  // namespace

TEST_CASE("J-S6 model: the interpreter reproduces the published state space of MCPaxos") {
  // tlaplus/Examples, specifications/Paxos/manifest.json: 25 distinct of 82 generated states,
  // depth 9, for one acceptor, one value and two ballots (MCPaxos.tla).
  const ModelSpace space = explore_model({.acceptors = 1, .ballots = 2, .values = 1});
  CHECK(space.states.size() == 25);
  CHECK(space.generated == 82);
  CHECK(space.depth == 9);
}

TEST_CASE("J-S6 model: one ballot reaches what the specification does but for its own promise") {
  const ModelSpace space = explore_model({.acceptors = 3, .ballots = 1, .values = 1});
  CHECK(space.states.size() == 41);
  Refinement refinement;
  const Exploration explored = explore_refinement("one ballot",
                                                  {.elections = {1, 0, 0},
                                                   .proposals = {1, 0, 0},
                                                   .writes = Writes::explored,
                                                   .states = 100'000},
                                                  refinement);
  CHECK(explored.exhausted);
  std::size_t reachable = 0;
  for (const ModelState& state : space.states) {
    // A candidate's Prepare leaves after its own promise is durable. So the replicas never are
    // where the ballot has begun and its owner has not promised it. They reach all other states.
    const bool expected = !state.has_1a(0) || state.has_1b(0, 0, -1, -1);
    CHECK(refinement.reached(state) == expected);
    reachable += expected ? 1 : 0;
  }
  CHECK(reachable == 29);
  CHECK(refinement.distinct() == reachable);
}

TEST_CASE("J-S6 model: two proposers refine the specification") {
  Refinement refinement;
  const Exploration explored = explore_refinement(
      "two proposers, one command",
      {.elections = {1, 1, 0}, .proposals = {1, 0, 0}, .states = 50'000}, refinement);
  CHECK(explored.exhausted);
  CHECK(refinement.changes() > 400);
}

TEST_CASE("J-S6 model: two proposers with a command each refine the specification") {
  Refinement refinement;
  explore_refinement("two proposers, a command each",
                     {.elections = {1, 1, 0}, .proposals = {1, 1, 0}, .states = effort(50'000)},
                     refinement);
  CHECK(refinement.changes() > 800);
}

TEST_CASE("J-S6 B-12 model: crashes between any two writes refine the specification") {
  Refinement refinement;
  explore_refinement("two proposers, one crash",
                     {.elections = {1, 1, 0},
                      .proposals = {1, 0, 0},
                      .crashes = 1,
                      .writes = Writes::explored,
                      .states = effort(50'000)},
                     refinement);
  CHECK(refinement.changes() > 250);
}

}  // namespace photon::paxos::testing
