#include "campaigns/studies/gates.h"

#include <algorithm>

#include <fmt/format.h>

#include "campaigns/studies/metric_names.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

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
      gates.problem = fmt::format("there is no metric '{}'; {}", name,
                                  scenarios::suggest(name, metric_names()));
    }
    if (!gates.problem.empty()) return gates;
    gates.list.push_back(*std::move(parsed.condition));
  }
  return gates;
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
  return *met ? std::string() : fmt::format("`{}` is not met: {}", gate.text(), values);
}

}  // namespace photonsim::campaigns
