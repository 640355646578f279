#include "campaigns/studies/claim_result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analysis/statistics/ratios.h"
#include "analysis/statistics/student.h"
#include "campaigns/studies/figure_samples.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

constexpr std::array<std::string_view, 8> kVerdicts{"refused",      "by a test",  "reproduced",
                                                    "consistent",   "trend only", "undecided",
                                                    "not measured", "missed"};

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
  for (const FigureSample& each : *samples) {
    const auto theory = value_in(*each.run, *claim.theory, keys);
    const bool share = claim.against == Claim::Against::share;
    if (!theory || (share && *theory == 0)) return std::nullopt;
    predicted.push_back(*theory);
    distances.push_back(share ? each.value / *theory : each.value - *theory);
  }
  return Compared{analysis::mean_of_replications(predicted).value,
                  analysis::mean_of_replications(distances).interval};
}

bool has_no_event(const analysis::Estimate& estimate) {
  return !estimate.interval && estimate.shortage == analysis::Shortage::no_event && estimate.n > 1;
}

// Confidence interval of the figure. Without any event it ends at the share of runs with one that
// the rule of three leaves open.
std::optional<analysis::Interval> interval_of(const analysis::Estimate& estimate) {
  if (!has_no_event(estimate)) return estimate.interval;
  return analysis::Interval{0, analysis::rule_of_three(estimate.n)};
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
  result.interval = interval_of(measured->estimate);
  result.judged = result.interval;
  // "None": judged by what was observed, whatever n leaves open.
  if (claim.to == 0.0 && has_no_event(measured->estimate)) result.judged = analysis::Interval{0, 0};
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

ClaimResult claim_result(const Claim& claim, const FigurePoints& points,
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
