// Clicks in groups (click_groups.h). With groups of one there are none: the functions here, called
// for each click, scan or partition, return at once.

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/photon/dispatcher/dispatcher_worker.h"

namespace photon {

void DispatcherWorker::enter_group(Context& context, Partition& partition, Handle handle) {
  if (options_.group <= 1) return;
  if (partition.forming == 0) {
    partition.forming = groups_.emplace();
    ClickGroup& begun = *groups_.find(partition.forming);
    begun.partition = partition.number;
    begun.since = context.now();
  }
  ClickGroup& group = *groups_.find(partition.forming);
  PHOTON_CHECK(group.forming && group.partition == partition.number,
               "a click enters the forming group of its partition");
  group.take(handle);
  Click& click = *clicks_.find(handle);
  PHOTON_CHECK(click.group == 0 && !click.awaited, "a click enters one group");
  click.group = partition.forming;
  click.awaited = true;
  if (group.taken < options_.group) return;
  group.forming = false;
  partition.forming = 0;
}

// A group that has waited long enough is sent as it is.
void DispatcherWorker::close_group(Context& context, Partition& partition) {
  if (partition.forming == 0) return;
  const ClickGroups::Handle number = partition.forming;
  ClickGroup& group = *groups_.find(number);
  PHOTON_LIMIT("dispatcher.group.wait", context.now() - group.since, options_.group_wait);
  if (context.now() - group.since < options_.group_wait) {
    PHOTON_MARK("dispatcher.group.waits_for_more");
    return;
  }
  PHOTON_MARK("dispatcher.group.goes_incomplete");
  group.forming = false;
  partition.forming = 0;
  end_phase_if_complete(context, number);
}

// This member awaits nothing until the next phase. May end the phase. A click that waits for its
// group does not count as looked up in the backlog: else a group larger than the backlog's share of
// look-ups would never be full.
void DispatcherWorker::note_member(Context& context, Handle handle) {
  Click& click = *clicks_.find(handle);
  PHOTON_CHECK(click.awaited, "a member is heard of once in a phase");
  click.awaited = false;
  leave_backlog(click);
  PHOTON_CHECK(groups_.find(click.group)->awaited > 0, "a group counts the members that it awaits");
  --groups_.find(click.group)->awaited;
  end_phase_if_complete(context, click.group);
}

// The member is finished: the group is one smaller, and may have waited only for it.
void DispatcherWorker::leave_group(Context& context, Handle handle, const Click& click) {
  const ClickGroups::Handle number = click.group;
  ClickGroup& group = *groups_.find(number);
  group.leave(handle);
  PHOTON_CHECK(!click.awaited || group.awaited > 0, "a group counts the members that it awaits");
  if (click.awaited) --group.awaited;
  end_phase_if_complete(context, number);
}

void DispatcherWorker::end_phase_if_complete(Context& context, ClickGroups::Handle number) {
  ClickGroup& group = *groups_.find(number);
  if (!group.is_complete()) return;
  if (group.members.empty()) {
    PHOTON_MARK("dispatcher.group.all_finished");
    groups_.erase(number);
  } else if (group.phase == ClickGroup::Phase::sent || group.failed) {
    PHOTON_MARK("dispatcher.group.failed");
    save_group(context, group);
  } else {
    await_send_of(group);
  }
}

void DispatcherWorker::await_send_of(ClickGroup& group) {
  PHOTON_CHECK(!group.members.empty(), "a group without members is over");
  begin_phase(group, ClickGroup::Phase::sent);
  partitions_[group.partition]->sendable.push_back(group.members.front());
  sendable_ += group.members.size();
}

// All members at the same moment, by the first one's count of failures.
void DispatcherWorker::save_group(Context& context, ClickGroup& group) {
  begin_phase(group, ClickGroup::Phase::looked_up);
  PHOTON_CHECK(!group.members.empty(), "a group without members is over");
  const Click& first = *clicks_.find(group.members.front());
  const Duration delay = delay_after(context, first, first.failures + 1);
  for (const Handle member : group.members) save(context, member, delay);
}

void DispatcherWorker::begin_phase(ClickGroup& group, ClickGroup::Phase phase) {
  group.begin(phase);
  for (const Handle member : group.members) clicks_.find(member)->awaited = true;
}

// The number of clicks that are sent together with this one.
std::size_t DispatcherWorker::sent_with(Handle handle) {
  const Click& click = *clicks_.find(handle);
  return click.group == 0 ? 1 : groups_.find(click.group)->members.size();
}

void DispatcherWorker::send_group(Context& context, const ClickGroup& group) {
  PHOTON_CHECK(group.phase == ClickGroup::Phase::sent, "a group is sent after its look-ups");
  const NodeId joiner = choose_joiner(context, *clicks_.find(group.members.front()));
  JoinGroupRequest all;
  for (const Handle member : group.members) {
    all.members.push_back(request_for(context, member, *clicks_.find(member), joiner));
  }
  context.send(joiner, Body::make(std::move(all)));
  for (const Handle member : group.members) await_answer(context, member);
}

void DispatcherWorker::forget_groups(Partition& partition) {
  partition.forming = 0;
  PooledVector<ClickGroups::Handle> gone;
  groups_.for_each([&](ClickGroups::Handle number, const ClickGroup& group) {
    if (group.partition == partition.number) gone.push_back(number);
  });
  if (!gone.empty()) PHOTON_MARK("dispatcher.group.forgotten");
  for (const ClickGroups::Handle number : gone) groups_.erase(number);
}

}  // namespace photon
