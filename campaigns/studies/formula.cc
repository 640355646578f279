#include "campaigns/studies/formula.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <muParser.h>

#include "analysis/theory/catch_up.h"
#include "analysis/theory/joint_claims.h"
#include "analysis/theory/waste.h"

namespace photonsim::campaigns {
namespace {

namespace theory = photon::analysis::theory;

double or_none(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

double waste_of_exponential_shipping(double window, double mean) {
  return or_none(theory::waste_of_exponential_shipping(window, mean));
}
double waste_of_scan_phase(double window, double period) {
  return or_none(theory::waste_of_scan_phase(window, period));
}
double waste_of_jittered_scan(double window, double period, double jitter) {
  return or_none(theory::waste_of_jittered_scan(window, period, jitter));
}
double waste_of_near_far_shipping(double window, double gap, double noise) {
  return or_none(theory::waste_of_near_far_shipping(window, gap, noise));
}
double share_of_first_pipeline(double difference, double mean) {
  return or_none(theory::share_of_first_pipeline(difference, mean));
}
double catch_up_seconds(double outage, double arrivals, double capacity) {
  return or_none(theory::catch_up_seconds(outage, {arrivals, capacity}));
}
double window_max_seconds(double bound, double waste, double fixed) {
  return or_none(theory::window_max_seconds(
      {.bound_seconds = bound, .waste_max = waste, .fixed_seconds = fixed}));
}

double milliseconds(double value) { return value / 1'000; }
double seconds(double value) { return value; }

struct ClosedForm {
  const char* name;
  const char* arguments;
  std::variant<double (*)(double, double), double (*)(double, double, double)> function;
};
const std::array<ClosedForm, 7> kClosedForms{
    {{"waste_of_exponential_shipping", "window, mean", waste_of_exponential_shipping},
     {"waste_of_scan_phase", "window, scan_period", waste_of_scan_phase},
     {"waste_of_jittered_scan", "window, scan_period, jitter", waste_of_jittered_scan},
     {"waste_of_near_far_shipping", "window, gap, noise_mean", waste_of_near_far_shipping},
     {"share_of_first_pipeline", "window_difference, shipping_mean", share_of_first_pipeline},
     {"catch_up_seconds", "outage, arrivals_per_second, capacity_per_second", catch_up_seconds},
     {"window_max_seconds", "latency_bound, waste_max, fixed", window_max_seconds}}};

void prepare(mu::Parser& parser) {
  parser.DefineNameChars("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  for (const ClosedForm& each : kClosedForms) {
    std::visit([&](auto function) { parser.DefineFun(each.name, function); }, each.function);
  }
  parser.DefinePostfixOprt("ms", milliseconds);
  parser.DefinePostfixOprt("s", seconds);
}

}  // namespace

Formula::Parsed Formula::parse(const std::string& text) {
  Parsed parsed;
  Formula made;
  made.text_ = text;
  try {
    mu::Parser parser;
    prepare(parser);
    parser.SetExpr(text);
    std::map<std::string, double> values;
    for (const auto& [name, place] : parser.GetUsedVar()) values.emplace(name, 1);
    for (auto& [name, value] : values) {
      made.names_.push_back(name);
      parser.DefineVar(name, &value);
    }
    parser.Eval();
  } catch (const mu::ParserError& error) {
    parsed.problem = error.GetMsg();
    return parsed;
  }
  parsed.formula = std::move(made);
  return parsed;
}

std::optional<double> Formula::value(const Lookup& value_of) const {
  std::map<std::string, double> values;
  for (const std::string& name : names_) {
    const auto value = value_of(name);
    if (!value) return std::nullopt;
    values.emplace(name, *value);
  }
  try {
    mu::Parser parser;
    prepare(parser);
    for (auto& [name, value] : values) parser.DefineVar(name, &value);
    parser.SetExpr(text_);
    const double result = parser.Eval();
    return std::isfinite(result) ? std::optional(result) : std::nullopt;
  } catch (const mu::ParserError&) {
    return std::nullopt;  // a division by zero
  }
}

std::vector<std::string> closed_forms() {
  std::vector<std::string> texts;
  for (const ClosedForm& each : kClosedForms) {
    texts.push_back(fmt::format("{}({})", each.name, each.arguments));
  }
  return texts;
}

}  // namespace photonsim::campaigns
