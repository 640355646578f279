#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <rapidcheck.h>

#include "analysis/statistics/latency_histogram.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

LatencyHistogram histogram_of(const std::vector<std::int64_t>& values) {
  LatencyHistogram histogram;
  for (const std::int64_t value : values) histogram.add(Duration(value));
  return histogram;
}

// Values of every size and sign: a random mantissa shifted by a random amount.
rc::Gen<std::vector<std::int64_t>> values() {
  return rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange(0, 62)),
                   [](const auto& drawn) { return std::get<0>(drawn) >> std::get<1>(drawn); })));
}

}  // namespace

TEST_CASE("histogram: every percentile is within 1 % of the exact one, small values are exact") {
  CHECK(rc::check("relative error", [] {
    std::vector<std::int64_t> list = *values();
    // The property is about any 63-bit value: the most negative one is clamped by a nanosecond.
    for (auto& value : list) value = std::max(value, -std::numeric_limits<std::int64_t>::max());
    const LatencyHistogram histogram = histogram_of(list);
    std::sort(list.begin(), list.end());
    for (const double fraction : {0.01, 0.5, 0.9, 0.99, 1.0}) {
      const auto rank =
          static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(list.size())));
      const std::int64_t exact = list[std::max<std::size_t>(rank, 1) - 1];
      const std::int64_t shown = histogram.percentile(fraction).count();
      const double error = std::abs(static_cast<double>(shown) - static_cast<double>(exact));
      RC_ASSERT(error <= LatencyHistogram::kRelativeError * std::abs(static_cast<double>(exact)));
      if (std::abs(static_cast<double>(exact)) < 64) RC_ASSERT(shown == exact);
    }
    RC_ASSERT(histogram.min().count() == list.front());
    RC_ASSERT(histogram.max().count() == list.back());
  }));
}

TEST_CASE("histogram: merging parts gives the histogram of the whole, bytes round-trip") {
  CHECK(rc::check("merge and bytes", [] {
    const std::vector<std::int64_t> left = *values();
    const std::vector<std::int64_t> right = *values();
    std::vector<std::int64_t> both = left;
    both.insert(both.end(), right.begin(), right.end());
    LatencyHistogram merged = histogram_of(left);
    merged.merge(histogram_of(right));
    RC_ASSERT(merged == histogram_of(both));
    const Bytes bytes = merged.to_bytes();
    const auto back = LatencyHistogram::from_bytes(bytes);
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == merged);
    RC_ASSERT(!LatencyHistogram::from_bytes(std::span(bytes).first(bytes.size() - 1)));
  }));
}

TEST_CASE("histogram: empty, mean, and invalid bytes") {
  LatencyHistogram histogram;
  CHECK(histogram.count() == 0);
  CHECK(histogram.percentile(0.5).count() == 0);
  CHECK(histogram.mean_nanoseconds() == 0.0);
  histogram.add(Duration(std::numeric_limits<std::int64_t>::max()));
  histogram.add(Duration(std::numeric_limits<std::int64_t>::max()));
  CHECK(histogram.mean_nanoseconds() == Approx(9.223372036854775807e18));
  const LatencyHistogram small = histogram_of({-3, -2, 10});
  CHECK(small.mean_nanoseconds() == Approx(5.0 / 3));
  CHECK(small.percentile(0.5).count() == -2);
  CHECK_FALSE(LatencyHistogram::from_bytes({}).has_value());
  Bytes garbage(60, std::byte{7});
  CHECK_FALSE(LatencyHistogram::from_bytes(garbage).has_value());
}

TEST_CASE("histogram: bytes whose parts contradict each other are invalid") {
  // Format, count, min, max, sum (16), then bucket (4) and count (8) each.
  constexpr std::size_t kCount = 4, kMin = 12, kMax = 20, kSum = 28, kFirst = 44, kEach = 12;
  const Bytes sound = histogram_of({-3, -2, 10}).to_bytes();
  REQUIRE(sound.size() == kFirst + 3 * kEach);
  const auto is_refused_with = [&](std::size_t place, std::uint8_t value) {
    Bytes bytes = sound;
    bytes[place] = static_cast<std::byte>(value);
    return !LatencyHistogram::from_bytes(bytes).has_value();
  };
  CHECK_FALSE(is_refused_with(kSum, 6));  // another possible sum of these values
  CHECK(is_refused_with(kCount, 4));
  CHECK(is_refused_with(kMin, 0xfc));  // -4: nothing is there
  CHECK(is_refused_with(kMax, 11));
  CHECK(is_refused_with(kSum, 31));           // more than three times the greatest
  CHECK(is_refused_with(kFirst + 4, 0));      // an empty bucket
  CHECK(is_refused_with(kFirst + kEach, 0));  // buckets out of order
}

}  // namespace photon::analysis
