#include "campaigns/studies/dimension.h"

#include <vector>

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

std::string misfit_of(const Condition& condition,
                      const std::function<Dimension(std::string_view word)>& dimension_of) {
  const auto product_of = [&](const std::vector<Condition::Factor>& side) {
    Dimension product;
    for (const Condition::Factor& factor : side) {
      const Dimension each = dimension_of(factor.text);
      product.seconds += factor.divides ? -each.seconds : each.seconds;
      product.bytes += factor.divides ? -each.bytes : each.bytes;
    }
    return product;
  };
  const Dimension left = product_of(condition.left());
  const Dimension right = product_of(condition.right());
  const bool fits = left == right || is_zero(condition.left()) || is_zero(condition.right()) ||
                    is_rate_and_number(left, right) || is_rate_and_number(right, left);
  if (fits) return {};
  return fmt::format("`{}` compares {} with {}; give a quantity its unit, as in 8s, 100ms or 64KiB",
                     condition.text(), text_of(left), text_of(right));
}

}  // namespace photonsim::campaigns
