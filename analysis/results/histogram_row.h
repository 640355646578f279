// A latency histogram as a row of table `histogram`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core_impl/base/bytes.h"

namespace photon::analysis {

struct HistogramRow {
  std::int64_t count = 0;
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  std::string sum_ns{};   // decimal: it may take more than 64 bits
  std::string buckets{};  // JSON: [[number, count], ...], numbers ascending, no count zero
};

// Of LatencyHistogram::to_bytes.
HistogramRow histogram_row(std::span<const std::byte> bytes);
// The same bytes; nothing if the row is not of a histogram.
std::optional<Bytes> histogram_bytes(const HistogramRow& row);

}  // namespace photon::analysis
