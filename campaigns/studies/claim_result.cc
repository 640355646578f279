#include "campaigns/studies/claim_result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analysis/statistics/ratios.h"
#include "analysis/statistics/student.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

constexpr std::array<std::string_view, 8> kVerdicts{"refused",      "by a test",  "reproduced",
                                                    "consistent",   "trend only", "undecided",
                                                    "not measured", "missed"};

analysis::Unit unit_of(const Dimension& dimension) {
  if (dimension == Dimension{1, 0}) return analysis::Unit::seconds;
  if (dimension == Dimension{-1, 0}) return analysis::Unit::per_second;
  if (dimension == Dimension{0, 1}) return analysis::Unit::bytes;
  return analysis::Unit::ratio;
}

// Nothing if the run lacks a figure, or a divisor is zero.
std::optional<double> value_in(const analysis::RunRecord& run, const Claim& claim) {
  if (claim.formula) {
    return claim.formula->value([&](const std::string& name) { return metric_of(run, name); });
  }
  double product = 1;
  for (const Condition::Factor& factor : claim.factors) {
    auto value = quantity_of(factor.text);
    if (!value) value = metric_of(run, factor.text);
    if (!value || (factor.divides && *value == 0)) return std::nullopt;
    product = factor.divides ? product / *value : product * *value;
  }
  return product;
}

// What one replication has.
struct Sample {
  const analysis::RunRecord* run = nullptr;
  double value = 0;  // the product, or its ratio to that of the same seed at the other point
};

// Nothing if one of them lacks it.
std::optional<std::vector<Sample>> samples_of(const Claim& claim, const PointEstimates& at,
                                              const PointEstimates* beside) {
  std::vector<Sample> samples;
  if (beside == nullptr) {
    for (const analysis::RunRecord* run : at.used()) {
      const auto value = value_in(*run, claim);
      if (!value) return std::nullopt;
      samples.push_back({run, *value});
    }
    return samples;
  }
  const SeedPairs pairs = paired_by_seed(at, *beside);
  for (std::size_t i = 0; i < pairs.first.size(); ++i) {
    const auto value = value_in(*pairs.first[i], claim);
    const auto other = value_in(*pairs.second[i], claim);
    if (!value || !other || *other == 0) return std::nullopt;
    samples.push_back({pairs.first[i], *value / *other});
  }
  return samples;
}

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& each : samples) values.push_back(each.value);
  return values;
}

struct Measured {
  analysis::Estimate estimate{};
  analysis::Unit unit = analysis::Unit::ratio;
  std::uint64_t replications = 0;
};

// The figure beside theory, replication by replication.
struct Compared {
  double theory = 0;                             // mean
  std::optional<analysis::Interval> interval{};  // of the ratio or the difference
};

// Nothing if theory says nothing of one of them.
std::optional<Compared> compared_with_theory(const Claim& claim, const PointEstimates& at,
                                             const PointEstimates* beside,
                                             const std::map<std::string, double>& keys) {
  const auto samples = samples_of(claim, at, beside);
  if (!samples || samples->empty()) return std::nullopt;
  std::vector<double> distances, predicted;
  for (const Sample& each : *samples) {
    const auto theory = claim.theory->value([&](const std::string& name) {
      const auto key = keys.find(name);
      return key == keys.end() ? metric_of(*each.run, name) : std::optional(key->second);
    });
    const bool share = claim.against == Claim::Against::share;
    if (!theory || (share && *theory == 0)) return std::nullopt;
    predicted.push_back(*theory);
    distances.push_back(share ? each.value / *theory : each.value - *theory);
  }
  return Compared{analysis::mean_of_replications(predicted).value,
                  analysis::mean_of_replications(distances).interval};
}

std::optional<Measured> measured_at(const Claim& claim, const PointEstimates& at,
                                    const PointEstimates* beside) {
  if (claim.factors.size() == 1 && beside == nullptr && is_metric(claim.figure)) {
    const auto found = at.of(claim.figure);
    if (!found) return std::nullopt;
    return Measured{found->shown(), found->unit, at.replications()};
  }
  const auto samples = samples_of(claim, at, beside);
  if (!samples || samples->empty()) return std::nullopt;
  const std::vector<double> values = values_of(*samples);
  const Dimension dimension = beside != nullptr ? Dimension{} : dimension_of(claim);
  Measured measured{analysis::mean_of_replications(values), unit_of(dimension), values.size()};
  auto& interval = measured.estimate.interval;
  if (interval && std::ranges::min(values) >= 0) interval->low = std::max(interval->low, 0.0);
  const bool counts = std::ranges::any_of(claim.factors, [](const Condition::Factor& factor) {
    return !factor.divides && unit_of_metric(factor.text) == analysis::Unit::count;
  });
  if (counts && std::ranges::all_of(values, [](double value) { return value == 0; })) {
    measured.estimate =
        analysis::Estimate::without_interval(0, values.size(), analysis::Shortage::no_event);
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
  return std::ranges::any_of(claim.figure_names(), [](const std::string& each) {
    const std::string name = spoken_name(each);
    return name.starts_with("latency.") && !name.starts_with("latency.commit.");
  });
}

// Failed runs are left out of estimates, and above saturation a latency depends on the length of
// the run: neither supports a claim, nor refutes it.
bool supports(const PointEstimates& estimates, const Claim& claim) {
  return estimates.failed() == 0 && (!names_wait(claim) || estimates.decides_latencies());
}

// How far what is judged lies inside the band; negative: outside.
double margin_of(const Claim& claim, const ClaimResult& result) {
  double margin = std::numeric_limits<double>::infinity();
  if (!result.judged) return margin;
  if (claim.from) margin = std::min(margin, result.judged->low - *claim.from);
  if (claim.to) margin = std::min(margin, *claim.to - result.judged->high);
  return margin;
}

ClaimResult result_at(const Claim& claim, std::size_t point, const PointEstimates& at,
                      const PointEstimates* beside, const std::map<std::string, double>& keys,
                      std::uint64_t least_replications) {
  ClaimResult result;
  result.point = point;
  const auto measured = measured_at(claim, at, beside);
  if (!measured) return result;
  result.estimate = measured->estimate;
  result.unit = measured->unit;
  result.interval = interval_of(claim, measured->estimate);
  result.judged = result.interval;
  if (claim.theory) {
    const auto compared = compared_with_theory(claim, at, beside, keys);
    if (compared) result.theory = compared->theory;
    if (claim.against != Claim::Against::figure) {
      result.judged = compared ? compared->interval : std::nullopt;
    }
  }
  result.verdict = verdict_of(claim, result.judged);
  const bool supported = measured->replications >= least_replications && supports(at, claim) &&
                         (beside == nullptr || supports(*beside, claim));
  if (!supported && result.judged) result.verdict = ClaimVerdict::undecided;
  return result;
}

}  // namespace

std::string_view text_of(ClaimVerdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

Dimension dimension_of(const Claim& claim) {
  if (!claim.formula) return dimension_of_product(claim.factors, dimension_of_word);
  const auto scaled = [&](double seconds, double bytes) {
    double next = 1;
    return claim.formula->value([&](const std::string& name) {
      next = next * 1.37 + 1;  // no two figures alike
      const Dimension each = dimension_of_word(name);
      return next * std::pow(seconds, each.seconds) * std::pow(bytes, each.bytes);
    });
  };
  const auto power = [](const std::optional<double>& grown, const std::optional<double>& one) {
    if (!grown || !one || *one == 0 || *grown / *one <= 0) return 0;
    const double exact = std::log2(*grown / *one);
    const auto whole = static_cast<int>(std::lround(exact));
    return std::abs(exact - whole) < 1e-6 ? whole : 0;
  };
  const auto one = scaled(1, 1);
  return {power(scaled(2, 1), one), power(scaled(1, 2), one)};
}

ClaimResult claim_result(const Claim& claim, const ClaimPoints& points,
                         std::span<const PointEstimates* const> estimates,
                         std::uint64_t least_replications) {
  ClaimResult worst;
  if (claim.has_no_figure()) {
    worst.verdict =
        claim.level == ClaimLevel::refused ? ClaimVerdict::refused : ClaimVerdict::tested;
    return worst;
  }
  const PointEstimates* beside = points.beside ? estimates[*points.beside] : nullptr;
  for (std::size_t i = 0; i < points.at.size(); ++i) {
    const std::size_t point = points.at[i];
    const ClaimResult result =
        result_at(claim, point, *estimates[point], beside, points.keys[i], least_replications);
    const bool worse =
        !worst.point || result.verdict > worst.verdict ||
        (result.verdict == worst.verdict && margin_of(claim, result) < margin_of(claim, worst));
    if (worse) worst = result;
  }
  return worst;
}

}  // namespace photonsim::campaigns
