// Rounds: what the members of a group tell each other at regular times, that nothing has changed.
//
// In a round, when a timer of the group's leader fires, it sends one message to each other member,
// and each of them answers with one. While the group is idle, a round changes nothing in any member
// but times, and the next round replaces these. So a runtime that controls time may leave out
// rounds that are followed by others: it tells the leader how much time has passed on its clock,
// and lets the last two rounds happen in full before anything else happens to a member. The
// followers learn nothing new. Any other runtime ignores all this.
//
// Answers describe the present; they hold until something else than a round happens to a member.
#pragma once

#include <optional>
#include <span>

#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon {

class Rounds {
 public:
  struct Next {
    std::uint8_t timer = 0;  // its TimerKind
    MonotonicTime due{};     // of the next round
    Duration period{};       // from the instant at which a round begins to the due time of the next
    // A round must be over within this time: then no member sees any time limit pass.
    Duration limit{};
    std::span<const NodeId> members{};  // itself included; valid until the next call of the node
  };

  Rounds() = default;
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;
  virtual ~Rounds() = default;

  // Nothing, unless this process leads a group in which all members have answered to the last
  // round, no message of the group is under way, and the next rounds change nothing but times.
  virtual std::optional<Next> next_round() const = 0;
  // This member follows `leader`, and the next rounds change nothing in it but times.
  virtual bool follows(NodeId leader) const = 0;
  // The leader: rounds were left out in which that much time passed on its clock.
  virtual void rounds_passed(Duration time) = 0;
};

}  // namespace photon
