#include "core_impl/photon/incarnations/incarnation_registry.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

IncarnationRegistry::IncarnationRegistry(IncarnationRegistryOptions options)
    : options_(std::move(options)),
      table_({options_.cell, options_.retry_after, options_.scrub_period}) {}

void IncarnationRegistry::on_start(Context& context) { table_.start(context); }

void IncarnationRegistry::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void IncarnationRegistry::on_timer(Context& context, TimerKind /*kind*/) {
  alarm_.fired();
  if (stage_ == Stage::deposed) return;
  table_.on_timer(context);
  PooledVector<Fence> again;
  again.swap(failed_);
  for (const Fence& fence : again) submit(context, fence);
  arm(context);
}

void IncarnationRegistry::on(Context& context, NodeId from, const IncarnationRequest& request) {
  // Before the table is known nothing can be granted; the asker repeats itself.
  if (stage_ != Stage::serving) {
    PHOTON_MARK("incarnations.request.before_the_table");
    if (table_.is_lost()) PHOTON_MARK("incarnations.request.table_lost");
    return;
  }
  if (request.request == 0) return;  // lives count from one
  Life& life = life_of(request.address);
  if (request.request < life.row.request) {
    PHOTON_MARK("incarnations.request.of_a_dead_life");
    return;  // a dead life, speaking late
  }
  life.asker = from;
  if (request.request > life.row.request) {
    ++life.row.incarnation;
    life.row.request = request.request;
    save(context);
  } else if (life.fenced == life.row.incarnation) {
    PHOTON_MARK("incarnations.request.repeated");
    grant(context, life);
  }
}

void IncarnationRegistry::on(Context& context, NodeId from, const IncarnationQuery& query) {
  const Life* life = find(query.address);
  if (life != nullptr) PHOTON_LIMIT("incarnations.fence.life", life->fenced, query.incarnation);
  const bool dead = life != nullptr && life->fenced > query.incarnation;
  if (dead) PHOTON_MARK("incarnations.query.dead");
  context.send(from, Body::make(IncarnationAnswer{
                         query.address, query.incarnation,
                         dead ? Liveness::dead_and_fenced : Liveness::maybe_alive}));
}

void IncarnationRegistry::on_io(Context& context, Ticket ticket, IoResult& result) {
  if (table_.owns(ticket)) {
    on_table(context, table_.on_io(context, result));
    return arm(context);
  }
  const auto place = std::ranges::find(submitted_, ticket, &Fence::ticket);
  PHOTON_CHECK(place != submitted_.end(), "a completion belongs to a request of this life");
  const Fence fence = *place;
  submitted_.erase(place);
  on_fenced(context, fence, result.status);
}

void IncarnationRegistry::on_table(Context& context, IncarnationTable::Event event) {
  switch (event) {
    case IncarnationTable::Event::none:
      return;
    case IncarnationTable::Event::loaded:
      return on_loaded(context);
    case IncarnationTable::Event::saved:
      return on_saved(context);
    case IncarnationTable::Event::deposed:
      stage_ = Stage::deposed;  // a later life of this registry has taken over
      return;
  }
}

void IncarnationRegistry::on_loaded(Context& context) {
  PHOTON_CHECK(stage_ == Stage::loading && lives_.empty(), "the table is loaded once, first");
  for (const GrantedLife& row : table_.rows()) {
    Life& life = life_of(row.address);
    life.row = row;
    life.saved = row.incarnation;
  }
  stage_ = Stage::serving;
  for (Life& life : lives_) fence(context, life);
}

void IncarnationRegistry::save(Context& context) {
  if (saving_ != Saving::idle) {
    PHOTON_MARK("incarnations.table.saved_meanwhile");
    saving_ = Saving::busy_and_stale;
    return;
  }
  saving_ = Saving::busy;
  PooledVector<GrantedLife> rows;
  for (const Life& life : lives_) rows.push_back(life.row);
  table_.save(context, std::move(rows));
}

void IncarnationRegistry::on_saved(Context& context) {
  PHOTON_CHECK(saving_ != Saving::idle, "a save completes once");
  const bool stale = saving_ == Saving::busy_and_stale;
  saving_ = Saving::idle;
  for (const GrantedLife& row : table_.rows()) {
    Life& life = life_of(row.address);
    if (life.saved == row.incarnation) continue;
    PHOTON_CHECK(life.saved < row.incarnation, "incarnations only grow");
    life.saved = row.incarnation;
    PHOTON_CHECK(life.saved <= life.row.incarnation, "an incarnation is given before it is saved");
    fence(context, life);
  }
  if (stale) save(context);
}

void IncarnationRegistry::fence(Context& context, Life& life) {
  life.open_fences = 0;
  for (std::uint32_t rule = 0; rule < options_.fenced.size(); ++rule) {
    if (options_.fenced[rule].address != life.row.address) continue;
    ++life.open_fences;
    submit(context, {.address = life.row.address, .incarnation = life.saved, .rule = rule});
  }
  if (life.open_fences == 0) {
    life.fenced = life.saved;
    grant(context, life);
  }
}

void IncarnationRegistry::on_fenced(Context& context, Fence fence, IoStatus status) {
  if (stage_ == Stage::deposed) {
    PHOTON_MARK("incarnations.registry.deposed_already");
    return;
  }
  Life& life = life_of(fence.address);
  // A fence for an incarnation that has been superseded meanwhile is useless.
  if (fence.incarnation != life.saved) {
    PHOTON_MARK("incarnations.fence.superseded");
    return;
  }
  if (status != IoStatus::ok) {
    PHOTON_MARK("incarnations.fence.refused");
    failed_.push_back(fence);
    return arm(context);
  }
  PHOTON_CHECK(life.open_fences > 0, "a fence completes once");
  if (--life.open_fences > 0) return;
  life.fenced = life.saved;
  PHOTON_CHECK(life.fenced <= life.row.incarnation, "an incarnation is given before it is fenced");
  grant(context, life);
}

void IncarnationRegistry::grant(Context& context, Life& life) {
  // Only the latest incarnation is granted: an asker whose request is newer waits for its own.
  if (life.asker == kNoNode || life.fenced != life.row.incarnation) {
    PHOTON_MARK("incarnations.grant.not_awaited");
    return;
  }
  context.send(life.asker, Body::make(IncarnationGrant{life.row.address, life.row.request,
                                                       life.row.incarnation}));
}

void IncarnationRegistry::submit(Context& context, Fence fence) {
  PHOTON_CHECK(fence.rule < options_.fenced.size(), "a fence follows a rule");
  const FencedFiles& files = options_.fenced[fence.rule];
  VolumeRequest request;
  request.volume = files.volume;
  request.operation = VolumeOperation::fence;
  request.file = files.prefix;
  request.epoch = fence.incarnation;
  fence.ticket = context.submit(std::move(request));
  submitted_.push_back(fence);
}

void IncarnationRegistry::arm(Context& context) {
  MonotonicTime due = table_.due();
  if (!failed_.empty()) due = std::min(due, context.now() + options_.retry_after);
  if (due != MonotonicTime::max()) alarm_.no_later_than(context, due);
}

IncarnationRegistry::Life* IncarnationRegistry::find(std::uint32_t address) {
  const auto place = std::ranges::lower_bound(lives_, address, {},
                                              [](const Life& life) { return life.row.address; });
  return place != lives_.end() && place->row.address == address ? &*place : nullptr;
}

IncarnationRegistry::Life& IncarnationRegistry::life_of(std::uint32_t address) {
  const auto place = std::ranges::lower_bound(lives_, address, {},
                                              [](const Life& life) { return life.row.address; });
  if (place != lives_.end() && place->row.address == address) return *place;
  Life life;
  life.row.address = address;
  return *lives_.insert(place, life);
}

}  // namespace photon
