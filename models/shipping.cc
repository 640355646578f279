#include "models/shipping.h"

#include <algorithm>
#include <tuple>

#include "core_impl/base/check.h"
#include "models/purposes.h"

namespace photon::models {
namespace {

// Latest first, so that the standard heap has the earliest on top; ties by file.
bool later(const ShippedCopies::Visible& left, const ShippedCopies::Visible& right) {
  return std::tie(left.at, left.log) > std::tie(right.at, right.log);
}

std::vector<logs::LogFile> files_of(const std::vector<EventLog*>& logs) {
  std::vector<logs::LogFile> files;
  for (const EventLog* log : logs) files.push_back(log->file());
  return files;
}

}  // namespace

Shipping::Shipping(const Options& options, std::uint32_t places)
    : options_(options), places_(places) {
  PHOTON_CHECK(places > 0, "at least one place holds a copy");
  PHOTON_CHECK(options.piece > Duration::zero() && options.redraw > Duration::zero(),
               "pieces and redraw intervals take time");
}

void Shipping::renew(std::uint64_t seed) {
  while (!renewals_.empty() && renewals_.back().first >= next_interval_) renewals_.pop_back();
  renewals_.push_back({next_interval_, seed});
}

std::uint64_t Shipping::seed_of(std::uint64_t interval) const {
  for (auto each = renewals_.rbegin(); each != renewals_.rend(); ++each) {
    if (each->first <= interval) return each->seed;
  }
  return options_.seed;
}

Duration Shipping::delay(logs::LogFile file, std::uint64_t interval, std::uint32_t place) const {
  PHOTON_CHECK(place < places_, "a place that holds a copy");
  const std::uint32_t number = file.number();
  const std::uint64_t seed = seed_of(interval);
  next_interval_ = std::max(next_interval_, interval + 1);
  const auto common = RandomStream(seed, purpose::kShippingCommon, number).word(interval);
  const auto noise = RandomStream(seed, purpose::kShippingNoise, number).word(interval, place);
  const bool far = file.server % places_ != place;
  Duration total = exponential(common, options_.common_mean) +
                   exponential(noise, options_.noise_mean) +
                   (far ? options_.near_far_gap : Duration::zero());
  if (file.type == logs::LogType::primary) {
    const auto late = RandomStream(seed, purpose::kShippingLate, number).block(interval);
    if (Chance(options_.primary_late_fraction).happens(late[0])) {
      total += exponential(late[1], options_.primary_late_extra_mean);
    }
  }
  return total;
}

Shipping::Arrival Shipping::arrival(logs::LogFile file, std::uint32_t place, SimTime ready) const {
  Arrival arrival{ready};
  for (const PlannedStall& stall : options_.stalls) {
    const bool held = stall.type == file.type &&
                      stall.server.value_or(file.server) == file.server &&
                      stall.place.value_or(place) == place && stall.from <= arrival.at &&
                      arrival.at < stall.until;
    if (!held) continue;
    const auto word = RandomStream(options_.seed, purpose::kLogFaults, file.number())
                          .word(static_cast<std::uint64_t>(nanoseconds_of(ready)), ~place);
    const bool has_tail = stall.tail_mean > Duration::zero();
    arrival = {stall.until + (has_tail ? exponential(word, stall.tail_mean) : Duration::zero()),
               stall.fault};
  }
  return arrival;
}

ShippedCopies::ShippedCopies(std::vector<EventLog*> logs, const Shipping& shipping,
                             std::uint32_t place)
    : logs_(std::move(logs)),
      shipping_(shipping),
      place_(place),
      files_(logs_.size()),
      truncations_(shipping.options().truncations, place, files_of(logs_)) {
  for (std::uint32_t log = 0; log < logs_.size(); ++log) {
    if (log == 0 || !is_followed(log - 1)) schedule(log);
  }
}

bool ShippedCopies::is_newest(std::uint32_t log) const {
  return !is_followed(log) || files_[log + 1].length == 0;
}

bool ShippedCopies::is_followed(std::uint32_t log) const {
  if (log + 1 >= logs_.size()) return false;
  const logs::LogFile here = logs_[log]->file();
  const logs::LogFile next = logs_[log + 1]->file();
  return here.type == next.type && here.server == next.server && here.sequence + 1 == next.sequence;
}

// Puts the next non-empty piece of the file on the heap.
void ShippedCopies::schedule(std::uint32_t log) {
  File& file = files_[log];
  const auto first = logs_[log]->next_generation(file.pending_end);
  if (!first) {
    const bool has_nothing = file.pending_end == SimTime{};
    if (has_nothing && is_followed(log)) schedule(log + 1);
    return;
  }
  const std::int64_t piece = shipping_.options().piece.count();
  const std::int64_t number = nanoseconds_of(*first) / piece;
  const std::int64_t end = (number + 1) * piece;
  const auto interval =
      static_cast<std::uint64_t>(nanoseconds_of(*first) / shipping_.options().redraw.count());
  const SimTime unhindered =
      from_nanoseconds<SimTime>(end) + shipping_.delay(logs_[log]->file(), interval, place_);
  const auto [ready, held_by] = shipping_.arrival(logs_[log]->file(), place_, unhindered);
  file.pending_end = from_nanoseconds<SimTime>(end);
  const SimTime before = file.last_ready;
  file.last_ready = std::max(before, ready);
  file.due = std::max(before, unhindered);
  file.held_by = held_by;
  heap_.push_back({file.last_ready, log});
  std::ranges::push_heap(heap_, later);
  // With its last piece in flight the file is full: the next file is shipped independently.
  if (is_followed(log) && !logs_[log]->next_generation(file.pending_end)) schedule(log + 1);
}

std::uint64_t ShippedCopies::spill(std::uint32_t log, std::uint64_t boundary, SimTime at) const {
  const SimTime end = files_[log].pending_end;
  const auto following = logs_[log]->next_generation(end);
  if (!following || *following >= at) return 0;  // nothing follows, or it was generated later
  const std::uint64_t bytes = logs_[log]->length_before(*following + Duration(1)) - boundary;
  PHOTON_CHECK(bytes > 0, "the event that follows has bytes");
  const auto piece =
      static_cast<std::uint64_t>(nanoseconds_of(end) / shipping_.options().piece.count());
  const std::uint64_t word =
      RandomStream(shipping_.options().seed, purpose::kShippingSpill, logs_[log]->file().number())
          .word(piece, place_);
  return uniform_below(word, bytes);
}

std::uint32_t ShippedCopies::stalled_by(std::uint32_t log, SimTime now) const {
  const File& file = files_[log];
  const bool holds = file.due <= now && now < file.last_ready;
  return holds ? file.held_by : Shipping::kNoStall;
}

std::optional<SimTime> ShippedCopies::next() const {
  const std::optional<SimTime> cut = truncations_.next();
  if (heap_.empty()) return cut;
  return cut ? std::min(*cut, heap_.front().at) : heap_.front().at;
}

ShippedCopies::Visible ShippedCopies::advance() {
  const std::optional<SimTime> cut = truncations_.next();
  PHOTON_CHECK(!heap_.empty() || cut.has_value(), "there is a change to take");
  const bool shipping_first = !heap_.empty() && (!cut || heap_.front().at <= *cut);
  return shipping_first ? advance_shipping() : advance_truncations();
}

ShippedCopies::Visible ShippedCopies::advance_truncations() {
  const std::uint32_t log = truncations_.log_of_next();
  Visible change{*truncations_.next(), log};
  change.before = length(log);
  truncations_.advance(files_[log].length, is_newest(log));
  return shown(change);
}

ShippedCopies::Visible ShippedCopies::shown(Visible change) {
  File& file = files_[change.log];
  change.length = length(change.log);
  change.most = file.most;
  file.most = std::max(file.most, change.length);
  return change;
}

ShippedCopies::Visible ShippedCopies::advance_shipping() {
  std::ranges::pop_heap(heap_, later);
  Visible change = heap_.back();
  heap_.pop_back();
  File& file = files_[change.log];
  const std::uint64_t boundary = logs_[change.log]->length_before(file.pending_end);
  change.before = length(change.log);
  const std::uint64_t come = boundary + spill(change.log, boundary, change.at);
  PHOTON_CHECK(come >= file.length, "a copy only grows");
  file.length = come;
  schedule(change.log);
  return shown(change);
}

}  // namespace photon::models
