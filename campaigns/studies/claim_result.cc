#include "campaigns/studies/claim_result.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "analysis/statistics/ratios.h"
#include "analysis/statistics/student.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

constexpr std::array<std::string_view, 7> kVerdicts{
    "refused", "reproduced", "consistent", "trend only", "undecided", "not measured", "missed"};

analysis::Unit unit_of(const Dimension& dimension) {
  if (dimension == Dimension{1, 0}) return analysis::Unit::seconds;
  if (dimension == Dimension{-1, 0}) return analysis::Unit::per_second;
  if (dimension == Dimension{0, 1}) return analysis::Unit::bytes;
  return analysis::Unit::ratio;
}

// Nothing if the run lacks a figure, or a divisor is zero.
std::optional<double> value_in(const analysis::RunRecord& run, const Claim& claim) {
  double product = 1;
  for (const Condition::Factor& factor : claim.factors) {
    auto value = quantity_of(factor.text);
    if (!value) value = metric_of(run, factor.text);
    if (!value || (factor.divides && *value == 0)) return std::nullopt;
    product = factor.divides ? product / *value : product * *value;
  }
  return product;
}

// The products of all runs, or their ratios to those of the same seeds at the other point.
std::optional<std::vector<double>> values_of(const Claim& claim, const PointEstimates& at,
                                             const PointEstimates* beside) {
  std::vector<double> values;
  if (beside == nullptr) {
    for (const analysis::RunRecord* run : at.used()) {
      const auto value = value_in(*run, claim);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }
  const SeedPairs pairs = paired_by_seed(at, *beside);
  for (std::size_t i = 0; i < pairs.first.size(); ++i) {
    const auto value = value_in(*pairs.first[i], claim);
    const auto other = value_in(*pairs.second[i], claim);
    if (!value || !other || *other == 0) return std::nullopt;
    values.push_back(*value / *other);
  }
  return values;
}

struct Measured {
  analysis::Estimate estimate{};
  analysis::Unit unit = analysis::Unit::ratio;
  std::uint64_t replications = 0;
};

std::optional<Measured> measured_at(const Claim& claim, const PointEstimates& at,
                                    const PointEstimates* beside) {
  if (claim.factors.size() == 1 && beside == nullptr && is_metric(claim.figure)) {
    const auto found = at.of(claim.figure);
    if (!found) return std::nullopt;
    return Measured{found->shown(), found->unit, at.replications()};
  }
  const auto values = values_of(claim, at, beside);
  if (!values || values->empty()) return std::nullopt;
  const Dimension dimension =
      beside != nullptr ? Dimension{} : dimension_of_product(claim.factors, dimension_of_word);
  Measured measured{analysis::mean_of_replications(*values), unit_of(dimension), values->size()};
  auto& interval = measured.estimate.interval;
  if (interval && std::ranges::min(*values) >= 0) interval->low = std::max(interval->low, 0.0);
  const bool counts = std::ranges::any_of(claim.factors, [](const Condition::Factor& factor) {
    return !factor.divides && unit_of_metric(factor.text) == analysis::Unit::count;
  });
  if (counts && std::ranges::all_of(*values, [](double value) { return value == 0; })) {
    measured.estimate =
        analysis::Estimate::without_interval(0, values->size(), analysis::Shortage::no_event);
  }
  return measured;
}

// What may be true of the figure.
std::optional<analysis::Interval> interval_of(const Claim& claim,
                                              const analysis::Estimate& estimate) {
  if (estimate.interval || estimate.shortage != analysis::Shortage::no_event || estimate.n < 2) {
    return estimate.interval;
  }
  const bool zero_alone = claim.to == 0.0;
  return analysis::Interval{0, zero_alone ? 0 : analysis::rule_of_three(estimate.n)};
}

ClaimVerdict verdict_of(const Claim& claim, const std::optional<analysis::Interval>& interval) {
  if (!interval) return ClaimVerdict::not_measured;
  const bool below = claim.from && interval->high < *claim.from;
  const bool above = claim.to && interval->low > *claim.to;
  if (below || above) return ClaimVerdict::missed;
  const bool inside =
      (!claim.from || interval->low >= *claim.from) && (!claim.to || interval->high <= *claim.to);
  if (!inside) return ClaimVerdict::undecided;
  if (claim.level == ClaimLevel::calibrated) return ClaimVerdict::consistent;
  return claim.level == ClaimLevel::trend ? ClaimVerdict::trend : ClaimVerdict::reproduced;
}

// A latency that waiting makes longer. A commit begins when the wait has ended.
bool names_wait(const Claim& claim) {
  return std::ranges::any_of(claim.factors, [](const Condition::Factor& factor) {
    const std::string name = spoken_name(factor.text);
    return name.starts_with("latency.") && !name.starts_with("latency.commit.");
  });
}

// Failed runs are left out of estimates, and above saturation a latency depends on the length of
// the run: neither supports a claim, nor refutes it.
bool supports(const PointEstimates& estimates, const Claim& claim) {
  return estimates.failed() == 0 && (!names_wait(claim) || estimates.decides_latencies());
}

// How far the estimate is inside the band; negative: outside.
double margin_of(const Claim& claim, const analysis::Estimate& estimate) {
  double margin = std::numeric_limits<double>::infinity();
  if (claim.from) margin = std::min(margin, estimate.value - *claim.from);
  if (claim.to) margin = std::min(margin, *claim.to - estimate.value);
  return margin;
}

ClaimResult result_at(const Claim& claim, std::size_t point, const PointEstimates& at,
                      const PointEstimates* beside, std::uint64_t least_replications) {
  ClaimResult result;
  result.point = point;
  const auto measured = measured_at(claim, at, beside);
  if (!measured) return result;
  result.estimate = measured->estimate;
  result.unit = measured->unit;
  result.interval = interval_of(claim, measured->estimate);
  result.verdict = verdict_of(claim, result.interval);
  const bool supported = measured->replications >= least_replications && supports(at, claim) &&
                         (beside == nullptr || supports(*beside, claim));
  if (!supported && result.interval) result.verdict = ClaimVerdict::undecided;
  return result;
}

}  // namespace

std::string_view text_of(ClaimVerdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

ClaimResult claim_result(const Claim& claim, const ClaimPoints& points,
                         std::span<const PointEstimates* const> estimates,
                         std::uint64_t least_replications) {
  ClaimResult worst;
  if (claim.level == ClaimLevel::refused) {
    worst.verdict = ClaimVerdict::refused;
    return worst;
  }
  const PointEstimates* beside = points.beside ? estimates[*points.beside] : nullptr;
  for (const std::size_t point : points.at) {
    const ClaimResult result =
        result_at(claim, point, *estimates[point], beside, least_replications);
    const bool worse = !worst.point || result.verdict > worst.verdict ||
                       (result.verdict == worst.verdict &&
                        margin_of(claim, result.estimate) < margin_of(claim, worst.estimate));
    if (worse) worst = result;
  }
  return worst;
}

}  // namespace photonsim::campaigns
