// Leaves out the rounds of idle groups (core_impl/runtime/rounds.h): exact, not an approximation.
//
// A group rests from the instant at which a round of it is due that, like every later one, changes
// nothing but times. It wakes as soon as anything else is about to happen to a member: a message,
// another timer, a crash, a pause, a fault anywhere, or the end of the run. Then its leader is told
// how much time has passed, and the last two rounds that have begun by now happen in full, in the
// past, one after the other (Kernel::relive); what is still under way joins the queue. Why this
// gives what would have happened:
//  * Random words belong to the sender's message by number, and those of the rounds that are left
//    out are counted. So the messages of the last two rounds have the delays that they would have.
//  * In a round no message is lost, delayed by a fault or sent twice, no member is busy, no volume
//    is asked, and all answers are back before the next one begins: otherwise the group does not
//    rest. So members have no state but what rounds.h speaks of.
//  * The last round that has begun may be unfinished. What it has not replaced yet is of the round
//    before: hence two.
// A group that was woken before a round could be left out carries out some rounds before it rests
// again, more each time: where something happens all the time, resting would cost more than it
// saves.
//
// The trace has the records of those two, as recalled. Not as it would have been: the numbers by
// which traces match messages, the order of events of one nanosecond, and no-op timer events.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core_impl/runtime/context.h"
#include "core_impl/runtime/rounds.h"
#include "sim/fault_injector.h"
#include "sim/kernel.h"
#include "sim/network.h"
#include "sim/ports.h"
#include "sim/processes.h"
#include "sim/tap.h"

namespace photon::sim {

enum class IdleRounds : std::uint8_t { carried_out, left_out };

class QuietRounds {
 public:
  struct Setup {
    Kernel& kernel;
    const ClockModel& clocks;
    Tap& tap;
    Processes& processes;
    Network& network;
    const FaultInjector& faults;
    IdleRounds idle = IdleRounds::carried_out;
  };
  explicit QuietRounds(const Setup& setup);

  // The process has a timer that is due. True if that begins a round and its group rests from now
  // on: then the timer does not fire.
  bool may_leave_out(Process& process, TimerKind timer);
  // The group of that leader rests no more.
  void wake(NodeId leader);
  void wake_all();

  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Group {
    Process* leader = nullptr;
    TimerKind timer = 0;
    MonotonicTime due{};  // of the first round
    Duration period{};
    Duration limit{};  // no round takes longer
    SimTime since{};   // when that round begins
    PooledVector<Process*> followers{};
  };
  // Of the rounds that have begun by now, the first of the last two.
  struct Begin {
    std::uint64_t rounds = 0;  // that began before it
    MonotonicTime due{};
    SimTime at{};
  };

  // How a group has fared.
  struct Record {
    std::uint32_t to_carry_out = 0;  // idle rounds, before it rests again
    std::uint32_t in_vain = 0;       // as many the last time; 0 after a rest that was worth it
  };
  static constexpr std::uint32_t kMostInVain = 63;

  std::optional<Group> resting_group(Process& leader, const Rounds::Next& next) const;
  Begin last_two(const Group& group) const;
  SimTime time_of_timers(const Group& group, const Begin& begin) const;

  Setup parts_;
  std::vector<std::optional<Group>> groups_;  // by the leader's number
  std::vector<Record> records_;               // likewise
  std::uint64_t left_out_ = 0;
};

}  // namespace photon::sim
