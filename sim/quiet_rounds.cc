#include "sim/quiet_rounds.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"

namespace photon::sim {

QuietRounds::QuietRounds(const Setup& setup)
    : parts_(setup), groups_(setup.processes.size()), records_(setup.processes.size()) {}

bool QuietRounds::may_leave_out(Process& process, TimerKind timer) {
  if (parts_.idle == IdleRounds::carried_out || parts_.kernel.relives()) return false;
  if (!process.may_rest()) return false;
  const std::optional<Rounds::Next> next = process.rounds()->next_round();
  if (!next || next->timer != timer) return false;
  Record& record = records_[process.info().id.value()];
  if (record.to_carry_out > 0) {
    --record.to_carry_out;
    return false;
  }
  if (parts_.faults.active() > 0 || !parts_.network.is_faultless() || !parts_.clocks.is_steady()) {
    return false;
  }
  std::optional<Group> group = resting_group(process, *next);
  if (!group) return false;
  const NodeId leader = process.info().id;
  process.rest(leader, timer);
  for (Process* follower : group->followers) follower->rest(leader, timer);
  groups_[leader.value()] = std::move(group);
  return true;
}

std::optional<QuietRounds::Group> QuietRounds::resting_group(Process& leader,
                                                             const Rounds::Next& next) const {
  const SimTime now = parts_.kernel.now();
  const NodeId self = leader.info().id;
  // A timer that was armed for something earlier.
  if (parts_.clocks.monotonic(leader.info().host, now) < next.due) return std::nullopt;
  Group group{&leader, next.timer, next.due, next.period, next.limit, now, {}};
  for (const NodeId member : next.members) {
    if (member == self) continue;
    Process& process = parts_.processes.at(member);
    const bool rests =
        process.may_rest() && process.rounds() != nullptr && process.rounds()->follows(self);
    if (!rests) return std::nullopt;
    const Duration there = parts_.network.longest(self, member);
    const Duration back = parts_.network.longest(member, self);
    if (there > next.limit || back > next.limit - there) return std::nullopt;
    group.followers.push_back(&process);
  }
  return group;
}

QuietRounds::Begin QuietRounds::last_two(const Group& group) const {
  const SimTime now = parts_.kernel.now();
  const HostId host = group.leader->info().host;
  Begin last{0, group.due, group.since};
  Begin one_before = last;
  while (true) {
    const MonotonicTime due = parts_.clocks.monotonic(host, last.at) + group.period;
    const SimTime at = parts_.clocks.when(host, due, last.at);
    if (at >= now) return one_before;
    one_before = std::exchange(last, Begin{last.rounds + 1, due, at});
  }
}

// When followers whose timers were let pass look at them: after they have heard from the leader, so
// that no time limit seems to have passed. In a group that has rested for less than that, at once:
// what they heard last is fresh.
SimTime QuietRounds::time_of_timers(const Group& group, const Begin& begin) const {
  const SimTime heard = begin.at + group.limit;
  return heard < parts_.kernel.now() ? heard : begin.at;
}

void QuietRounds::wake(NodeId leader) {
  PHOTON_CHECK(groups_[leader.value()].has_value(), "a group that rests wakes up");
  const Group group = std::move(*groups_[leader.value()]);
  groups_[leader.value()].reset();
  group.leader->wake();
  for (Process* follower : group.followers) follower->wake();
  const Begin begin = last_two(group);
  Record& record = records_[leader.value()];
  record.in_vain = begin.rounds > 0 ? 0 : std::min(2 * record.in_vain + 1, kMostInVain);
  record.to_carry_out = record.in_vain;
  if (begin.rounds > 0) {
    const std::uint64_t followers = group.followers.size();
    left_out_ += begin.rounds;
    group.leader->rounds()->rounds_passed(begin.due - group.due);
    group.leader->pass(begin.rounds * followers);
    for (Process* follower : group.followers) follower->pass(begin.rounds);
    parts_.network.pass(2 * begin.rounds * followers);
  }
  const SimTime looks = time_of_timers(group, begin);
  const Tap::Recall recall(parts_.tap, parts_.kernel.now(), begin.rounds);
  parts_.kernel.relive(begin.at, [&] {
    group.leader->set_timer_anew(group.timer, begin.due);
    for (Process* follower : group.followers) follower->see_to_timer(group.timer, looks);
  });
}

void QuietRounds::wake_all() {
  for (const std::optional<Group>& group : groups_) {
    if (group) wake(group->leader->info().id);
  }
}

}  // namespace photon::sim
