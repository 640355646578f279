#include "campaigns/studies/gates.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/statistics/quantiles.h"
#include "campaigns/studies/gate_checks.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/share_above.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

namespace {

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

// "latency.own.p9999 rests on 300 values and needs 100,000"; empty if all quantiles of the gate
// rest on enough.
std::string too_small_of(const Condition& gate, const analysis::RunRecord& run) {
  for (const std::string& name : gate.names()) {
    const auto quantile = quantile_named(stored_name(name));
    if (!quantile) continue;
    const auto count = run.metric(quantile->group + ".count");
    if (!count) continue;
    const auto n = static_cast<std::uint64_t>(*count);
    if (!analysis::too_small(n, quantile->fraction)) continue;
    return fmt::format("{} rests on {} values and needs {}", name, n,
                       analysis::sample_needed(quantile->fraction));
  }
  return {};
}

}  // namespace

Dimension dimension_of_word(std::string_view word) {
  const auto unit = unit_of_metric(std::string(word));
  return unit ? dimension_of(*unit) : dimension_of_quantity(word);
}

std::string misfit_of(const Condition& gate) { return misfit_of(gate, dimension_of_word); }

bool has_unit_of(std::string_view quantity, const std::string& figure) {
  return dimension_of_quantity(quantity) == dimension_of_word(figure);
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
      if (name.starts_with('-')) {
        gates.problem =
            fmt::format("`{}`: '{}' has a sign; figures are compared with 0 or more", text, name);
        continue;
      }
      const std::string near = closest_metric(name);
      gates.problem =
          fmt::format("there is no metric '{}'; {}`photonsim explain metrics` lists them", name,
                      near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near));
    }
    if (gates.problem.empty()) gates.problem = misfit_of(*parsed.condition);
    if (!gates.problem.empty()) return gates;
    gates.list.push_back(*std::move(parsed.condition));
  }
  if (const auto faults = gate_faults(all_of(gates.list)); !faults.empty()) {
    gates.problem = fmt::format("{}; {}", faults.front().message, faults.front().hint);
  }
  return gates;
}

bool names_latency(const Condition& gate) {
  return std::ranges::any_of(gate.names(), [](const std::string& name) {
    return unit_of_metric(name) == analysis::Unit::seconds || is_share_above(name);
  });
}

std::string miss_of(const Condition& gate, const analysis::RunRecord& run) {
  std::string values;
  std::string missing;
  const auto value_of = [&](const std::string& name) -> std::optional<Condition::Operand> {
    const auto found = metric_of(run, name);
    if (!found) {
      missing = name;
      return std::nullopt;
    }
    values += fmt::format("{}{} is {:.6g}{}", values.empty() ? "" : ", ", name, *found,
                          unit_of_metric(name) == analysis::Unit::seconds ? " s" : "");
    return Condition::Operand{*found, {}};
  };
  std::string problem;
  const auto met = gate.evaluate(value_of, problem);
  if (!missing.empty()) return fmt::format("`{}`: this run has no {}", gate.text(), missing);
  if (!met) return problem;
  const auto stationary = run.metric("capacity.stationary");
  if (*met && stationary == 0.0 && names_latency(gate)) {
    return fmt::format("`{}` is undecided, because the run is not stationary: {}", gate.text(),
                       values);
  }
  if (*met && !stationary && run.metric("capacity.growing") == 0.0 && names_latency(gate)) {
    return fmt::format(
        "`{}` is undecided, because it is not known whether the run is stationary (too few "
        "samples): {}",
        gate.text(), values);
  }
  if (*met) {
    const std::string small = too_small_of(gate, run);
    return small.empty() ? small : fmt::format("`{}` is undecided: {}", gate.text(), small);
  }
  return fmt::format("`{}` is not met: {}", gate.text(), values);
}

}  // namespace photonsim::campaigns
