// What a quantity measures: times, sizes and numbers are not compared with each other.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/studies/condition.h"

namespace photonsim::campaigns {

// Powers of seconds and of bytes; both zero: a number.
struct Dimension {
  int seconds = 0;
  int bytes = 0;
  bool operator==(const Dimension&) const = default;
};

// Of "8s", "64KiB", "5%", "3"; a number for any other text.
Dimension dimension_of_quantity(std::string_view text);

// Of a product. `dimension_of` knows the names and quantities in it.
using DimensionOf = std::function<Dimension(std::string_view word)>;
Dimension dimension_of_product(const std::vector<Condition::Factor>& product,
                               const DimensionOf& dimension_of);

// Why the two sides of a condition cannot be compared; empty if they can.
std::string misfit_of(const Condition& condition, const DimensionOf& dimension_of);

}  // namespace photonsim::campaigns
