#include "models/arrivals.h"

#include <algorithm>
#include <bit>

#include "core_impl/base/check.h"
#include "core_impl/base/samplers.h"

namespace photon::models {
namespace {

constexpr double kSecond = 1e9;             // ns
constexpr double kEventsPerBucket = 64;     // on average
constexpr double kNarrowest = 1e6;          // ns
constexpr double kWidest = 4398046511104.;  // ns: 2^42, 73 minutes
constexpr std::uint32_t kCountAttempt = 0xffffffffU;
constexpr std::uint32_t kDisorderAttempts = 0x80000000U;  // and later ones
constexpr std::uint32_t kFirstProcess = 1;  // of a generating server; they run for ever

Duration bucket_width(double per_second) {
  PHOTON_CHECK(per_second >= 0 && per_second <= Arrivals::kMostPerSecond, "a rate in range");
  const double width = per_second > 0 ? kEventsPerBucket * kSecond / per_second : kWidest;
  return Duration(static_cast<std::int64_t>(std::clamp(width, kNarrowest, kWidest)));
}

}  // namespace

Arrivals::Arrivals(const Options& options, const HostClocks& clocks)
    : options_(options),
      clocks_(clocks),
      stream_(options.seed, options.purpose, options.server),
      width_(bucket_width(options.per_second)),
      checkpoints_{Checkpoint{0, ServerIds(options.server, kFirstProcess, options.processes)}},
      cache_(std::bit_ceil(std::min(bucket_of(options.end) + 1, kMostCached))) {
  PHOTON_CHECK(options.start <= options.end, "arrivals end after they start");
}

void Arrivals::renew(std::uint64_t seed) {
  const std::uint64_t known = checkpoints_.size() - 1;  // buckets
  SimTime from = std::max(asked_, options_.start);
  if (options_.disorder > Duration::zero()) from = std::max(from, start_of(known));
  const std::uint64_t first = std::min(known, bucket_of(from));
  for (std::uint64_t bucket = first; bucket < known; ++bucket) unnamed_ -= load(bucket).unnamed;
  if (!renewals_.empty() && renewals_.back().from == from) renewals_.pop_back();
  renewals_.push_back({from, RandomStream(seed, options_.purpose, options_.server)});
  for (Bucket& each : cache_) {
    if (each.index >= first) each.index = ~std::uint64_t{0};
  }
  checkpoints_.resize(first + 1, checkpoints_.front());
  latest_ = 0;
}

std::uint64_t Arrivals::bucket_of(SimTime at) const {
  const SimTime inside = std::clamp(at, options_.start, options_.end);
  return static_cast<std::uint64_t>((inside - options_.start) / width_);
}

std::uint64_t Arrivals::count_before(SimTime at) {
  if (at <= options_.start) return 0;
  asked_until(at);
  const std::uint64_t bucket = bucket_of(at);
  const std::span<const Arrival> events = load(bucket).events;
  // The times of a bucket are uniform, so a proportional guess is a few events off: its search
  // stays in one or two cache lines, where bisection would touch six.
  const SimTime begin = options_.start + width_ * static_cast<std::int64_t>(bucket);
  const double share =
      static_cast<double>((at - begin).count()) / static_cast<double>(width_.count());
  auto end =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(events.size()));
  while (end > 0 && events[end - 1].at >= at) --end;
  while (end < events.size() && events[end].at < at) ++end;
  return checkpoints_[bucket].ordinal + end;
}

bool Arrivals::index_reaches(std::uint64_t ordinal) {
  const std::uint64_t last = bucket_of(options_.end);
  while (checkpoints_.back().ordinal <= ordinal) {
    if (checkpoints_.size() > last + 1) return false;
    extend_to(checkpoints_.size() - 1);
  }
  return true;
}

std::optional<Arrival> Arrivals::find(std::uint64_t ordinal) {
  if (!index_reaches(ordinal)) {
    asked_until(options_.end);
    return std::nullopt;
  }
  return arrival(ordinal);
}

ArrivalBatch Arrivals::run_with(std::uint64_t ordinal) {
  PHOTON_CHECK(index_reaches(ordinal), "the event exists");
  const std::uint64_t bucket = bucket_holding(ordinal);
  return {bucket, checkpoints_[bucket].ordinal};
}

std::uint64_t Arrivals::bucket_holding(std::uint64_t ordinal) {
  const auto holds = [&](std::uint64_t bucket) {
    return bucket + 1 < checkpoints_.size() && checkpoints_[bucket].ordinal <= ordinal &&
           ordinal < checkpoints_[bucket + 1].ordinal;
  };
  if (holds(latest_)) return latest_;
  if (holds(latest_ + 1)) return ++latest_;
  const auto after = std::ranges::upper_bound(checkpoints_, ordinal, {}, &Checkpoint::ordinal);
  latest_ = static_cast<std::uint64_t>(after - checkpoints_.begin()) - 1;
  return latest_;
}

std::uint64_t Arrivals::unnamed() {
  extend_to(bucket_of(options_.end));
  return unnamed_;
}

void Arrivals::extend_to(std::uint64_t bucket) {
  while (checkpoints_.size() <= bucket + 1) {
    const std::uint64_t next = checkpoints_.size() - 1;
    Checkpoint state = checkpoints_.back();
    Bucket& slot = slot_of(next);
    generate(next, state.ids, slot);
    state.ordinal += slot.events.size();
    unnamed_ += slot.unnamed;
    checkpoints_.push_back(state);
  }
}

const Arrivals::Bucket& Arrivals::load(std::uint64_t bucket) {
  extend_to(bucket);
  Bucket& slot = slot_of(bucket);
  if (slot.index != bucket) {
    ServerIds ids = checkpoints_[bucket].ids;
    generate(bucket, ids, slot);
  }
  return slot;
}

void Arrivals::generate(std::uint64_t bucket, ServerIds& ids, Bucket& out) {
  const SimTime begin = start_of(bucket);
  const SimTime end = std::min(begin + width_, options_.end);
  out.index = bucket;
  out.events.clear();
  out.unnamed = 0;
  if (end <= begin) return;
  moments_.clear();
  const RandomStream* stream = &stream_;
  SimTime from = begin;
  for (const Renewal& each : renewals_) {
    if (each.from >= end) break;
    if (each.from > from) draw(*stream, {bucket, from, each.from, end});
    from = std::max(from, each.from);
    stream = &each.stream;
  }
  draw(*stream, {bucket, from, end, end});
  std::ranges::sort(moments_);
  out.events.reserve(moments_.size());
  for (const SimTime at : moments_) {
    if (const auto id = name(at, ids)) out.events.push_back({at, *id});
  }
  out.unnamed = moments_.size() - out.events.size();
  if (options_.disorder > Duration::zero()) disorder(bucket, end, out.events);
}

void Arrivals::draw(const RandomStream& stream, const Piece& piece) {
  const Duration width = piece.bucket_end - piece.begin;
  const LoadShape* const shape = options_.shape.get();
  const double mean =
      options_.per_second * (shape == nullptr ? static_cast<double>(width.count()) / kSecond
                                              : shape->integral(piece.begin, piece.bucket_end));
  const std::uint32_t count = poisson(stream.word(piece.bucket, kCountAttempt), mean);
  for (std::uint32_t pair = 0; pair * 2 < count; ++pair) {
    const auto words = stream.block(piece.bucket, pair);
    for (std::uint32_t i = pair * 2; i < std::min(count, pair * 2 + 2); ++i) {
      const SimTime drawn = moment_in(piece.begin, width, words[i % 2]);
      const SimTime at = std::max(piece.begin, drawn - drawn.time_since_epoch() % options_.tick);
      if (at < piece.end) moments_.push_back(at);
    }
  }
}

// Given their number, the events of a bucket are independent, with the rate as their density.
SimTime Arrivals::moment_in(SimTime begin, Duration width, std::uint64_t word) const {
  if (options_.shape != nullptr) {
    return options_.shape->moment(begin, begin + width, unit_interval(word));
  }
  const auto offset = uniform_below(word, static_cast<std::uint64_t>(width.count()));
  return begin + Duration(static_cast<std::int64_t>(offset));
}

std::optional<EventId> Arrivals::name(SimTime at, ServerIds& ids) const {
  clocks_.wall_used(options_.host, at);
  const LocalTime wall = coarse(clocks_.wall(options_.host, at), options_.stamp_resolution);
  if (!options_.bound) return ids.next({.wall = wall}, {});
  return ids.next({wall, clocks_.since_sync(options_.host, at)}, options_.bound);
}

// Threads write independently: each event reaches the file a little after its stamp was
// taken. An event that would come after the bucket comes at its end, so that buckets stay
// independent. An event is also written before any whose stamp is more than the disorder above its
// own: a clock that is set forward may bring that early.
void Arrivals::disorder(std::uint64_t bucket, SimTime end, std::span<Arrival> events) const {
  std::uint32_t attempt = kDisorderAttempts;
  std::size_t above = 0;  // the first event whose stamp is too far above this one's
  for (Arrival& event : events) {
    while (above < events.size() && events[above].id.stamp <= event.id.stamp + options_.disorder) {
      ++above;
    }
    const SimTime latest = above < events.size() ? events[above].at : end;
    const Duration late =
        uniform_duration(stream_.word(bucket, attempt++), Duration::zero(), options_.disorder);
    event.at = std::max(event.at, std::min(event.at + late, latest - Duration(1)));
  }
  std::ranges::stable_sort(events, {}, &Arrival::at);
}

}  // namespace photon::models
