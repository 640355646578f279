// A formula in a study file: what theory says of a figure, or a figure made of several.
//
//   "waste_of_exponential_shipping(latency.dispatch.mean + latency.register.mean, 2s)"
//
// Numbers (with ms or s behind them, or none), names of figures and of keys, + - * / ^,
// parentheses, the functions of muParser (exp, ln, sqrt, min, max, ...) and the closed forms that
// analysis/theory has (closed_forms()).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace photonsim::campaigns {

class Formula {
 public:
  // Nothing if the name has no number here.
  using Lookup = std::function<std::optional<double>(const std::string& name)>;

  struct Parsed;
  static Parsed parse(const std::string& text);

  const std::string& text() const { return text_; }
  // Of figures and keys, each once, ascending.
  const std::vector<std::string>& names() const { return names_; }
  // Nothing if a name has no number, or the result is none.
  std::optional<double> value(const Lookup& value_of) const;

 private:
  std::string text_{};
  std::vector<std::string> names_{};
};

struct Formula::Parsed {
  std::optional<Formula> formula{};
  std::string problem{};  // without a formula
};

// "waste_of_scan_phase(window, scan_period)", ...
std::vector<std::string> closed_forms();

}  // namespace photonsim::campaigns
