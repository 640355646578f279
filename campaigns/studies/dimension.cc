#include "campaigns/studies/dimension.h"

#include <fmt/format.h>

#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

std::string text_of(const Dimension& dimension) {
  if (dimension == Dimension{1, 0}) return "a time";
  if (dimension == Dimension{0, 1}) return "a size";
  if (dimension == Dimension{-1, 0}) return "a rate";
  return dimension == Dimension{} ? "a number" : "a product of units";
}

bool is_zero(const std::vector<Condition::Factor>& side) {
  return side.size() == 1 && quantity_of(side.front().text) == 0.0;
}

// Rates are stated as plain numbers, because the language has no unit for them.
bool is_rate_and_number(const Dimension& a, const Dimension& b) {
  return a == Dimension{-1, 0} && b == Dimension{};
}

}  // namespace

Dimension dimension_of_quantity(std::string_view text) {
  if (scenarios::parse_duration(text).value) return {1, 0};
  return scenarios::parse_bytes(text).value ? Dimension{0, 1} : Dimension{};
}

Dimension dimension_of_product(const std::vector<Condition::Factor>& product,
                               const DimensionOf& dimension_of) {
  Dimension sum;
  for (const Condition::Factor& factor : product) {
    const Dimension each = dimension_of(factor.text);
    sum.seconds += factor.divides ? -each.seconds : each.seconds;
    sum.bytes += factor.divides ? -each.bytes : each.bytes;
  }
  return sum;
}

std::string misfit_of(const Condition& condition, const DimensionOf& dimension_of) {
  const Dimension left = dimension_of_product(condition.left(), dimension_of);
  const Dimension right = dimension_of_product(condition.right(), dimension_of);
  const bool fits = left == right || is_zero(condition.left()) || is_zero(condition.right()) ||
                    is_rate_and_number(left, right) || is_rate_and_number(right, left);
  if (fits) return {};
  return fmt::format("`{}` compares {} with {}; give a quantity its unit, as in 8s, 100ms or 64KiB",
                     condition.text(), text_of(left), text_of(right));
}

}  // namespace photonsim::campaigns
