// Quantities: a decimal number with a mandatory unit.
//
// Durations "100ms", sizes "64KiB", fractions "0.1%", "200ppm" or a plain number.
// Parsing is exact: a quantity that is not a whole number of nanoseconds (bytes) is an error, never
// rounded. Formatting is canonical: parse(format(x)) == x for each x that parse can return.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace photonsim::scenarios {

// The longest duration and the largest size that a scenario may state.
inline constexpr std::chrono::nanoseconds kMaxDuration = std::chrono::hours{24 * 36'500};
inline constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 50;

// Either a value, or the error in the text and a hint.
template <typename T>
struct Parsed {
  std::optional<T> value{};
  std::string problem{};
  std::string hint{};
};

// Units ns, us, ms, s, min (or m), h, d. Negative text is refused here: no duration of a scenario
// is negative.
[[nodiscard]] Parsed<std::chrono::nanoseconds> parse_duration(std::string_view text);
[[nodiscard]] std::string format_duration(std::chrono::nanoseconds value);

// Units B, KB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024).
[[nodiscard]] Parsed<std::uint64_t> parse_bytes(std::string_view text);
[[nodiscard]] std::string format_bytes(std::uint64_t value);

// Units %, ppm, ppb, or none; "0.1%" and "0.001" give the same double. The range is the caller's.
[[nodiscard]] Parsed<double> parse_fraction(std::string_view text);

// Shortest text that reads back as the same double, always with a point or an exponent.
[[nodiscard]] std::string format_real(double value);

}  // namespace photonsim::scenarios
