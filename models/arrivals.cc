#include "models/arrivals.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/samplers.h"

namespace photon::models {
namespace {
constexpr std::int64_t kBucket = 1'000'000'000;  // ns
constexpr std::uint32_t kCountAttempt = 0xffffffffU;
constexpr std::uint32_t kProcess = 1;  // each generating server runs one process, for ever
}  // namespace

Arrivals::Arrivals(const Options& options, const sim::ClockModel& clocks)
    : options_(options),
      clocks_(clocks),
      stream_(options.seed, options.purpose, options.server),
      checkpoints_{Checkpoint{
          0, logs::EventIdGenerator(options.server,
                                    logs::process_field(kProcess, Incarnation(1)))}} {
  PHOTON_CHECK(options.start <= options.end, "arrivals end after they start");
}

std::uint64_t Arrivals::bucket_of(SimTime at) const {
  const SimTime inside = std::clamp(at, options_.start, options_.end);
  return static_cast<std::uint64_t>((inside - options_.start).count() / kBucket);
}

std::uint64_t Arrivals::count_before(SimTime at) {
  if (at <= options_.start) return 0;
  const std::uint64_t bucket = bucket_of(at);
  const Bucket& events = load(bucket);
  const auto end = std::ranges::lower_bound(events.events, at, {}, &Arrival::at);
  return checkpoints_[bucket].ordinal + static_cast<std::uint64_t>(end - events.events.begin());
}

Arrival Arrivals::arrival(std::uint64_t ordinal) {
  while (checkpoints_.back().ordinal <= ordinal) {
    PHOTON_CHECK(checkpoints_.size() <= bucket_of(options_.end) + 1, "the event exists");
    extend_to(checkpoints_.size() - 1);
  }
  const auto after = std::ranges::upper_bound(checkpoints_, ordinal, {}, &Checkpoint::ordinal);
  const auto bucket = static_cast<std::uint64_t>(after - checkpoints_.begin()) - 1;
  return load(bucket).events[ordinal - checkpoints_[bucket].ordinal];
}

void Arrivals::extend_to(std::uint64_t bucket) {
  while (checkpoints_.size() <= bucket + 1) {
    const std::uint64_t next = checkpoints_.size() - 1;
    Checkpoint state = checkpoints_.back();
    Bucket& slot = cache_[next % kCached];
    generate(next, state.generator, slot);
    state.ordinal += slot.events.size();
    checkpoints_.push_back(state);
  }
}

const Arrivals::Bucket& Arrivals::load(std::uint64_t bucket) {
  extend_to(bucket);
  Bucket& slot = cache_[bucket % kCached];
  if (slot.index != bucket) {
    logs::EventIdGenerator generator = checkpoints_[bucket].generator;
    generate(bucket, generator, slot);
  }
  return slot;
}

void Arrivals::generate(std::uint64_t bucket, logs::EventIdGenerator& generator,
                        Bucket& out) const {
  const SimTime begin = options_.start + Duration(static_cast<std::int64_t>(bucket) * kBucket);
  const Duration width = std::min(Duration(kBucket), Duration(options_.end - begin));
  out.index = bucket;
  out.events.clear();
  if (width <= Duration::zero()) return;
  const double mean =
      options_.per_second * static_cast<double>(width.count()) / static_cast<double>(kBucket);
  const std::uint32_t count = poisson(stream_.word(bucket, kCountAttempt), mean);
  for (std::uint32_t pair = 0; pair * 2 < count; ++pair) {
    const auto words = stream_.block(bucket, pair);
    for (std::uint32_t i = pair * 2; i < std::min(count, pair * 2 + 2); ++i) {
      const auto offset = uniform_below(words[i % 2], static_cast<std::uint64_t>(width.count()));
      out.events.push_back({begin + Duration(static_cast<std::int64_t>(offset)), EventId{}});
    }
  }
  std::ranges::sort(out.events, {}, &Arrival::at);
  for (Arrival& event : out.events) {
    event.id = generator.next_id(clocks_.wall(options_.host, event.at));
  }
}

}  // namespace photon::models
