#include "campaigns/studies/gate_checks.h"

#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

using scenarios::Report;

struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_is_met = true, high_is_met = true;  // by the bound itself
  std::string low_text{}, high_text{};
};

// A figure that is never negative, or a share, beside a number that it cannot reach.
void check_possible(const Condition& gate, Report& report) {
  if (gate.left().size() != 1 || gate.right().size() != 1) return;
  const std::string& name = gate.left().front().text;
  const auto number = quantity_of(gate.right().front().text);
  if (!number || !is_metric(name) || may_be_negative(name)) return;
  const bool upper = gate.relation() == Relation::less || gate.relation() == Relation::at_most ||
                     gate.relation() == Relation::equal;
  const bool never = upper && (*number < 0 || (*number == 0 && gate.relation() == Relation::less));
  if (!never) return;
  report.add({0, gate.line, gate.column},
             fmt::format("`{}` can never be met: {} is not below zero", gate.text(), name),
             "give the most that you accept");
}

// A value that meets the lower bound of one does not meet the upper bound of the other.
bool exclude(const Bounds& lower, const Bounds& upper) {
  if (lower.low < upper.high) return false;
  return lower.low > upper.high || !lower.low_is_met || !upper.high_is_met;
}

// Two quantiles of the same latencies, the first with the smaller fraction.
bool never_exceeds(const std::string& metric, const std::string& other) {
  const auto first = quantile_named(stored_name(metric));
  const auto second = quantile_named(stored_name(other));
  return first && second && first->group == second->group && first->fraction < second->fraction;
}

}  // namespace

void check_gates(const Study& study, const GatePlaces& places, Report& report) {
  std::map<std::string, Bounds> bounds;
  std::vector<Condition> all = study.gates;
  all.insert(all.end(), study.subject_to.begin(), study.subject_to.end());
  for (const Condition& gate : all) {
    check_possible(gate, report);
    if (gate.left().size() != 1 || gate.right().size() != 1) continue;
    const auto number = quantity_of(gate.right().front().text);
    if (!number || quantity_of(gate.left().front().text)) continue;
    Bounds& of = bounds[gate.left().front().text];
    const Relation relation = gate.relation();
    const bool upper =
        relation == Relation::less || relation == Relation::at_most || relation == Relation::equal;
    const bool lower = relation == Relation::greater || relation == Relation::at_least ||
                       relation == Relation::equal;
    const bool strict = relation == Relation::less || relation == Relation::greater;
    if (upper && (*number < of.high || (*number == of.high && strict))) {
      of.high = *number;
      of.high_is_met = !strict;
      of.high_text = gate.text();
    }
    if (lower && (*number > of.low || (*number == of.low && strict))) {
      of.low = *number;
      of.low_is_met = !strict;
      of.low_text = gate.text();
    }
  }
  const scenarios::Place place = study.gates.empty() ? places.answer : places.gates;
  for (const auto& [metric, of] : bounds) {
    if (!exclude(of, of)) continue;
    report.add(
        place,
        fmt::format("no value of {} meets both `{}` and `{}`", metric, of.low_text, of.high_text),
        "leave one of them out");
  }
  for (const auto& [metric, of] : bounds) {
    for (const auto& [other, bound] : bounds) {
      if (!never_exceeds(metric, other) || !exclude(of, bound)) continue;
      report.add(place,
                 fmt::format("no run meets both `{}` and `{}`: {} never exceeds {}", of.low_text,
                             bound.high_text, metric, other),
                 "leave one of them out");
    }
  }
}

}  // namespace photonsim::campaigns
