#include "analysis/statistics/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include <boost/histogram/histogram.hpp>
#include <boost/histogram/make_histogram.hpp>
#include <boost/histogram/storage_adaptor.hpp>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"

namespace photon::analysis {

namespace {

__extension__ using Sum = __int128;

constexpr int kSubBits = 6;  // 64 buckets per power of two
constexpr int kSub = 1 << kSubBits;
// Magnitudes 0..63 have a bucket each, then 64 per power of two up to 2^63.
constexpr int kSide = kSub + kSub * (63 - kSubBits);

// Bucket of a magnitude, 0 .. kSide - 1.
int side_index(std::uint64_t magnitude) {
  if (magnitude < kSub) return static_cast<int>(magnitude);
  const int power = 63 - std::countl_zero(magnitude);
  const auto offset = static_cast<int>((magnitude >> (power - kSubBits)) & (kSub - 1));
  return kSub + (power - kSubBits) * kSub + offset;
}

std::uint64_t side_width(int index) {
  return index < kSub ? 1 : std::uint64_t{1} << ((index - kSub) / kSub);
}

// The least and the greatest magnitude of a bucket, and the middle between them.
std::uint64_t side_first(int index) {
  if (index < kSub) return static_cast<std::uint64_t>(index);
  const auto offset = static_cast<std::uint64_t>((index - kSub) % kSub);
  return (kSub + offset) * side_width(index);
}

std::uint64_t side_last(int index) { return side_first(index) + (side_width(index) - 1); }

std::uint64_t side_middle(int index) { return side_first(index) + (side_width(index) - 1) / 2; }

std::uint64_t magnitude_of(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// The axis: buckets 0 .. kSide-1 are the negative values, the most negative first; then zero and
// the positive ones.
class LogLinearAxis {
 public:
  using value_type = std::int64_t;
  static int index_of(std::int64_t value) {
    const int side = side_index(std::min(magnitude_of(value), kLargest));
    return value < 0 ? kSide - 1 - side : kSide + side;
  }
  static std::int64_t middle(int bucket) {
    if (bucket < kSide) return -static_cast<std::int64_t>(side_middle(kSide - 1 - bucket));
    return static_cast<std::int64_t>(side_middle(bucket - kSide));
  }
  // The least and the greatest value of a bucket.
  static std::int64_t least(int bucket) {
    if (bucket < kSide) return -static_cast<std::int64_t>(side_last(kSide - 1 - bucket));
    return static_cast<std::int64_t>(side_first(bucket - kSide));
  }
  static std::int64_t greatest(int bucket) {
    if (bucket < kSide) return -static_cast<std::int64_t>(side_first(kSide - 1 - bucket));
    return static_cast<std::int64_t>(side_last(bucket - kSide));
  }
  boost::histogram::axis::index_type index(std::int64_t value) const { return index_of(value); }
  static std::int64_t value(boost::histogram::axis::index_type bucket) { return middle(bucket); }
  static boost::histogram::axis::index_type size() { return 2 * kSide; }
  static constexpr bool inclusive() { return true; }
  friend bool operator==(const LogLinearAxis&, const LogLinearAxis&) { return true; }

 private:
  static constexpr auto kLargest =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
};

using Buckets = boost::histogram::histogram<std::tuple<LogLinearAxis>,
                                            boost::histogram::dense_storage<std::uint64_t>>;

constexpr std::uint32_t kFormat = 0x31484c50;  // "PLH1"

}  // namespace

struct LatencyHistogram::State {
  Buckets buckets{std::tuple<LogLinearAxis>{}};
  std::uint64_t count = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  Sum sum = 0;

  struct Place {
    int bucket = 0;
    std::uint64_t below = 0;   // values in buckets before it
    std::uint64_t inside = 0;  // values in it
  };
  Place place_of(std::uint64_t rank) const {
    PHOTON_CHECK(rank >= 1, "ranks count from one");
    PHOTON_CHECK(rank <= count, "a rank is that of a value");
    std::uint64_t below = 0;
    for (int bucket = LogLinearAxis::index_of(min);; ++bucket) {
      const std::uint64_t inside = buckets.at(bucket);
      if (below + inside >= rank) return {bucket, below, inside};
      below += inside;
    }
  }
};

LatencyHistogram::LatencyHistogram() : state_(std::make_unique<State>()) {}
LatencyHistogram::LatencyHistogram(const LatencyHistogram& other)
    : state_(std::make_unique<State>(*other.state_)) {}
LatencyHistogram::LatencyHistogram(LatencyHistogram&& other) noexcept = default;
LatencyHistogram& LatencyHistogram::operator=(LatencyHistogram other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
LatencyHistogram::~LatencyHistogram() = default;

void LatencyHistogram::add(Duration value) {
  const std::int64_t count = value.count();
  State& state = *state_;
  state.buckets(count);
  state.min = state.count == 0 ? count : std::min(state.min, count);
  state.max = state.count == 0 ? count : std::max(state.max, count);
  state.sum += count;
  ++state.count;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  const State& from = *other.state_;
  State& state = *state_;
  if (from.count == 0) return;
  state.min = state.count == 0 ? from.min : std::min(state.min, from.min);
  state.max = state.count == 0 ? from.max : std::max(state.max, from.max);
  state.buckets += from.buckets;
  state.count += from.count;
  state.sum += from.sum;
}

std::uint64_t LatencyHistogram::count() const { return state_->count; }
Duration LatencyHistogram::min() const { return Duration(state_->min); }
Duration LatencyHistogram::max() const { return Duration(state_->max); }

double LatencyHistogram::mean_nanoseconds() const {
  if (state_->count == 0) return 0.0;
  // Whole part and rest apart: no 128-bit number has to become a double.
  const auto count = static_cast<Sum>(state_->count);
  return static_cast<double>(static_cast<std::int64_t>(state_->sum / count)) +
         static_cast<double>(static_cast<std::int64_t>(state_->sum % count)) /
             static_cast<double>(state_->count);
}

std::uint64_t LatencyHistogram::rank_of(double fraction) const {
  PHOTON_CHECK(state_->count > 0, "a rank is that of a value");
  const auto rank =
      static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(state_->count)));
  return std::clamp<std::uint64_t>(rank, 1, state_->count);
}

Duration LatencyHistogram::percentile(double fraction) const {
  const State& state = *state_;
  if (state.count == 0) return Duration(0);
  const int bucket = state.place_of(rank_of(fraction)).bucket;
  return Duration(std::clamp(LogLinearAxis::middle(bucket), state.min, state.max));
}

double LatencyHistogram::interpolated(std::uint64_t rank) const {
  const State::Place place = state_->place_of(rank);
  const auto least = static_cast<double>(std::max(LogLinearAxis::least(place.bucket), state_->min));
  const auto greatest =
      static_cast<double>(std::min(LogLinearAxis::greatest(place.bucket), state_->max));
  const double part =
      (static_cast<double>(rank - place.below) - 0.5) / static_cast<double>(place.inside);
  return least + (greatest - least) * part;
}

Duration LatencyHistogram::bucket_start(Duration value) {
  return Duration(LogLinearAxis::least(LogLinearAxis::index_of(value.count())));
}

std::uint64_t LatencyHistogram::count_up_to(Duration value) const {
  const State& state = *state_;
  if (state.count == 0) return 0;
  const int last = LogLinearAxis::index_of(std::min(value.count(), state.max));
  std::uint64_t seen = 0;
  for (int bucket = LogLinearAxis::index_of(state.min); bucket <= last; ++bucket) {
    seen += state.buckets.at(bucket);
  }
  return seen;
}

namespace {

template <class State>
bool is_sum_possible(const State& state) {
  if (state.count == 0) return state.min == 0 && state.max == 0 && state.sum == 0;
  const auto count = static_cast<Sum>(state.count);
  return state.min <= state.max && state.sum >= count * state.min && state.sum <= count * state.max;
}

}  // namespace

Bytes LatencyHistogram::to_bytes() const {
  const State& state = *state_;
  Bytes bytes;
  Encoder encode(bytes);
  const auto low = static_cast<std::uint64_t>(state.sum);
  const auto high = static_cast<std::int64_t>(state.sum >> 64);
  encode(kFormat, state.count, state.min, state.max, low, high);
  for (int bucket = 0; bucket < LogLinearAxis::size(); ++bucket) {
    const std::uint64_t inside = state.buckets.at(bucket);
    if (inside != 0) encode(static_cast<std::uint32_t>(bucket), inside);
  }
  return bytes;
}

std::optional<LatencyHistogram> LatencyHistogram::from_bytes(std::span<const std::byte> bytes) {
  LatencyHistogram histogram;
  State& state = *histogram.state_;
  Decoder decode(bytes);
  std::uint32_t format = 0;
  std::uint64_t low = 0;
  std::int64_t high = 0;
  decode(format, state.count, state.min, state.max, low, high);
  if (!decode.ok() || format != kFormat) return std::nullopt;
  state.sum = (static_cast<Sum>(high) << 64) + static_cast<Sum>(low);
  std::uint64_t total = 0;
  int last = -1;
  while (decode.remaining() > 0) {
    std::uint32_t bucket = 0;
    std::uint64_t inside = 0;
    decode(bucket, inside);
    if (!decode.ok() || bucket >= 2 * kSide || static_cast<int>(bucket) <= last) return {};
    if (inside == 0 || inside > state.count - total) return {};
    if (total == 0 && static_cast<int>(bucket) != LogLinearAxis::index_of(state.min)) return {};
    last = static_cast<int>(bucket);
    state.buckets.at(last) = inside;
    total += inside;
  }
  if (total != state.count || !is_sum_possible(state)) return {};
  if (total > 0 && last != LogLinearAxis::index_of(state.max)) return {};
  return histogram;
}

bool operator==(const LatencyHistogram& left, const LatencyHistogram& right) {
  return left.to_bytes() == right.to_bytes();
}

}  // namespace photon::analysis
