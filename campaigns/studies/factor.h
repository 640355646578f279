// A key that a design or a search draws, and its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

// Which values a factor takes.
enum class Quantity : std::uint8_t { whole, real, duration, bytes, choice };

// A key that is drawn.
struct Factor {
  std::string key{};
  Quantity quantity = Quantity::whole;
  bool logarithmic = false;
  double from = 0, to = 0;            // whole numbers, numbers, seconds or bytes; from < to
  std::vector<std::string> values{};  // of a choice, two or more
  scenarios::Place place{};           // of the key in the study file

  // The value at `at` of its way, from 0 to 1, as --set takes it. Whole numbers and choices have
  // equal shares of the way; numbers and durations are rounded to three significant digits
  // of themselves, or of the length of the range.
  std::string text_at(double at) const;
  // Where that value itself stands on the way: of the choices 1, 2 and 4 at 0, 0.5 and 1.
  double position_at(double at) const;
};

}  // namespace photonsim::campaigns
