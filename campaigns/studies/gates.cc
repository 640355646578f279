#include "campaigns/studies/gates.h"

#include <algorithm>

#include <fmt/format.h>

#include "campaigns/studies/metric_names.h"
#include "scenarios/config/units.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

namespace {

// Powers of seconds and of bytes.
struct Dimension {
  int seconds = 0;
  int bytes = 0;
  bool operator==(const Dimension&) const = default;

  std::string text() const {
    if (*this == Dimension{1, 0}) return "a time";
    if (*this == Dimension{0, 1}) return "a size";
    if (*this == Dimension{-1, 0}) return "a rate";
    return *this == Dimension{} ? "a number" : "a product of units";
  }
};

Dimension dimension_of(analysis::Unit unit) {
  switch (unit) {
    case analysis::Unit::seconds:
      return {1, 0};
    case analysis::Unit::bytes:
      return {0, 1};
    case analysis::Unit::per_second:
      return {-1, 0};
    case analysis::Unit::count:
    case analysis::Unit::ratio:
      break;
  }
  return {};
}

Dimension dimension_of(std::string_view word) {
  if (const auto unit = unit_of_metric(std::string(word))) return dimension_of(*unit);
  if (scenarios::parse_duration(word).value) return {1, 0};
  return scenarios::parse_bytes(word).value ? Dimension{0, 1} : Dimension{};
}

Dimension dimension_of(const std::vector<Condition::Factor>& side) {
  Dimension product;
  for (const Condition::Factor& factor : side) {
    const Dimension each = dimension_of(std::string_view(factor.text));
    product.seconds += factor.divides ? -each.seconds : each.seconds;
    product.bytes += factor.divides ? -each.bytes : each.bytes;
  }
  return product;
}

bool is_zero(const std::vector<Condition::Factor>& side) {
  return side.size() == 1 && quantity_of(side.front().text) == 0.0;
}

// Rates are stated as plain numbers, because the language has no unit for them.
bool is_rate_and_number(const Dimension& a, const Dimension& b) {
  return a == Dimension{-1, 0} && b == Dimension{};
}

}  // namespace

std::string misfit_of(const Condition& gate) {
  const Dimension left = dimension_of(gate.left());
  const Dimension right = dimension_of(gate.right());
  const bool fits = left == right || is_zero(gate.left()) || is_zero(gate.right()) ||
                    is_rate_and_number(left, right) || is_rate_and_number(right, left);
  if (fits) return {};
  return fmt::format("`{}` compares {} with {}; give a quantity its unit, as in 8s, 100ms or 64KiB",
                     gate.text(), left.text(), right.text());
}

bool has_unit_of(std::string_view quantity, const std::string& figure) {
  return dimension_of(quantity) == dimension_of(std::string_view(figure));
}

Gates parse_gates(std::span<const std::string> texts) {
  Gates gates;
  for (const std::string& text : texts) {
    auto parsed = Condition::parse(text);
    if (!parsed.condition) {
      gates.problem = parsed.problem;
      return gates;
    }
    const std::vector<std::string> names = parsed.condition->names();
    if (names.empty()) gates.problem = fmt::format("`{}` names no figure", text);
    for (const std::string& name : names) {
      if (is_metric(name)) continue;
      const std::string near = scenarios::closest(name, metric_names());
      gates.problem =
          fmt::format("there is no metric '{}'; {}`photonsim explain metrics` lists them", name,
                      near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near));
    }
    if (gates.problem.empty()) gates.problem = misfit_of(*parsed.condition);
    if (!gates.problem.empty()) return gates;
    gates.list.push_back(*std::move(parsed.condition));
  }
  return gates;
}

bool names_latency(const Condition& gate) {
  return std::ranges::any_of(gate.names(), [](const std::string& name) {
    return unit_of_metric(name) == analysis::Unit::seconds;
  });
}

std::string miss_of(const Condition& gate, std::span<const analysis::Metric> figures) {
  std::string values;
  std::string missing;
  const auto value_of = [&](const std::string& name) -> std::optional<Condition::Operand> {
    const auto found = std::ranges::find(figures, stored_name(name), &analysis::Metric::name);
    if (found == figures.end()) {
      missing = name;
      return std::nullopt;
    }
    values += fmt::format("{}{} is {:.6g}{}", values.empty() ? "" : ", ", name, found->value,
                          found->unit == analysis::Unit::seconds ? " s" : "");
    return Condition::Operand{found->value, {}};
  };
  std::string problem;
  const auto met = gate.evaluate(value_of, problem);
  if (!missing.empty()) return fmt::format("`{}`: this run has no {}", gate.text(), missing);
  if (!met) return problem;
  const auto stationary =
      std::ranges::find(figures, "capacity.stationary", &analysis::Metric::name);
  if (*met && stationary != figures.end() && stationary->value == 0 && names_latency(gate)) {
    return fmt::format("`{}` is undecided, because the run is not stationary: {}", gate.text(),
                       values);
  }
  return *met ? std::string() : fmt::format("`{}` is not met: {}", gate.text(), values);
}

}  // namespace photonsim::campaigns
