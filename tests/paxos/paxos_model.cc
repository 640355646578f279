#include "tests/paxos/paxos_model.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

namespace photon::paxos::testing {
namespace {

struct ModelHasher {
  using is_avalanching = void;
  std::size_t operator()(const ModelState& state) const { return state.hash(); }
};

bool has_proposed(const ModelShape& shape, const ModelState& state, int ballot) {
  for (int value = 0; value < shape.values; ++value) {
    if (state.has_2a(ballot, value)) return true;
  }
  return false;
}

// May `ballot` propose `value` by the promises of some majority? The reports of one acceptor to one
// ballot are one message: it promises a ballot once.
bool may_propose(const ModelShape& shape, const ModelState& state, int ballot, int value) {
  const auto quorums = 1U << static_cast<unsigned>(shape.acceptors);
  for (unsigned quorum = 0; quorum < quorums; ++quorum) {
    int members = 0;
    int highest = -1;
    int highest_value = -1;
    bool promised = true;
    for (int a = 0; a < shape.acceptors; ++a) {
      if (((quorum >> static_cast<unsigned>(a)) & 1U) == 0) continue;
      ++members;
      bool found = state.has_1b(a, ballot, -1, -1);
      for (int accepted = 0; accepted < shape.ballots; ++accepted) {
        for (int v = 0; v < shape.values; ++v) {
          if (!state.has_1b(a, ballot, accepted, v)) continue;
          found = true;
          if (accepted > highest) highest_value = v;
          highest = std::max(highest, accepted);
        }
      }
      promised = promised && found;
    }
    if (members <= shape.acceptors / 2 || !promised) continue;
    if (highest < 0 || highest_value == value) return true;
  }
  return false;
}

}  // namespace

void ModelState::promise(int acceptor, int ballot) {
  Acceptor& own = acceptors_[static_cast<std::size_t>(acceptor)];
  own.seen = ballot;
  set(place_1b(acceptor, ballot, own.accepted, own.value));
}

void ModelState::accept(int acceptor, int ballot, int value) {
  acceptors_[static_cast<std::size_t>(acceptor)] = {ballot, ballot, value};
  set(place_2b(acceptor, ballot, value));
}

bool ModelState::is_within(const ModelState& other) const {
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if ((messages_[i] & ~other.messages_[i]) != 0) return false;
  }
  return true;
}

std::uint64_t ModelState::hash() const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : messages_) hash = combine(hash, word);
  for (const Acceptor& acceptor : acceptors_) {
    const int fields = ((acceptor.seen + 1) * 16 + acceptor.accepted + 1) * 16 + acceptor.value + 1;
    hash = combine(hash, static_cast<std::uint64_t>(fields));
  }
  return hash;
}

std::vector<ModelState> next_states(const ModelShape& shape, const ModelState& state) {
  std::vector<ModelState> next;
  for (int ballot = 0; ballot < shape.ballots; ++ballot) {
    next.emplace_back(state).begin(ballot);
    for (int value = 0; value < shape.values; ++value) {
      const bool possible =
          !has_proposed(shape, state, ballot) && may_propose(shape, state, ballot, value);
      if (possible) next.emplace_back(state).propose(ballot, value);
    }
    for (int a = 0; a < shape.acceptors; ++a) {
      const int seen = state.acceptor(a).seen;
      if (state.has_1a(ballot) && ballot > seen) next.emplace_back(state).promise(a, ballot);
      for (int value = 0; value < shape.values; ++value) {
        const bool possible = state.has_2a(ballot, value) && ballot >= seen;
        if (possible) next.emplace_back(state).accept(a, ballot, value);
      }
    }
  }
  return next;
}

ModelSpace explore_model(const ModelShape& shape) {
  ModelSpace space;
  boost::unordered_flat_set<ModelState, ModelHasher> seen;
  space.states.push_back({});
  seen.insert(ModelState{});
  space.generated = 1;
  std::size_t level_end = 1;
  for (std::size_t i = 0; i < space.states.size(); ++i) {
    if (i == level_end) {
      level_end = space.states.size();
      ++space.depth;
    }
    for (const ModelState& next : next_states(shape, ModelState(space.states[i]))) {
      ++space.generated;
      if (seen.insert(next).second) space.states.push_back(next);
    }
  }
  ++space.depth;
  return space;
}

}  // namespace photon::paxos::testing
