#include "campaigns/studies/condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

// The longer symbols first.
constexpr std::array<std::pair<std::string_view, Relation>, 6> kSymbols{{{"<=", Relation::at_most},
                                                                         {">=", Relation::at_least},
                                                                         {"==", Relation::equal},
                                                                         {"!=", Relation::unequal},
                                                                         {"<", Relation::less},
                                                                         {">", Relation::greater}}};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_part_of_word(char c) { return c != ' ' && c != '\t' && c != '*' && c != '/'; }

// Takes the unit of "30 s" from the front of the rest.
std::string_view with_unit(std::string& number, std::string_view rest) {
  const auto size =
      static_cast<std::size_t>(std::ranges::find_if_not(rest, is_part_of_word) - rest.begin());
  const std::string whole = number + std::string(rest.substr(0, size));
  if (quantity_of(rest.substr(0, size)) || !quantity_of(number) || !quantity_of(whole)) return rest;
  number = whole;
  return trimmed(rest.substr(size));
}

// The value of a product, or the text of a single word.
std::optional<Condition::Operand> value_of_side(const std::vector<Condition::Factor>& side,
                                                const Condition::Lookup& lookup,
                                                std::string& problem) {
  double product = 1;
  for (const Condition::Factor& factor : side) {
    std::optional<Condition::Operand> operand = Condition::Operand{quantity_of(factor.text), {}};
    if (!operand->number) operand = lookup(factor.text);
    const bool alone = side.size() == 1;
    if (alone && (!operand || !operand->number)) {
      return operand ? operand : Condition::Operand{{}, factor.text};
    }
    if (!operand || !operand->number) {
      problem = fmt::format("`{}` is no number and no name of one", factor.text);
      return std::nullopt;
    }
    product = factor.divides ? product / *operand->number : product * *operand->number;
  }
  return Condition::Operand{product, {}};
}

}  // namespace

std::optional<double> quantity_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  if (end == text.data() + text.size()) return number;
  if (const auto duration = scenarios::parse_duration(text); duration.value) {
    return std::chrono::duration<double>(*duration.value).count();
  }
  if (const auto bytes = scenarios::parse_bytes(text); bytes.value) {
    return static_cast<double>(*bytes.value);
  }
  const auto fraction = scenarios::parse_fraction(text);
  return fraction.value;
}

std::string_view symbol_of(Relation relation) {
  return std::ranges::find(kSymbols, relation, &decltype(kSymbols)::value_type::second)->first;
}

bool holds(double left, Relation relation, double right) {
  switch (relation) {
    case Relation::less:
      return left < right;
    case Relation::at_most:
      return left <= right;
    case Relation::equal:
      return left == right;
    case Relation::unequal:
      return left != right;
    case Relation::at_least:
      return left >= right;
    case Relation::greater:
      return left > right;
  }
  return false;
}

std::vector<Condition::Factor> product_of(std::string_view text) {
  std::vector<Condition::Factor> factors;
  bool divides = false;
  while (true) {
    text = trimmed(text);
    const auto end = std::ranges::find_if_not(text, is_part_of_word);
    const auto size = static_cast<std::size_t>(end - text.begin());
    if (size == 0) return {};
    factors.push_back({divides, std::string(text.substr(0, size))});
    text = trimmed(text.substr(size));
    if (!text.empty() && is_part_of_word(text.front())) {
      text = with_unit(factors.back().text, text);
    }
    if (text.empty()) return factors;
    if (text.front() != '*' && text.front() != '/') return {};
    divides = text.front() == '/';
    text.remove_prefix(1);
  }
}

Condition::Parsed Condition::parse(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return Parsed{std::nullopt, fmt::format("`{}` {}", text, why)};
  };
  std::size_t at = std::string_view::npos;
  std::pair<std::string_view, Relation> symbol{};
  for (const auto& each : kSymbols) {
    const auto found = text.find(each.first);
    if (found < at) {
      at = found;
      symbol = each;
    }
  }
  if (at == std::string_view::npos) {
    return refused(text.find('=') == std::string_view::npos
                       ? "is no comparison, as in \"a.b < 5\""
                       : "is no comparison: equality is ==, as in \"a.b == 5\"");
  }
  Condition condition;
  condition.text_ = std::string(trimmed(text));
  condition.relation_ = symbol.second;
  condition.left_ = product_of(text.substr(0, at));
  condition.right_ = product_of(text.substr(at + symbol.first.size()));
  if (condition.left_.empty() || condition.right_.empty()) {
    return refused("needs a name or a number on each side, or a product of such");
  }
  return {std::move(condition), {}};
}

std::vector<std::string> Condition::names() const {
  std::vector<std::string> names;
  for (const auto* side : {&left_, &right_}) {
    for (const Factor& factor : *side) {
      if (!quantity_of(factor.text)) names.push_back(factor.text);
    }
  }
  return names;
}

std::optional<Condition::Side> Condition::bounded_side() const {
  const bool upper = relation_ == Relation::less || relation_ == Relation::at_most;
  const bool lower = relation_ == Relation::greater || relation_ == Relation::at_least;
  if (names().size() != 1 || (!upper && !lower)) return std::nullopt;
  const bool on_left = left_.size() == 1 && !quantity_of(left_.front().text);
  const bool on_right = right_.size() == 1 && !quantity_of(right_.front().text);
  if (on_left == on_right) return std::nullopt;
  return upper == on_left ? Side::less : Side::more;
}

std::optional<bool> Condition::evaluate(const Lookup& value_of, std::string& problem) const {
  const auto left = value_of_side(left_, value_of, problem);
  if (!left) return std::nullopt;
  const auto right = value_of_side(right_, value_of, problem);
  if (!right) return std::nullopt;
  if (left->number && right->number) return holds(*left->number, relation_, *right->number);
  const bool textual = relation_ == Relation::equal || relation_ == Relation::unequal;
  if (!textual || left->number || right->number) {
    problem = fmt::format("`{}` compares a number with text, or texts by order", text_);
    return std::nullopt;
  }
  return (left->text == right->text) == (relation_ == Relation::equal);
}

}  // namespace photonsim::campaigns
