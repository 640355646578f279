// An interpreter of the TLA+ specification of single-decree Paxos (Lamport; tlaplus/Examples,
// specifications/Paxos/Paxos.tla), written from its meaning and not from its text.
//
// A state is what the specification's four variables hold: per acceptor the highest ballot seen,
// and ballot and value of its latest acceptance; and the set of messages sent. Messages are never
// removed. The steps:
//   1a(b)     ballot b begins; always possible
//   1b(a)     acceptor a promises a ballot above all it has seen, and reports its latest acceptance
//   2a(b, v)  b proposes v, its only value, if a quorum has promised b, and v is the value of the
//             highest acceptance that this quorum reports (any value, if it reports none)
//   2b(a)     acceptor a accepts what a ballot proposes that is not below all it has seen
// Quorums are majorities.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core_impl/base/hash.h"

namespace photon::paxos::testing {

struct ModelShape {
  int acceptors = 1;
  int ballots = 1;
  int values = 1;
};

// Ballots and values count from 0; -1: none.
class ModelState {
 public:
  static constexpr int kAcceptors = 3;
  static constexpr int kBallots = 4;
  static constexpr int kValues = 3;

  struct Acceptor {
    int seen = -1;
    int accepted = -1;
    int value = -1;
    friend bool operator==(const Acceptor&, const Acceptor&) = default;
  };

  bool has_1a(int ballot) const { return bit(place_1a(ballot)); }
  bool has_1b(int acceptor, int ballot, int accepted, int value) const {
    return bit(place_1b(acceptor, ballot, accepted, value));
  }
  bool has_2a(int ballot, int value) const { return bit(place_2a(ballot, value)); }
  bool has_2b(int acceptor, int ballot, int value) const {
    return bit(place_2b(acceptor, ballot, value));
  }
  const Acceptor& acceptor(int index) const { return acceptors_[static_cast<std::size_t>(index)]; }

  // What each step changes, whether it is possible or not.
  void begin(int ballot) { set(place_1a(ballot)); }
  void promise(int acceptor, int ballot);
  void propose(int ballot, int value) { set(place_2a(ballot, value)); }
  void accept(int acceptor, int ballot, int value);

  // Every message of this state is one of the other.
  bool is_within(const ModelState& other) const;
  std::uint64_t hash() const;
  friend bool operator==(const ModelState&, const ModelState&) = default;

 private:
  static int place_1a(int ballot) { return ballot; }
  static int place_1b(int acceptor, int ballot, int accepted, int value) {
    const int report = accepted < 0 ? 0 : 1 + accepted * kValues + value;
    return 4 + (acceptor * kBallots + ballot) * (1 + kBallots * kValues) + report;
  }
  static int place_2a(int ballot, int value) { return 160 + ballot * kValues + value; }
  static int place_2b(int acceptor, int ballot, int value) {
    return 172 + (acceptor * kBallots + ballot) * kValues + value;
  }
  bool bit(int place) const {
    const auto at = static_cast<unsigned>(place);
    return ((messages_[at / 64] >> (at % 64)) & 1U) != 0;
  }
  void set(int place) {
    const auto at = static_cast<unsigned>(place);
    messages_[at / 64] |= std::uint64_t{1} << (at % 64);
  }

  std::array<std::uint64_t, 4> messages_{};
  std::array<Acceptor, kAcceptors> acceptors_{};
};

// The states after every possible step, one for each way to make it: a step that changes nothing
// counts as well.
std::vector<ModelState> next_states(const ModelShape& shape, const ModelState& state);

struct ModelSpace {
  std::vector<ModelState> states;  // distinct, breadth first
  std::size_t generated = 0;       // the initial state, and one for each step from each state
  std::size_t depth = 0;           // states on the longest of the shortest paths
};
ModelSpace explore_model(const ModelShape& shape);

}  // namespace photon::paxos::testing
