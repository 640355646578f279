#include "campaigns/studies/gate_checks.h"

#include <limits>
#include <map>
#include <string>
#include <utility>
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
  const Condition* low_of = nullptr;
  const Condition* high_of = nullptr;
};

bool is_upper(Relation relation) {
  return relation == Relation::less || relation == Relation::at_most || relation == Relation::equal;
}

bool is_lower(Relation relation) {
  return relation == Relation::greater || relation == Relation::at_least ||
         relation == Relation::equal;
}

// A figure that is never negative, or a share, beside a number that it cannot reach.
bool is_impossible(const Condition& gate) {
  if (gate.left().size() != 1 || gate.right().size() != 1) return false;
  const std::string& name = gate.left().front().text;
  const auto number = quantity_of(gate.right().front().text);
  if (!number || !is_metric(name) || may_be_negative(name)) return false;
  return is_upper(gate.relation()) &&
         (*number < 0 || (*number == 0 && gate.relation() == Relation::less));
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

// The bounds by numbers of each figure.
std::map<std::string, Bounds> bounds_of(const std::vector<const Condition*>& gates) {
  std::map<std::string, Bounds> bounds;
  for (const Condition* gate : gates) {
    if (gate->left().size() != 1 || gate->right().size() != 1) continue;
    const auto number = quantity_of(gate->right().front().text);
    if (!number || quantity_of(gate->left().front().text)) continue;
    Bounds& of = bounds[gate->left().front().text];
    const Relation relation = gate->relation();
    const bool strict = relation == Relation::less || relation == Relation::greater;
    if (is_upper(relation) && (*number < of.high || (*number == of.high && strict))) {
      of.high = *number;
      of.high_is_met = !strict;
      of.high_of = gate;
    }
    if (is_lower(relation) && (*number > of.low || (*number == of.low && strict))) {
      of.low = *number;
      of.low_is_met = !strict;
      of.low_of = gate;
    }
  }
  return bounds;
}

const Condition* later_of(const Condition* one, const Condition* other) {
  return std::pair(one->line, one->column) < std::pair(other->line, other->column) ? other : one;
}

}  // namespace

std::vector<const Condition*> all_of(std::span<const Condition> first,
                                     std::span<const Condition> second) {
  std::vector<const Condition*> all;
  for (const std::span<const Condition> list : {first, second}) {
    for (const Condition& each : list) all.push_back(&each);
  }
  return all;
}

std::vector<GateFault> gate_faults(const std::vector<const Condition*>& gates) {
  std::vector<GateFault> faults;
  for (const Condition* gate : gates) {
    if (!is_impossible(*gate)) continue;
    faults.push_back({gate,
                      fmt::format("`{}` can never be met: {} is not below zero", gate->text(),
                                  gate->left().front().text),
                      "give the most that you accept"});
  }
  const auto bounds = bounds_of(gates);
  const auto contradict = [&](const Bounds& lower, const Bounds& upper, const std::string& why) {
    faults.push_back({later_of(lower.low_of, upper.high_of), why, "leave one of them out"});
  };
  for (const auto& [metric, of] : bounds) {
    if (exclude(of, of)) {
      contradict(of, of,
                 fmt::format("no value of {} meets both `{}` and `{}`", metric, of.low_of->text(),
                             of.high_of->text()));
    }
    for (const auto& [other, bound] : bounds) {
      if (!never_exceeds(metric, other) || !exclude(of, bound)) continue;
      contradict(of, bound,
                 fmt::format("no run meets both `{}` and `{}`: {} never exceeds {}",
                             of.low_of->text(), bound.high_of->text(), metric, other));
    }
  }
  return faults;
}

void check_gates(const std::vector<const Condition*>& gates, Report& report) {
  for (const GateFault& each : gate_faults(gates)) {
    report.add({0, each.gate->line, each.gate->column}, each.message, each.hint);
  }
}

}  // namespace photonsim::campaigns
