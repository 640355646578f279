// When one server generates its events: a Poisson process, of constant or changing rate, with
// random access in both directions.
//
// Time is cut into buckets that hold 64 events on average. The number of events in a bucket is
// Poisson and, given the number, their times are independent and uniform: exactly a Poisson
// process, yet every bucket is a pure function of (seed, server, rate, bucket). The sequential
// state, the running number and the last stamp of the id generator, takes 32 bytes per bucket;
// events are regenerated when asked for, recently used buckets from a cache of bounded size.
//
// A server that cannot issue an id cannot log the event: while its clock may be outside the
// bound (SPEC A-33) its events do not happen. The times and number of the other events do not
// depend on that.
//
// Paper: Photon section 3.1 (ids); SPEC A-10..A-12, A-14, A-33.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/logs/clock_bound.h"
#include "models/clocks.h"
#include "models/load_shape.h"
#include "models/purposes.h"
#include "models/server_ids.h"

namespace photon::models {

struct Arrival {
  SimTime at{};
  EventId id;
};

// Consecutive events of one bucket: all of them.
struct ArrivalBatch {
  std::uint64_t number;  // of the bucket
  std::uint64_t first;   // its first event
};

class Arrivals {
 public:
  struct Options {
    std::uint64_t seed = 0;
    Purpose purpose = purpose::kWorkloadPrimary;
    std::uint32_t server = 0;
    sim::HostId host{};     // whose calendar clock stamps the ids
    SimTime start{};        // nothing before
    SimTime end{};          // nothing at or after
    double per_second = 1;  // at most kMostPerSecond
    Duration disorder{0};   // an event is written at most this long after its stamp, in its bucket
    // Outside the bound no ids are issued; none: ids are always issued.
    std::optional<logs::ClockBound> bound{};
    // The rate at a moment is per_second times its factor; null: it is constant.
    std::shared_ptr<const LoadShape> shape{};
    Duration tick{1};  // events happen at multiples of it, or at the beginning of a bucket
    std::uint16_t processes = 1;   // of the server, that issue ids (ServerIds)
    Duration stamp_resolution{0};  // of its clock where it stamps ids (coarse)
  };
  static constexpr double kMostPerSecond = 1e8;

  // `clocks` must outlive this object. Requires start <= end and a rate in [0, kMostPerSecond].
  Arrivals(const Options& options, const HostClocks& clocks);

  // How many events were generated strictly before `at`.
  std::uint64_t count_before(SimTime at);
  // The event of that number; none if the process ends before. Generates no more of the index
  // than needed.
  std::optional<Arrival> find(std::uint64_t ordinal);
  // Requires that the event exists. Valid until the next call of this object.
  const Arrival& arrival(std::uint64_t ordinal) {
    const ArrivalBatch run = run_with(ordinal);
    const Arrival& found = events(run)[ordinal - run.first];
    asked_until(found.at + Duration(1));
    return found;
  }
  // The run of events that are generated together with that one. Requires that the event exists.
  ArrivalBatch run_with(std::uint64_t ordinal);
  // Its events, valid until the next call of this object.
  std::span<const Arrival> events(const ArrivalBatch& run) { return load(run.number).events; }
  // Total number of events; generates the whole index.
  std::uint64_t total() { return count_before(options_.end); }
  // The number of events that did not happen because no id was issued; generates the whole index.
  std::uint64_t unnamed();
  // Events after the latest that anything has asked about are drawn from another seed: those before
  // keep their times and ids. With disorder, events of the buckets that are known keep theirs too.
  void renew(std::uint64_t seed);
  const Options& options() const { return options_; }

 private:
  struct Renewal {
    SimTime from;  // it draws the events from here on
    RandomStream stream;
  };
  struct Checkpoint {  // state before the first event of a bucket
    std::uint64_t ordinal;
    ServerIds ids;
  };
  struct Bucket {
    std::uint64_t index = ~std::uint64_t{0};
    PooledVector<Arrival> events;
    std::uint64_t unnamed = 0;  // and events that did not happen
  };

  std::uint64_t bucket_of(SimTime at) const;
  // The bucket that holds event `ordinal`. Requires that the index reaches it.
  std::uint64_t bucket_holding(std::uint64_t ordinal);
  bool index_reaches(std::uint64_t ordinal);
  void extend_to(std::uint64_t bucket);  // checkpoints_[bucket] and its successor exist afterwards
  const Bucket& load(std::uint64_t bucket);
  Bucket& slot_of(std::uint64_t bucket) { return cache_[bucket & (cache_.size() - 1)]; }
  // Advances `ids` to the state after the bucket.
  void generate(std::uint64_t bucket, ServerIds& ids, Bucket& out);
  SimTime moment_in(SimTime begin, Duration width, std::uint64_t word) const;
  std::optional<EventId> name(SimTime at, ServerIds& ids) const;
  void disorder(std::uint64_t bucket, SimTime end, std::span<Arrival> events) const;
  // A part of a bucket: the moments in [begin, end) of those drawn for [begin, bucket_end).
  struct Piece {
    std::uint64_t bucket;
    SimTime begin;
    SimTime end;
    SimTime bucket_end;
  };
  // Appends to moments_.
  void draw(const RandomStream& stream, const Piece& piece);
  SimTime start_of(std::uint64_t bucket) const {
    return options_.start + width_ * static_cast<std::int64_t>(bucket);
  }
  void asked_until(SimTime at) { asked_ = std::max(asked_, at); }

  static constexpr std::uint64_t kMostCached = 1024;  // buckets, thus 65,536 events or 1.5 MiB
  Options options_;
  const HostClocks& clocks_;
  RandomStream stream_;
  std::vector<Renewal> renewals_{};      // in the order of time
  SimTime asked_{};                      // something may depend on the events before this
  Duration width_;                       // of a bucket
  std::vector<Checkpoint> checkpoints_;  // one per bucket, and the one after the last known
  std::vector<Bucket> cache_;            // direct-mapped; their number is a power of two
  PooledVector<SimTime> moments_{};      // scratch: of the events of a bucket
  std::uint64_t unnamed_ = 0;            // in the buckets known
  std::uint64_t latest_ = 0;             // bucket that bucket_holding found last
};

}  // namespace photon::models
