#include "analysis/results/histogram_row.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "analysis/statistics/latency_histogram.h"
#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"

namespace photon::analysis {
namespace {

__extension__ using Sum = __int128;
__extension__ using Magnitude = unsigned __int128;

// As LatencyHistogram::to_bytes begins.
constexpr std::uint32_t kHistogramFormat = 0x31484c50;

std::optional<Sum> sum_of(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  constexpr std::size_t kMostDigits = 38;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  Magnitude magnitude = 0;
  for (const char each : text) {
    if (each < '0' || each > '9') return std::nullopt;
    magnitude = magnitude * 10 + static_cast<unsigned>(each - '0');
  }
  const auto sum = static_cast<Sum>(magnitude);
  return negative ? -sum : sum;
}

// Takes `word` off the front of `text`.
bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

}  // namespace

HistogramRow histogram_row(std::span<const std::byte> bytes) {
  HistogramRow row;
  Decoder decode(bytes);
  std::uint32_t format = 0;
  std::uint64_t count = 0;
  std::uint64_t low = 0;
  std::int64_t high = 0;
  decode(format, count, row.min_ns, row.max_ns, low, high);
  PHOTON_CHECK(decode.ok() && format == kHistogramFormat, "these are the bytes of a histogram");
  row.count = static_cast<std::int64_t>(count);
  row.sum_ns = fmt::format("{}", (static_cast<Sum>(high) << 64) + static_cast<Sum>(low));
  row.buckets = "[";
  while (decode.remaining() > 0) {
    std::uint32_t bucket = 0;
    std::uint64_t inside = 0;
    decode(bucket, inside);
    if (row.buckets.size() > 1) row.buckets += ',';
    row.buckets += fmt::format("[{},{}]", bucket, inside);
  }
  row.buckets += ']';
  return row;
}

std::optional<Bytes> histogram_bytes(const HistogramRow& row) {
  const auto sum = sum_of(row.sum_ns);
  if (!sum || row.count < 0) return std::nullopt;
  Bytes bytes;
  Encoder encode(bytes);
  encode(kHistogramFormat, static_cast<std::uint64_t>(row.count), row.min_ns, row.max_ns,
         static_cast<std::uint64_t>(*sum), static_cast<std::int64_t>(*sum >> 64));
  std::string_view rest = row.buckets;
  if (!take_word(rest, "[")) return std::nullopt;
  while (rest != "]") {
    std::uint32_t bucket = 0;
    std::uint64_t inside = 0;
    const bool read = take_word(rest, "[") && take_number(rest, bucket) && take_word(rest, ",") &&
                      take_number(rest, inside) && take_word(rest, "]");
    if (!read) return std::nullopt;
    encode(bucket, inside);
    if (!take_word(rest, ",") && rest != "]") return std::nullopt;
  }
  if (!LatencyHistogram::from_bytes(bytes)) return std::nullopt;
  return bytes;
}

}  // namespace photon::analysis
