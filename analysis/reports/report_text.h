// The spelling of numbers and times in text reports, and the layout of their lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/reports/summary.h"

namespace photon::analysis {

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t value);
// "1 run", "1,234 runs"
std::string counted(std::uint64_t value, std::string_view noun);
// Three digits, whatever they are: "1.00", "12.3", "123".
std::string three_digits(double value);
// Seconds in readable units: "45.0 us", "12.3 ms", "1.23 s", "2 min 05 s", "3 h 25 min".
std::string spoken(double seconds);
// A figure as its unit asks: "12.3 ms", "6.30 MB", "1.53", "123,456".
std::string value_text(Unit unit, double value);
// "(lost 3, cut 1,200)": those above zero; empty if there are none.
std::string spelled(const Counts& counts);

// "  name value remark": a remark too long for the line continues below itself.
class Lines {
 public:
  void line(std::string_view name, std::string_view value, std::string_view remark = {});
  void count(std::string_view name, std::uint64_t value, std::string_view remark = {});
  // No line for zero.
  void count_if_any(std::string_view name, std::uint64_t value, std::string_view remark = {});
  void title(std::string_view title);
  // A sentence below its title, indented, on as many lines as it takes.
  void paragraph(std::string_view text);
  void blank() { text_ += '\n'; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace photon::analysis
