#include "scenarios/config/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <system_error>

#include <fmt/format.h>

namespace photonsim::scenarios {
namespace {

__extension__ using Wide = unsigned __int128;  // -Wpedantic: both compilers have it

struct Unit {
  std::string_view name;
  std::uint64_t scale;  // of the base unit: nanosecond or byte
};

// The first of two equal scales is the canonical name. Largest first, so that format finds it.
constexpr std::array kDurationUnits{Unit{"d", 86'400'000'000'000},
                                    Unit{"h", 3'600'000'000'000},
                                    Unit{"min", 60'000'000'000},
                                    Unit{"m", 60'000'000'000},
                                    Unit{"s", 1'000'000'000},
                                    Unit{"ms", 1'000'000},
                                    Unit{"us", 1'000},
                                    Unit{"ns", 1}};
constexpr std::array kByteUnits{
    Unit{"GiB", 1 << 30}, Unit{"GB", 1'000'000'000}, Unit{"MiB", 1 << 20}, Unit{"MB", 1'000'000},
    Unit{"KiB", 1 << 10}, Unit{"KB", 1'000},         Unit{"B", 1}};

constexpr std::string_view kDurationHint = "units are ns, us, ms, s, min, h, d, as in \"100ms\"";
constexpr std::string_view kByteHint = "units are B, KB, MB, GB, KiB, MiB, GiB, as in \"64KiB\"";
constexpr std::string_view kFractionHint = "write 0.001, \"0.1%\" or \"1000ppm\"";

// A number in a unit, split but not yet understood.
struct Split {
  std::string_view whole{};     // digits before the point
  std::string_view fraction{};  // digits after it, without trailing zeros
  std::string_view number{};    // both with the point, for the floating-point readers
  std::string_view unit{};
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view digits_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) {
    ++end;
  }
  return text.substr(from, end - from);
}

template <typename T>
Parsed<T> failure(std::string problem, std::string_view hint) {
  return {std::nullopt, std::move(problem), std::string{hint}};
}

// "12.50 ms" -> 12, 5, ms. Blanks between number and unit are allowed, a sign is not.
Parsed<Split> split(std::string_view text, std::string_view hint) {
  if (text.empty()) {
    return failure<Split>("is empty", hint);
  }
  if (text.front() == '-') {
    return failure<Split>("must not be negative", hint);
  }
  Split result;
  result.whole = digits_at(text, 0);
  std::size_t at = result.whole.size();
  if (at < text.size() && text[at] == '.') {
    result.fraction = digits_at(text, at + 1);
    at += 1 + result.fraction.size();
  }
  if (result.whole.empty() || (text.find('.') < at && result.fraction.empty())) {
    return failure<Split>("is not a number with a unit", hint);
  }
  while (!result.fraction.empty() && result.fraction.back() == '0') {
    result.fraction.remove_suffix(1);
  }
  result.number = text.substr(0, at);
  const std::size_t unit = text.find_first_not_of(' ', at);
  result.unit = unit == std::string_view::npos ? std::string_view{} : text.substr(unit);
  return {result, {}, {}};
}

// Exact value in base units.
Parsed<std::uint64_t> parse_exact(std::string_view text, std::span<const Unit> units,
                                  std::uint64_t max, std::string_view hint) {
  const Parsed<Split> parts = split(text, hint);
  if (!parts.value) {
    return failure<std::uint64_t>(parts.problem, hint);
  }
  const Split& number = *parts.value;
  if (number.unit.empty()) {
    return failure<std::uint64_t>("has no unit", hint);
  }
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& u) { return u.name == number.unit; });
  if (unit == units.end()) {
    return failure<std::uint64_t>(fmt::format("has the unknown unit \"{}\"", number.unit), hint);
  }
  constexpr std::size_t kMaxDigits = 20;  // times the largest unit still fits 128 bits
  if (number.whole.size() > kMaxDigits || number.fraction.size() > kMaxDigits - 2) {
    return failure<std::uint64_t>("has too many digits", hint);
  }
  Wide value = 0;
  for (const char c : number.whole) {
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  if (value > Wide{max} / unit->scale) {
    return failure<std::uint64_t>("is too large", hint);
  }
  value *= unit->scale;
  Wide numerator = 0;
  Wide denominator = 1;
  for (const char c : number.fraction) {
    numerator = numerator * 10 + static_cast<unsigned>(c - '0');
    denominator *= 10;
  }
  numerator *= unit->scale;
  if (numerator % denominator != 0) {
    return failure<std::uint64_t>(fmt::format("is not a whole number of {}", units.back().name),
                                  hint);
  }
  value += numerator / denominator;
  if (value > max) {
    return failure<std::uint64_t>("is too large", hint);
  }
  return {static_cast<std::uint64_t>(value), {}, {}};
}

std::string format_exact(std::uint64_t value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (value != 0 && value % unit.scale == 0) {
      return fmt::format("{}{}", value / unit.scale, unit.name);
    }
  }
  return fmt::format("0{}", units.back().name);
}

// The double nearest to number * 10^exponent: one rounding only.
std::optional<double> scaled(std::string_view number, int exponent) {
  constexpr std::size_t kMaxLength = 40;
  if (number.size() > kMaxLength) {
    return std::nullopt;
  }
  const std::string text = fmt::format("{}e{}", number, exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

Parsed<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const auto max = static_cast<std::uint64_t>(kMaxDuration.count());
  Parsed<std::uint64_t> exact = parse_exact(text, kDurationUnits, max, kDurationHint);
  if (!exact.value) {
    return failure<std::chrono::nanoseconds>(std::move(exact.problem), exact.hint);
  }
  return {std::chrono::nanoseconds{static_cast<std::int64_t>(*exact.value)}, {}, {}};
}

std::string format_duration(std::chrono::nanoseconds value) {
  if (value.count() == 0) {
    return "0s";
  }
  const bool negative = value.count() < 0;  // only in messages about a Config built by hand
  const auto count = static_cast<std::uint64_t>(value.count());
  const std::string text = format_exact(negative ? ~count + 1 : count, kDurationUnits);
  return negative ? "-" + text : text;
}

Parsed<std::uint64_t> parse_bytes(std::string_view text) {
  return parse_exact(text, kByteUnits, kMaxBytes, kByteHint);
}

std::string format_bytes(std::uint64_t value) { return format_exact(value, kByteUnits); }

Parsed<double> parse_fraction(std::string_view text) {
  const Parsed<Split> parts = split(text, kFractionHint);
  if (!parts.value) {
    return failure<double>(parts.problem, kFractionHint);
  }
  constexpr std::array<std::pair<std::string_view, int>, 4> kExponents{
      {{"", 0}, {"%", -2}, {"ppm", -6}, {"ppb", -9}}};
  const auto unit = std::find_if(kExponents.begin(), kExponents.end(),
                                 [&](const auto& p) { return p.first == parts.value->unit; });
  if (unit == kExponents.end()) {
    return failure<double>("has an unknown unit", kFractionHint);
  }
  const std::optional<double> value = scaled(parts.value->number, unit->second);
  if (!value) {
    return failure<double>("is not a number", kFractionHint);
  }
  return {value, {}, {}};
}

std::string format_real(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) {
    text += ".0";
  }
  return text;
}

}  // namespace photonsim::scenarios
