#include "core_impl/photon/incarnations/incarnation_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/record_codec.h"

namespace photon {
namespace {

constexpr std::string_view kTablePrefix = "incarnations/table";
constexpr std::array<std::string_view, kIncarnationTableCopies> kTableCopies{
    "incarnations/table.0", "incarnations/table.1"};
static_assert(kTableCopies[0].starts_with(kTablePrefix) &&
                  kTableCopies[1].starts_with(kTablePrefix),
              "one fence shuts out the writes of earlier lives to every copy");

bool is_in_order(const PooledVector<GrantedLife>& rows) {
  return std::ranges::adjacent_find(rows, std::ranges::greater_equal{}, &GrantedLife::address) ==
         rows.end();
}

// As `save` leaves it: numbered and ordered by address; each life can have a successor.
bool is_sound(const GrantedLives& lives) {
  constexpr std::uint64_t kLastNumber = ~std::uint64_t{0};
  constexpr std::uint32_t kLastLife = ~std::uint32_t{0};
  return lives.number > 0 && lives.number < kLastNumber && is_in_order(lives.rows) &&
         std::ranges::none_of(lives.rows,
                              [](const GrantedLife& row) { return row.incarnation == kLastLife; });
}

bool read_copy(const Bytes& bytes, GrantedLives& lives) {
  const RecordView record = view_record(bytes);
  return record.status == RecordStatus::complete && decode_record(record.body, lives) &&
         is_sound(lives);
}

}  // namespace

FileName incarnation_table_copy(std::uint32_t copy) {
  PHOTON_CHECK(copy < kIncarnationTableCopies, "the table has that many copies");
  return FileName(kTableCopies[copy]);
}

void IncarnationTable::start(Context& context) {
  PHOTON_CHECK(stage_ == Stage::fencing && !retry_.busy(), "a table starts once");
  submit(context);
}

void IncarnationTable::save(Context& context, PooledVector<GrantedLife> rows) {
  PHOTON_CHECK(loaded_ && stage_ != Stage::deposed, "only a table that is known is saved");
  PHOTON_CHECK(stage_ != Stage::saving && !next_, "one save at a time");
  PHOTON_CHECK(is_in_order(rows), "rows are ordered by address");
  next_ = std::move(rows);
  if (stage_ == Stage::idle) {
    begin_save(context);
  } else {
    PHOTON_MARK("incarnations.table.saved_after_a_scrub");
  }
}

void IncarnationTable::begin_save(Context& context) {
  PHOTON_CHECK(next_.has_value() && stage_ == Stage::idle, "an idle table saves what comes next");
  ++lives_.number;
  lives_.rows = std::move(*next_);
  next_.reset();
  scrub_due_ = MonotonicTime::max();
  stage_ = Stage::saving;
  copy_ = 0;
  submit(context);
}

MonotonicTime IncarnationTable::due() const { return std::min(retry_.due(), scrub_due_); }

IncarnationTable::Event IncarnationTable::on_io(Context& context, const IoResult& result) {
  if (!retry_.answered(context, result.status)) {
    PHOTON_MARK("incarnations.volume.refused");
    return Event::none;
  }
  if (result.status == IoStatus::fenced) {
    PHOTON_MARK("incarnations.registry.deposed");
    stage_ = Stage::deposed;
    scrub_due_ = MonotonicTime::max();
    return Event::deposed;
  }
  return on_answer(context, result);
}

void IncarnationTable::on_timer(Context& context) {
  if (retry_.take_due(context)) submit(context);
  if (stage_ != Stage::idle || context.now() < scrub_due_) return;
  scrub_due_ = MonotonicTime::max();
  stage_ = Stage::reading;
  copy_ = 0;
  submit(context);
}

IncarnationTable::Event IncarnationTable::on_answer(Context& context, const IoResult& result) {
  if (stage_ == Stage::reading) return on_read(context, result);
  PHOTON_CHECK(result.status == IoStatus::ok, "a fence or a replacement is done or refused");
  if (stage_ == Stage::fencing) {
    stage_ = Stage::reading;
    submit(context);
    return Event::none;
  }
  PHOTON_CHECK(stage_ == Stage::repairing || stage_ == Stage::saving, "an idle table asks nothing");
  ++copy_;
  if (stage_ == Stage::repairing) return repair_next(context);
  if (copy_ < kIncarnationTableCopies) {
    submit(context);
    return Event::none;
  }
  static_cast<void>(become_idle(context));
  return Event::saved;
}

IncarnationTable::Event IncarnationTable::on_read(Context& context, const IoResult& result) {
  PHOTON_CHECK(copy_ < kIncarnationTableCopies, "a copy is one of the table's");
  Copy& copy = copies_[copy_];
  if (result.status == IoStatus::missing) {
    copy.condition = Condition::missing;
  } else if (result.status == IoStatus::ok && read_copy(result.data, copy.found)) {
    copy.condition = Condition::readable;
  } else {
    PHOTON_MARK("incarnations.table.damaged");
    copy.condition = Condition::unreadable;
  }
  if (++copy_ == kIncarnationTableCopies) return choose(context);
  submit(context);
  return Event::none;
}

IncarnationTable::Event IncarnationTable::choose(Context& context) {
  PHOTON_CHECK(stage_ == Stage::reading, "the copies are compared after they are read");
  copy_ = 0;
  for (const Copy& copy : copies_) {
    const bool readable = copy.condition == Condition::readable;
    if (!loaded_ && readable && lives_.number < copy.found.number) lives_ = copy.found;
  }
  const bool unreadable = std::ranges::any_of(
      copies_, [](const Copy& copy) { return copy.condition == Condition::unreadable; });
  lost_ = lives_.number == 0 && unreadable;
  if (lost_) {
    PHOTON_CHECK(!loaded_, "a table in memory is not lost");
    PHOTON_MARK("incarnations.table.lost");
    ++statistics_.lost;
    retry_.wait(context);
    return Event::none;
  }
  for (Copy& copy : copies_) {
    const bool readable = copy.condition == Condition::readable;
    if (readable && copy.found == lives_) copy.condition = Condition::same;
  }
  stage_ = Stage::repairing;
  return repair_next(context);
}

// Writes the next copy that does not hold lives_, or reports that all do. If nothing was ever
// saved, there is nothing to write.
IncarnationTable::Event IncarnationTable::repair_next(Context& context) {
  if (lives_.number == 0) copy_ = kIncarnationTableCopies;
  while (copy_ < kIncarnationTableCopies && copies_[copy_].condition == Condition::same) ++copy_;
  if (copy_ < kIncarnationTableCopies) {
    PHOTON_MARK("incarnations.table.repaired");
    ++statistics_.repaired;
    submit(context);
    return Event::none;
  }
  copies_ = {};
  return become_idle(context);
}

// No request is in flight: a waiting save begins, or the pause before the next scrub.
IncarnationTable::Event IncarnationTable::become_idle(Context& context) {
  stage_ = Stage::idle;
  if (next_) {
    begin_save(context);
  } else if (lives_.number > 0) {
    scrub_due_ = context.now() + options_.scrub_period;
  }
  return std::exchange(loaded_, true) ? Event::none : Event::loaded;
}

void IncarnationTable::submit(Context& context) { retry_.submit(context, request(context)); }

VolumeRequest IncarnationTable::request(Context& context) const {
  VolumeRequest request;
  request.volume = options_.cell;
  request.epoch = context.incarnation().value();
  if (stage_ == Stage::fencing) {
    request.operation = VolumeOperation::fence;
    request.file = FileName(kTablePrefix);
    return request;
  }
  request.file = incarnation_table_copy(copy_);
  if (stage_ == Stage::reading) {
    request.operation = VolumeOperation::read;
    request.length = static_cast<std::uint32_t>(kMaxRecordBody + kRecordOverhead);
    return request;
  }
  request.operation = VolumeOperation::replace;
  PHOTON_CHECK(lives_.number > 0, "only a known table is written");
  append_encoded(lives_, request.data);
  return request;
}

}  // namespace photon
