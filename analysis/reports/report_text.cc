#include "analysis/reports/report_text.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace photon::analysis {

namespace {

constexpr std::size_t kRemarkColumn = 34;
constexpr std::size_t kWidth = 112;  // of a line; remarks are broken after a comma
constexpr double kLargestGrouped = 1e15;

std::string bytes_text(double value) {
  constexpr double kStep = 1000;
  constexpr double kRounded = 999.5;  // from here on three digits would say 1000
  if (std::abs(value) < kRounded) return fmt::format("{:.3g} B", value);
  std::string_view unit;
  for (const std::string_view larger : {"kB", "MB", "GB", "TB"}) {
    value /= kStep;
    unit = larger;
    if (std::abs(value) < kRounded) break;
  }
  return fmt::format("{} {}", three_digits(value), unit);
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string counted(std::uint64_t value, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(value), noun, value == 1 ? "" : "s");
}

std::string three_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string spoken(double seconds) {
  constexpr double kRounded = 0.9995;  // from here on three digits would say 1000
  const double size = std::abs(seconds);
  const std::string_view sign = seconds < 0 ? "-" : "";
  const auto whole = static_cast<std::int64_t>(std::llround(size));
  if (whole >= 3600) {
    const std::int64_t minutes = (whole + 30) / 60;
    return fmt::format("{}{} h {:02} min", sign, minutes / 60, minutes % 60);
  }
  if (whole >= 120) return fmt::format("{}{} min {:02} s", sign, whole / 60, whole % 60);
  if (size >= kRounded) return three_digits(seconds) + " s";
  if (size >= kRounded * 1e-3) return three_digits(seconds * 1e3) + " ms";
  return size == 0 ? "0 s" : three_digits(seconds * 1e6) + " us";
}

std::string value_text(Unit unit, double value) {
  constexpr double kExponentFrom = 9999.5;  // where four digits need an exponent
  const double size = std::abs(value);
  if (unit == Unit::seconds) return spoken(value);
  if (unit == Unit::bytes) return bytes_text(value);
  if (size < kExponentFrom || size > kLargestGrouped) return fmt::format("{:.4g}", value);
  const auto whole = static_cast<std::uint64_t>(std::llround(size));
  return (value < 0 ? "-" : "") + grouped(whole);
}

std::string spelled(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, grouped(count));
  }
  return text.empty() ? text : "(" + text + ")";
}

void Lines::line(std::string_view name, std::string_view value, std::string_view remark) {
  fmt::format_to(std::back_inserter(text_), "  {:<16} {:>13}", name, value);
  std::string_view before = "  ";
  while (!remark.empty()) {
    std::size_t end = remark.size();
    if (end > kWidth - kRemarkColumn) {
      const std::size_t comma = remark.rfind(", ", kWidth - kRemarkColumn - 1);
      if (comma != std::string_view::npos) end = comma + 1;
    }
    fmt::format_to(std::back_inserter(text_), "{}{}", before, remark.substr(0, end));
    remark.remove_prefix(end);
    if (remark.starts_with(' ')) remark.remove_prefix(1);
    static const std::string kBelow = "\n" + std::string(kRemarkColumn, ' ');
    before = kBelow;
  }
  text_ += '\n';
}

void Lines::count(std::string_view name, std::uint64_t value, std::string_view remark) {
  line(name, grouped(value), remark);
}

void Lines::count_if_any(std::string_view name, std::uint64_t value, std::string_view remark) {
  if (value > 0) count(name, value, remark);
}

void Lines::title(std::string_view title) {
  fmt::format_to(std::back_inserter(text_), "{}\n", title);
}

void Lines::paragraph(std::string_view text) {
  constexpr std::size_t kIndent = 6;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > kWidth - kIndent) {
      const std::size_t space = text.rfind(' ', kWidth - kIndent);
      if (space != std::string_view::npos) end = space;
    }
    fmt::format_to(std::back_inserter(text_), "{:{}}{}\n", "", kIndent, text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
}

}  // namespace photon::analysis
