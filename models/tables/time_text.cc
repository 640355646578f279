#include "models/tables/time_text.h"

#include <array>
#include <chrono>
#include <limits>

#include <fmt/format.h>

namespace photon::models {
namespace {

// So that the distance of any two times is a Duration, and sums of a few of them still are.
constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max() / 4;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::array<std::int64_t, 4> kUnits{kSecond, 1'000'000, 1'000, 1};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Result<std::int64_t, TimeFault> parse_number(std::string_view text, std::int64_t unit_ns) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.front() == '.') return TimeFault::not_a_time;
  __extension__ using Wide = __int128;
  Wide total = 0;
  Wide scale = unit_ns;
  bool fraction = false;
  bool too_fine = false;  // a digit that is no whole number of nanoseconds
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(c)) return TimeFault::not_a_time;
    if (fraction) {
      if ((scale == 0 || scale % 10 != 0) && c != '0') too_fine = true;
      scale /= 10;
      total += scale * (c - '0');
    } else if (total <= kFarthest) {  // beyond it the digits only need to be valid
      total = total * 10 + static_cast<Wide>(unit_ns) * (c - '0');
    }
  }
  if (total > kFarthest) return TimeFault::out_of_range;
  if (too_fine) return TimeFault::too_fine;
  const auto value = static_cast<std::int64_t>(total);
  return negative ? -value : value;
}

// Takes parts of a time from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool next_is_digit() const { return !rest_.empty() && is_digit(rest_.front()); }
  // Exactly `digits` digits; -1 if they are not there.
  int number(std::size_t digits) {
    if (rest_.size() < digits) return -1;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest_[i])) return -1;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  std::string_view digits() {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    const std::string_view found = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return found;
  }

 private:
  std::string_view rest_;
};

// Days since 1970; nothing if there is no such day.
std::optional<std::int64_t> take_date(Scanner& scan) {
  const int year = scan.number(4);
  const bool dashed = scan.take('-');
  const int month = scan.number(2);
  if (dashed != scan.take('-')) return std::nullopt;
  const int day = scan.number(2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

// Nanoseconds of a fraction of a second.
Result<std::int64_t, TimeFault> take_fraction(Scanner& scan) {
  const std::string_view digits = scan.digits();
  if (digits.empty()) return TimeFault::not_a_time;
  std::int64_t total = 0;
  std::int64_t scale = kSecond;
  for (const char c : digits) {
    scale /= 10;
    if (scale == 0 && c != '0') return TimeFault::too_fine;
    total += scale * (c - '0');
  }
  return total;
}

// "Z", "+02", "+0200", "+02:00" or nothing, in seconds east of UTC.
std::optional<std::int64_t> take_zone(Scanner& scan) {
  if (scan.done() || scan.take('Z') || scan.take('z')) return 0;
  const bool east = scan.take('+');
  if (!east && !scan.take('-')) return std::nullopt;
  const int hours = scan.number(2);
  const bool colon = scan.take(':');
  const int minutes = colon || !scan.done() ? scan.number(2) : 0;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = (std::int64_t{hours} * 60 + minutes) * 60;
  return east ? seconds : -seconds;
}

// The time of day in seconds; a leap second is the one after it.
std::optional<std::int64_t> take_clock(Scanner& scan) {
  const int hour = scan.number(2);
  const bool colons = scan.take(':');
  const int minute = scan.number(2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  int second = 0;
  if (colons ? scan.take(':') : scan.next_is_digit()) second = scan.number(2);
  if (second < 0 || second > 60) return std::nullopt;
  return (std::int64_t{hour} * 60 + minute) * 60 + second;
}

Result<std::int64_t, TimeFault> parse_iso(std::string_view text) {
  Scanner scan(text);
  const auto days = take_date(scan);
  if (!days || !(scan.take('T') || scan.take('t') || scan.take(' '))) return TimeFault::not_a_time;
  const auto clock = take_clock(scan);
  if (!clock) return TimeFault::not_a_time;
  std::int64_t fraction = 0;
  if (scan.take('.') || scan.take(',')) {
    const auto found = take_fraction(scan);
    if (!found) return found.assume_error();
    fraction = found.assume_value();
  }
  const auto zone = take_zone(scan);
  if (!zone || !scan.done()) return TimeFault::not_a_time;
  const std::int64_t seconds = *days * 86'400 + *clock - *zone;
  if (seconds > kFarthest / kSecond || seconds < -kFarthest / kSecond) {
    return TimeFault::out_of_range;
  }
  return seconds * kSecond + fraction;
}

}  // namespace

Result<std::int64_t, TimeFault> parse_time(std::string_view text, TimeForm form) {
  if (form == TimeForm::iso8601) return parse_iso(text);
  return parse_number(text, kUnits[static_cast<std::size_t>(form)]);
}

std::optional<TimeForm> recognise(std::string_view text) {
  const auto iso = parse_iso(text);
  if (iso || iso.assume_error() != TimeFault::not_a_time) return TimeForm::iso8601;
  constexpr std::int64_t kFirst = 100'000'000 * kSecond;  // in 1973
  for (const TimeForm form :
       {TimeForm::seconds, TimeForm::milliseconds, TimeForm::microseconds, TimeForm::nanoseconds}) {
    const auto time = parse_time(text, form);
    if (time && time.assume_value() >= kFirst) return form;
  }
  return std::nullopt;
}

std::string_view name_of(TimeForm form) {
  constexpr std::array<std::string_view, 5> kNames{"s", "ms", "us", "ns", "iso8601"};
  return kNames[static_cast<std::size_t>(form)];
}

std::string time_text(std::int64_t nanoseconds, TimeForm form) {
  const bool iso = form == TimeForm::iso8601;
  const std::int64_t unit = iso ? kSecond : kUnits.at(static_cast<std::size_t>(form));
  // Rounded down, so that a fraction is added to what stands before it.
  std::int64_t whole = nanoseconds / unit;
  std::int64_t rest = nanoseconds % unit;
  if (iso && rest < 0) {
    --whole;
    rest += unit;
  }
  std::string fraction;
  if (rest != 0) {
    std::size_t digits = 0;
    for (std::int64_t each = unit; each > 1; each /= 10) ++digits;
    fraction = fmt::format(".{:0{}}", rest < 0 ? -rest : rest, digits);
    fraction.erase(fraction.find_last_not_of('0') + 1);
  }
  if (!iso) {
    const bool lost_sign = nanoseconds < 0 && whole == 0;
    return fmt::format("{}{}{}", lost_sign ? "-" : "", whole, fraction);
  }
  const auto day = std::chrono::floor<std::chrono::days>(std::chrono::seconds(whole));
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  const auto clock = std::chrono::seconds(whole) - day;
  const auto seconds = clock.count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     seconds / 3600, seconds / 60 % 60, seconds % 60, fraction);
}

}  // namespace photon::models
