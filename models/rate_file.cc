#include "models/rate_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/tables/table_reader.h"

namespace photon::models {
namespace {

constexpr double kMostSeconds = 1e8;
constexpr double kMostPerSecond = 1e8;
constexpr const char* kColumns = "the columns are seconds,rate, as in \"0,100\"";

// A number in [0, most].
std::optional<double> number_in(std::string_view text, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value < 0 || value > most) return std::nullopt;
  return value;
}

class Reading {
 public:
  explicit Reading(const std::string& path) : path_(path), table_(path, faults_) {}

  Result<std::vector<LoadShape::Knot>, InputFaults> knots() {
    if (!table_.has_header()) return std::move(faults_);
    const auto seconds = table_.column("seconds");
    const auto rate = table_.column("rate");
    if (!seconds || !rate) {
      fault(1, fmt::format("there is no column '{}'", seconds ? "rate" : "seconds"));
      return std::move(faults_);
    }
    std::vector<LoadShape::Knot> knots;
    while (table_.next()) add(table_.fields()[*seconds], table_.fields()[*rate], knots);
    const auto is_idle = [](const LoadShape::Knot& each) { return each.factor == 0; };
    if (faults_.empty() && std::ranges::all_of(knots, is_idle)) {
      fault(0, "there is no rate above 0");
    }
    if (!faults_.empty()) return std::move(faults_);
    return knots;
  }

 private:
  void fault(std::uint64_t line, std::string message) {
    faults_.add({path_, line, std::move(message), kColumns});
  }

  void add(std::string_view seconds, std::string_view rate, std::vector<LoadShape::Knot>& knots) {
    const auto at = number_in(seconds, kMostSeconds);
    const auto value = number_in(rate, kMostPerSecond);
    if (!at || !value) {
      return fault(table_.line(), fmt::format("'{}' is no number from 0 to {:g}",
                                              at ? rate : seconds, kMostSeconds));
    }
    const SimTime moment{Duration(std::llround(*at * 1e9))};
    if (!knots.empty() && moment < knots.back().at) {
      return fault(table_.line(), "this time is before that of the row above");
    }
    knots.push_back({moment, *value});
  }

  std::string path_;
  InputFaults faults_;
  TableReader table_;
};

}  // namespace

Result<std::vector<LoadShape::Knot>, InputFaults> read_rates(const std::string& path) {
  return Reading(path).knots();
}

}  // namespace photon::models
