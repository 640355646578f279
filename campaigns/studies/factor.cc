#include "campaigns/studies/factor.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "campaigns/studies/condition.h"
#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

// Of `count` equal shares of the way, the one that `at` lies in.
std::uint64_t share_at(double at, std::uint64_t count) {
  const auto share = static_cast<std::uint64_t>(at * static_cast<double>(count));
  return std::min(share, count - 1);
}

double power_of_ten_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }

// To three significant digits, of the value or of the length of its range if that is less: values
// that people can read and repeat, and tell from each other.
double rounded(double value, double length) {
  if (value == 0) return 0;
  const double unit =
      std::min(power_of_ten_below(std::fabs(value)), power_of_ten_below(length)) / 100;
  return std::round(value / unit) * unit;
}

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

}  // namespace

std::string Factor::text_at(double at) const {
  if (quantity == Quantity::choice) return values[share_at(at, values.size())];
  if (quantity == Quantity::whole && !logarithmic) {
    const auto first = static_cast<std::int64_t>(from);
    return fmt::format("{}", first + static_cast<std::int64_t>(share_at(at, whole(to - from) + 1)));
  }
  const double exact = logarithmic ? from * std::pow(to / from, at) : from + (to - from) * at;
  const double readable = std::clamp(rounded(exact, to - from), from, to);
  switch (quantity) {
    case Quantity::whole:
      return fmt::format("{}", std::llround(exact));
    case Quantity::duration:
      return scenarios::format_duration(std::chrono::nanoseconds(std::llround(readable * 1e9)));
    case Quantity::bytes:
      return scenarios::format_bytes(whole(exact));
    default:
      return scenarios::format_real(readable);
  }
}

double Factor::position_at(double at) const {
  if (quantity == Quantity::choice) {
    return static_cast<double>(share_at(at, values.size())) /
           static_cast<double>(values.size() - 1);
  }
  if (quantity != Quantity::whole) return at;
  const double value = *quantity_of(text_at(at));
  return logarithmic ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
}

}  // namespace photonsim::campaigns
