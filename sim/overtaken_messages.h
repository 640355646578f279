// Answers that wait until what they say about shared state is out of date.
//
// The network notes each statement that is sent: one with a newer version is a change. A message
// that is held leaves after a number of later changes of the state that it speaks of, or when its
// fault ends. So it comes after these changes by construction, whatever the delays of the network.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/hash.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/runtime/body.h"
#include "sim/statement.h"

namespace photon::sim {

class OvertakenMessages {
 public:
  struct Held {
    std::uint32_t fault = 0;
    NodeId from{};
    NodeId to{};
    SimTime departure{};
    std::uint64_t word = 0;  // for its delay
    Body body{};
  };
  struct Released {
    Held message{};
    bool overtaken = false;  // what it says has changed since it was sent
  };

  bool empty() const { return waiting_.empty(); }
  // A message that says this is sent. True if that is a change: only then may others leave.
  bool note(const Statement& statement);
  // `statement` has been noted. The message leaves after this number of later changes.
  void hold(Held message, const Statement& statement, std::uint64_t changes);
  // Removes those that leave now, in the order in which they were held: what they say has changed
  // often enough, or `ended` is their fault.
  std::vector<Released> release(std::optional<std::uint32_t> ended = {});

 private:
  struct Changes {
    std::optional<std::uint64_t> newest{};
    std::uint64_t count = 0;
  };
  struct Waiting {
    Held message{};
    std::uint64_t subject = 0;
    std::uint64_t since = 0;  // the count of changes when it was sent
    std::uint64_t until = 0;
  };
  static std::uint64_t subject_of(const Statement& statement) {
    return (std::uint64_t{statement.topic} << 32U) | statement.key;
  }

  boost::unordered_flat_map<std::uint64_t, Changes, Hasher> changes_;  // by subject
  std::vector<Waiting> waiting_;
};

}  // namespace photon::sim
