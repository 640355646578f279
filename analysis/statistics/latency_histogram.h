// A mergeable histogram of durations: log-linear buckets, relative error at most 1/128 < 1 %.
//
// Values are signed nanoseconds. Below 64 ns (either sign) they are exact; above, each power of two
// is cut into 64 buckets and a percentile is the middle of its bucket, clamped to [min, max].
// Count, min, max and sum are exact. Merging is exact: percentiles are never averaged (DESIGN 7).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/time.h"

namespace photon::analysis {

class LatencyHistogram {
 public:
  static constexpr double kRelativeError = 1.0 / 128.0;

  LatencyHistogram();
  LatencyHistogram(const LatencyHistogram& other);
  LatencyHistogram(LatencyHistogram&& other) noexcept;
  LatencyHistogram& operator=(LatencyHistogram other) noexcept;
  ~LatencyHistogram();

  void add(Duration value);
  void merge(const LatencyHistogram& other);

  std::uint64_t count() const;
  // All of these are zero for an empty histogram.
  Duration min() const;
  Duration max() const;
  double mean_nanoseconds() const;
  // The smallest value v with at least `fraction` of all values <= v. fraction in (0, 1].
  Duration percentile(double fraction) const;
  // The rank of that value in ascending order, from 1; of at least one value.
  std::uint64_t rank_of(double fraction) const;
  // In nanoseconds, the value with this rank, from 1 to count(), if the values of its bucket are
  // spread evenly over it. Smoother than the middles of buckets, which statistics would take for
  // a bias; where many values are equal, off by the width of the bucket at most.
  double interpolated(std::uint64_t rank) const;
  // The least value of the bucket of `value`.
  static Duration bucket_start(Duration value);
  // How many values lie in the bucket of `value` or below.
  std::uint64_t count_up_to(Duration value) const;

  // Sparse, little-endian, versioned. The same histogram always gives the same bytes.
  Bytes to_bytes() const;
  // Nothing if the bytes are not such a histogram.
  static std::optional<LatencyHistogram> from_bytes(std::span<const std::byte> bytes);
  friend bool operator==(const LatencyHistogram& left, const LatencyHistogram& right);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
