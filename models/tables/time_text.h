// Times as tables write them: decimal numbers of a unit, or ISO 8601, exact to the nanosecond.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core_impl/base/result.h"

namespace photon::models {

enum class TimeForm : std::uint8_t { seconds, milliseconds, microseconds, nanoseconds, iso8601 };

enum class TimeFault : std::uint8_t { not_a_time, out_of_range, too_fine };

// Nanoseconds since zero of the unit, or since 1970 for ISO 8601.
//
//   numbers   "12", "-3", "12.345"
//   ISO 8601  "2013-06-22T08:30:00.5Z", "2013-06-22 10:30+02:00", "20130622T083000"; without a
//             zone UTC is meant
Result<std::int64_t, TimeFault> parse_time(std::string_view text, TimeForm form);

// The form of a time that can only be meant in one way: ISO 8601, or a number of a unit since 1970
// that lies between 1973 and 2043. Nothing for all others.
std::optional<TimeForm> recognise(std::string_view text);

std::string_view name_of(TimeForm form);  // "s", "ms", "us", "ns", "iso8601"

// The inverse of parse_time: "12.345", or "2013-06-22T08:30:00.5Z" (in UTC).
std::string time_text(std::int64_t nanoseconds, TimeForm form);

}  // namespace photon::models
