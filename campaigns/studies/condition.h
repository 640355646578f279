// Comparisons in study files and of --expect: "registry.shards <= 4", "latency.total.p99 < 8s".
//
// A quantity is a number with or without unit; durations are seconds, sizes bytes, fractions plain
// numbers. Each side is a product or a quotient of names and quantities.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace photonsim::campaigns {

// "100ms" -> 0.1, "64KiB" -> 65536, "2%" -> 0.02, "12" -> 12. Nothing for other text.
std::optional<double> quantity_of(std::string_view text);

enum class Relation : unsigned char { less, at_most, equal, unequal, at_least, greater };
std::string_view symbol_of(Relation relation);
bool holds(double left, Relation relation, double right);

class Condition {
 public:
  // A name or a quantity, and how it joins those before it.
  struct Factor {
    bool divides = false;
    std::string text{};
  };
  // A value of a name: a number, or else text. Nothing: the name is unknown.
  struct Operand {
    std::optional<double> number{};
    std::string text{};
  };
  using Lookup = std::function<std::optional<Operand>(const std::string& name)>;

  struct Parsed;
  static Parsed parse(std::string_view text);

  const std::string& text() const { return text_; }
  Relation relation() const { return relation_; }
  const std::vector<Factor>& left() const { return left_; }
  const std::vector<Factor>& right() const { return right_; }
  // In the study file, from 1; 0: it is of no file.
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  // All that are no quantities, in order.
  std::vector<std::string> names() const;
  // Of a condition that bounds one figure alone by numbers: it is to be less, or more. Nothing for
  // any other.
  enum class Side : std::uint8_t { less, more };
  std::optional<Side> bounded_side() const;

  // Whether it holds with these values. Nothing, and `problem` says why, if a name is unknown or
  // the sides cannot be compared. A single word that is no name is text: "a.b == dynamic".
  std::optional<bool> evaluate(const Lookup& value_of, std::string& problem) const;

 private:
  std::string text_{};
  std::vector<Factor> left_{};
  std::vector<Factor> right_{};
  Relation relation_ = Relation::less;
};

// "waste.wasted * 2 / joined": its factors; empty if it is no product.
std::vector<Condition::Factor> product_of(std::string_view text);

struct Condition::Parsed {
  std::optional<Condition> condition{};
  std::string problem{};  // without a condition
};

}  // namespace photonsim::campaigns
