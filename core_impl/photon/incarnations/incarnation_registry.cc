#include "core_impl/photon/incarnations/incarnation_registry.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"

namespace photon {
namespace {

struct Table {
  PooledVector<IncarnationRegistry::Row> rows;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.rows);
  }
};

// As `save` leaves it: by address, and no life is the last one that there can be.
bool is_sound(const Table& table) {
  using Row = IncarnationRegistry::Row;
  constexpr std::uint32_t kLast = ~std::uint32_t{0};
  const bool ordered = std::ranges::adjacent_find(table.rows, std::ranges::greater_equal{},
                                                  &Row::address) == table.rows.end();
  return ordered &&
         std::ranges::none_of(table.rows, [](const Row& row) { return row.incarnation == kLast; });
}

}  // namespace

IncarnationRegistry::IncarnationRegistry(IncarnationRegistryOptions options)
    : options_(std::move(options)) {}

void IncarnationRegistry::on_start(Context& context) {
  submit(context, {.purpose = Purpose::fence_table});
}

void IncarnationRegistry::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void IncarnationRegistry::on_timer(Context& context, TimerKind /*kind*/) {
  alarm_.fired();
  PooledVector<Operation> again;
  again.swap(failed_);
  for (const Operation& operation : again) submit(context, operation);
}

void IncarnationRegistry::on(Context& context, NodeId from, const IncarnationRequest& request) {
  // Before the table is known nothing can be granted; the asker repeats itself.
  if (stage_ != Stage::serving) {
    PHOTON_MARK("incarnations.request.before_the_table");
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
  const bool dead = life != nullptr && life->fenced > query.incarnation;
  if (dead) PHOTON_MARK("incarnations.query.dead");
  context.send(from, Body::make(IncarnationAnswer{
                         query.address, query.incarnation,
                         dead ? Liveness::dead_and_fenced : Liveness::maybe_alive}));
}

void IncarnationRegistry::on_io(Context& context, Ticket ticket, IoResult& result) {
  const auto place = std::ranges::find(submitted_, ticket, &Operation::ticket);
  PHOTON_CHECK(place != submitted_.end(), "a completion belongs to a request of this life");
  const Operation operation = *place;
  submitted_.erase(place);
  if (stage_ == Stage::deposed) {
    PHOTON_MARK("incarnations.registry.deposed_already");
    return;
  }
  const bool on_table = operation.purpose != Purpose::fence_files;
  if (on_table && result.status == IoStatus::fenced) {
    PHOTON_MARK("incarnations.registry.deposed");
    stage_ = Stage::deposed;  // a later life of this registry has taken over
    return;
  }
  const bool fresh_table =
      operation.purpose == Purpose::read_table && result.status == IoStatus::missing;
  // A fence for an incarnation that has been superseded meanwhile is of no more use.
  if (!on_table && operation.incarnation != life_of(operation.address).saved) {
    PHOTON_MARK("incarnations.fence.superseded");
    return;
  }
  if (result.status != IoStatus::ok && !fresh_table) return retry_later(context, operation);
  switch (operation.purpose) {
    case Purpose::fence_table:
      stage_ = Stage::reading_table;
      return submit(context, {.purpose = Purpose::read_table});
    case Purpose::read_table:
      return on_table_read(context, result);
    case Purpose::save_table:
      return on_saved(context);
    case Purpose::fence_files:
      return on_files_fenced(context, operation);
  }
}

void IncarnationRegistry::on_table_read(Context& context, const IoResult& result) {
  Table table;
  if (result.status == IoStatus::ok) {
    const RecordView record = view_record(result.data);
    // A damaged table must not be guessed at: an incarnation granted twice is a duplicate output.
    // Reading again later costs availability only.
    if (record.status != RecordStatus::complete || !decode_record(record.body, table) ||
        !is_sound(table)) {
      PHOTON_MARK("incarnations.table.damaged");
      return retry_later(context, {.purpose = Purpose::read_table});
    }
  }
  for (const Row& row : table.rows) {
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
  submit(context, {.purpose = Purpose::save_table});
}

void IncarnationRegistry::on_saved(Context& context) {
  const bool stale = saving_ == Saving::busy_and_stale;
  saving_ = Saving::idle;
  for (const Row& row : written_) {
    Life& life = life_of(row.address);
    if (life.saved == row.incarnation) continue;
    PHOTON_CHECK(life.saved < row.incarnation, "incarnations only grow");
    life.saved = row.incarnation;
    fence(context, life);
  }
  if (stale) save(context);
}

void IncarnationRegistry::fence(Context& context, Life& life) {
  life.open_fences = 0;
  for (std::uint32_t rule = 0; rule < options_.fenced.size(); ++rule) {
    if (options_.fenced[rule].address != life.row.address) continue;
    ++life.open_fences;
    submit(context, {.purpose = Purpose::fence_files,
                     .address = life.row.address,
                     .incarnation = life.saved,
                     .rule = rule});
  }
  if (life.open_fences == 0) {
    life.fenced = life.saved;
    grant(context, life);
  }
}

void IncarnationRegistry::on_files_fenced(Context& context, const Operation& operation) {
  Life& life = life_of(operation.address);
  PHOTON_CHECK(life.open_fences > 0, "a fence completes once");
  if (--life.open_fences > 0) return;
  life.fenced = life.saved;
  grant(context, life);
}

void IncarnationRegistry::grant(Context& context, Life& life) {
  // Only the latest incarnation is granted: an asker whose request is newer waits for its own.
  if (life.asker == kNoNode || life.fenced != life.row.incarnation) {
    PHOTON_MARK("incarnations.grant.nobody_waits");
    return;
  }
  context.send(life.asker, Body::make(IncarnationGrant{life.row.address, life.row.request,
                                                       life.row.incarnation}));
  life.asker = kNoNode;
}

void IncarnationRegistry::submit(Context& context, Operation operation) {
  VolumeRequest request;
  switch (operation.purpose) {
    case Purpose::fence_table:
      request = table_request(context, VolumeOperation::fence);
      break;
    case Purpose::read_table:
      request = table_request(context, VolumeOperation::read);
      request.length = static_cast<std::uint32_t>(kMaxRecordBody + kRecordOverhead);
      break;
    case Purpose::save_table: {
      request = table_request(context, VolumeOperation::replace);
      Table table;
      for (const Life& life : lives_) table.rows.push_back(life.row);
      append_encoded(table, request.data);
      written_ = std::move(table.rows);
      break;
    }
    case Purpose::fence_files: {
      const FencedFiles& files = options_.fenced[operation.rule];
      request.volume = files.volume;
      request.operation = VolumeOperation::fence;
      request.file = files.prefix;
      request.epoch = operation.incarnation;
      break;
    }
  }
  operation.ticket = context.submit(std::move(request));
  submitted_.push_back(operation);
}

void IncarnationRegistry::retry_later(Context& context, const Operation& operation) {
  PHOTON_MARK("incarnations.volume.refused");
  failed_.push_back(operation);
  alarm_.no_later_than(context, context.now() + options_.retry_after);
}

VolumeRequest IncarnationRegistry::table_request(Context& context,
                                                 VolumeOperation operation) const {
  VolumeRequest request;
  request.volume = options_.cell;
  request.operation = operation;
  request.file = options_.table;
  request.epoch = context.incarnation().value();
  return request;
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
