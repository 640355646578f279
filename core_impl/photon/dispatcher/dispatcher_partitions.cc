// Which partitions a dispatcher worker owns: take-over, release, loss.

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/photon/dispatcher/dispatcher_worker.h"
#include "core_impl/photon/leases/lease_epoch.h"

namespace photon {
namespace {

// At the front, returned clicks come first; in the lane `backlog` they come last.
ClickSource sources_of(const DispatcherOptions& options, std::uint32_t partition) {
  const auto of = [&](VolumeId volume) {
    return logs::RecordSource::Options{volume, options.read_chunk, options.max_concurrent_reads,
                                       options.stalled_after};
  };
  const logs::ServerShare share{partition, options.partitions};
  const ClickSource::Log clicks{logs::LogType::foreign, of(options.logs), share};
  if (options.reinjected == Reinjected::ignored) return ClickSource({clicks});
  return ClickSource({{logs::LogType::reinjected, of(options.cell), share}, clicks});
}

StateStore::Options journal_of(const DispatcherOptions& options, std::uint32_t partition) {
  return {.cell = options.cell,
          .prefix = kDispatcherPrefix,
          .partition = partition,
          .lease = options.lease,
          .retry_delay = options.cell_retry_delay,
          .compaction_slack = options.compaction_slack,
          .timer = DispatcherWorker::kJournal};
}

}  // namespace

std::uint32_t DispatcherWorker::partitions_open(MonotonicTime now) const {
  return narrow<std::uint32_t>(
      std::ranges::count_if(mine_, [now](const Partition* each) { return each->is_open(now); }));
}

std::size_t DispatcherWorker::saved() const {
  std::size_t sum = 0;
  for (const Partition* const partition : mine_) sum += partition->intake.saved();
  return sum;
}

std::size_t DispatcherWorker::place_of(std::uint32_t number) const {
  const auto found = std::ranges::lower_bound(mine_, number, {}, &Partition::number);
  return found == mine_.end() ? 0 : static_cast<std::size_t>(found - mine_.begin());
}

void DispatcherWorker::tick(Context& context) {
  group_.tick(context);
  for (std::uint32_t number = 0; number < partitions_.size(); ++number) attend(context, number);
  context.set_timer(kGroup, context.now() + options_.lease / 3);
}

void DispatcherWorker::attend(Context& context, std::uint32_t number) {
  auto& partition = partitions_[number];
  if (group_.owner_of(number) != context.self()) {
    if (partition == nullptr) return;
    if (partition->stage == Partition::Stage::waiting) {
      PHOTON_MARK("dispatcher.partition.waited_in_vain");
      return forget(*partition);
    }
    if (partition->stage == Partition::Stage::owned) {
      PHOTON_MARK("dispatcher.partition.leaves");
      partition->stage = Partition::Stage::leaving;
    }
    return;
  }
  if (partition == nullptr) {
    partition = std::make_unique<Partition>(number, journal_of(options_, number),
                                            sources_of(options_, number));
    const auto next = std::ranges::upper_bound(mine_, number, {}, &Partition::number);
    mine_.insert(next, partition.get());
  } else if (partition->stage != Partition::Stage::waiting) {
    return;
  }
  partition->stage = Partition::Stage::looking;
  partition->intake.look(context);
}

// The journal was read. This worker may take it if its last owner has released it, is gone, or was
// this worker. It may also take it if no owner writes to it: then the next owner died between fence
// and first write.
void DispatcherWorker::take_if_free(Context& context, Partition& partition) {
  const OwnershipRecord& found = partition.intake.found();
  const LeaseEpoch last(found.epoch);
  const bool mine = found.owner == context.self();
  // A later life of this worker exists: this life is dead and does not know it yet.
  const bool outlived = mine && last.life() > context.incarnation();
  partition.unmoved = partition.intake.has_moved() ? 0 : partition.unmoved + 1;
  const bool others =
      !mine && group_.is_alive(found.owner) && partition.unmoved < WorkerGroup::kUnchangedReads;
  if (outlived) PHOTON_MARK("dispatcher.partition.outlived");
  if (outlived || others) {
    PHOTON_MARK("dispatcher.partition.has_an_owner");
    partition.stage = Partition::Stage::waiting;
    return;
  }
  if (!mine && found.owner != kNoNode) {
    PHOTON_MARK("dispatcher.partition.taken_from_the_silent");
  }
  std::uint32_t& round = rounds_[partition.number];
  round = std::max(round, last.round()) + 1;
  partition.stage = Partition::Stage::taking;
  const LeaseEpoch epoch(round, group_.number_of(context.self()), context.incarnation());
  partition.intake.start(context, epoch.value());
}

void DispatcherWorker::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (group_.on_io(ticket, result)) return pump(context);
  for (Partition* const partition : mine_) {
    const Intake::Event event = partition->intake.on_io(context, ticket, result);
    if (event == Intake::Event::not_mine) continue;
    on_intake_event(context, *partition, event);
    break;
  }
  // A completion that no partition takes belongs to a partition that another worker owns now.
  pump(context);
}

void DispatcherWorker::on_intake_event(Context& context, Partition& partition,
                                       Intake::Event event) {
  switch (event) {
    case Intake::Event::looked:
      PHOTON_CHECK(partition.stage == Partition::Stage::looking, "a look is asked for first");
      take_if_free(context, partition);
      break;
    case Intake::Event::recovered:
      PHOTON_CHECK(partition.stage == Partition::Stage::taking, "a take-over is begun first");
      recover(context, partition);
      break;
    case Intake::Event::ready:
      PHOTON_CHECK(partition.stage == Partition::Stage::taking, "what is owned was taken over");
      ++statistics_.taken_over;
      partition.stage = Partition::Stage::owned;
      partition.intake.scan(context);
      if (!std::exchange(scanning_, true)) arm_scan(context);
      break;
    case Intake::Event::fenced:
      PHOTON_MARK("dispatcher.partition.fenced");
      ++statistics_.fenced;
      forget(partition);
      break;
    case Intake::Event::released:
      PHOTON_MARK("dispatcher.partition.released");
      PHOTON_CHECK(partition.stage == Partition::Stage::leaving, "only what leaves is released");
      ++statistics_.released;
      forget(partition);
      break;
    case Intake::Event::not_mine:
    case Intake::Event::none:
    case Intake::Event::durable:
      break;
  }
}

auto DispatcherWorker::saved_clicks_of(const Partition& partition) {
  return [this, &partition](Bytes& content) {
    clicks_.for_each([&](Handle, const Click& click) {
      if (click.partition != partition.number || click.stored == Stored::no) return;
      append_journal(record_of(click), content);
    });
  };
}

// The journal of the earlier owner: where to continue reading, and the clicks to try again at their
// old due time.
void DispatcherWorker::recover(Context& context, Partition& partition) {
  const auto restored = [&](SavedRecord&& record, const IntentRecord*) {
    return restore(context, partition, std::move(record));
  };
  partition.intake.recover(context, restored, saved_clicks_of(partition));
}

DispatcherWorker::Handle DispatcherWorker::restore(Context& context, const Partition& partition,
                                                   SavedRecord record) {
  PHOTON_MARK("dispatcher.recovery.saved_click");
  Click click;
  click.id = record.click;
  click.query = record.query;
  click.payload = std::move(record.payload);
  click.partition = partition.number;
  click.due = record.due;
  click.last_joiner = record.last_joiner;
  click.removed_at = record.removed_at;
  click.attempts = record.handed_on;
  click.failures = record.tries;
  click.stored = Stored::yes;
  // A calendar clock may have been stepped: no pause becomes longer than the longest of all.
  const Duration left =
      std::clamp<Duration>(record.due - context.wall(), Duration{}, options_.backoff.longest());
  const Handle handle = clicks_.begin(std::move(click));
  clicks_.await(context, handle, rpc::Waiting::for_retry, context.now() + left);
  return handle;
}

SavedRecord DispatcherWorker::record_of(const Click& click) {
  return SavedRecord{.click = click.id,
                     .query = click.query,
                     .handed_on = click.attempts,
                     .tries = click.failures,
                     .due = click.due,
                     .last_joiner = click.last_joiner,
                     .removed_at = click.removed_at,
                     .payload = click.payload};
}

void DispatcherWorker::write_journals(Context& context) {
  for (Partition* const partition : mine_) {
    if (partition->stage == Partition::Stage::leaving && partition->intake.may_release()) {
      let_go(context, *partition);
    } else if (partition->intake.write(context, saved_clicks_of(*partition))) {
      PHOTON_MARK("dispatcher.journal.compacted");
    }
  }
}

// Clicks that are neither finished nor saved lie after the offset: the next owner reads them again.
void DispatcherWorker::let_go(Context& context, Partition& partition) {
  PHOTON_CHECK(partition.stage == Partition::Stage::leaving,
               "only a partition that is left is let go");
  partition.intake.release(context, saved_clicks_of(partition));
  forget_clicks(partition);
}

void DispatcherWorker::forget_clicks(Partition& partition) {
  for (const Handle handle : partition.sendable) sendable_ -= sent_with(handle);
  forget_groups(partition);
  PooledVector<Handle> gone;
  clicks_.for_each([&](Handle handle, const Click& click) {
    if (click.partition == partition.number) gone.push_back(handle);
  });
  for (const Handle handle : gone) forget_click(handle);
  partition.sendable.clear();
  partition.retries.clear();
  partition.intake.forget_clicks();
}

// The joiner does not know that the click has a new owner, and works for this worker until it
// answers. So the click keeps its place under the cap of sends (J-S12), and only that.
void DispatcherWorker::forget_click(Handle handle) {
  Click& click = *clicks_.find(handle);
  leave_backlog(click);
  late_.erase(click.request);
  if (requests_.find(click.request) != handle) return clicks_.end(handle);
  PHOTON_MARK("dispatcher.click.handed_on");
  click.partition = kHandedOn;
  click.group = 0;
}

void DispatcherWorker::forget(Partition& partition) {
  forget_clicks(partition);
  const auto place = std::ranges::find(mine_, &partition);
  PHOTON_CHECK(place != mine_.end(), "only a partition of this worker is forgotten");
  mine_.erase(place);
  partitions_[partition.number].reset();
}

}  // namespace photon
