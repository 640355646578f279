// The part of a study's report on the claims of a publication: one JSON object for each.
#include <cmath>
#include <string>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/claims_table.h"
#include "campaigns/estimate_text.h"
#include "campaigns/study_report.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

// "6.00 to 12.0", "at most 7.00 s", "4.12 +- 3 %".
std::string band_text(const Claim& claim, const ClaimResult& result) {
  const analysis::Unit unit = result.unit;
  if (claim.against != Claim::Against::figure) {
    const std::string middle =
        result.theory ? analysis::value_text(unit, *result.theory) : std::string("theory");
    const bool share = claim.against == Claim::Against::share;
    const std::string width = share ? fmt::format("{:g} %", 100 * (*claim.to - 1))
                                    : analysis::value_text(unit, *claim.to);
    return middle + " +- " + width;
  }
  if (claim.from && claim.to) {
    return fmt::format("{} to {}", analysis::value_text(unit, *claim.from),
                       analysis::value_text(unit, *claim.to));
  }
  if (claim.from) return "at least " + analysis::value_text(unit, *claim.from);
  return claim.to ? "at most " + analysis::value_text(unit, *claim.to) : std::string();
}

// "9.88 [9.87, 9.89]", "0 (in none of 20)", "-"; empty where no run is asked.
std::string shown_text(const Claim& claim, const ClaimResult& result) {
  if (claim.has_no_figure()) return {};
  return result.estimate.n == 0 ? "-" : estimate_text(result.estimate, [&](double value) {
    return analysis::value_text(result.unit, value);
  });
}

}  // namespace

std::string StudyReport::claims_text() const {
  return study_.claims.empty() ? std::string() : "\n" + claims_table(claims_array());
}

json::array StudyReport::claims_array() const {
  json::array list;
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const Claim& claim = study_.claims[i];
    const ClaimResult& result = claims_[i];
    const bool measured = result.estimate.n > 0;
    const auto& interval = result.interval;
    const auto& judged = result.judged;
    const std::optional<double> none;
    json::object object{
        {"id", claim.id},
        {"level", letter_of(claim.level)},
        {"says", claim.says},
        {"paper", claim.paper.empty() ? json::value() : json::value(claim.paper)},
        {"source", claim.source},
        {"figure", claim.figure},
        {"at", result.point ? json::value(points_[*result.point].point->label) : json::value()},
        {"shown", shown_text(claim, result)},
        {"simulated", json_number(measured ? std::optional(result.estimate.value) : none)},
        {"low", json_number(interval ? std::optional(interval->low) : none)},
        {"high", json_number(interval ? std::optional(interval->high) : none)},
        {"n", result.estimate.n},
        {"unit", name_of(result.unit)},
        {"theory", json_number(result.theory)},
        {"band", claim.has_no_figure() ? std::string() : band_text(claim, result)},
        {"against", claim.against == Claim::Against::figure  ? "figure"
                    : claim.against == Claim::Against::share ? "share"
                                                             : "difference"},
        {"judged_low", json_number(judged ? std::optional(judged->low) : none)},
        {"judged_high", json_number(judged ? std::optional(judged->high) : none)},
        {"from", json_number(claim.from)},
        {"to", json_number(claim.to)},
        {"fixed", claim.fixed},
        {"open", claim.open},
        {"reason", claim.reason},
        {"restated", claim.restated},
        {"scale", claim.has_no_figure() ? std::string() : scale_of_points()},
        {"test", claim.test},
        {"verdict", text_of(result.verdict)}};
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace photonsim::campaigns
