// What the runs of a study say of a claim.
//
// A figure alone has the interval of its estimate (estimates.h). A product of several, one divided
// by that of another point, and the distance from theory are taken seed by seed, and have Student's
// interval over the seeds. Of several points the claim has that with the worst verdict, then with
// the least margin to an end of the band. Events that no run has may be rare (the rule of three),
// unless the band is zero alone, which asks for what was observed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analysis/reports/figure.h"
#include "analysis/statistics/interval.h"
#include "campaigns/studies/claim.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/figure_points.h"

namespace photonsim::campaigns {

// From the best to the worst.
enum class ClaimVerdict : std::uint8_t {
  refused,       // level X
  tested,        // a test of the project shows it
  reproduced,    // level E or M: the interval lies in the band
  consistent,    // the same at level C: with the inputs that the study states
  trend,         // the same at level T
  undecided,     // the interval reaches across an end of the band, replications are missing, runs
                 // failed, or it is a latency of runs that cannot keep up
  not_measured,  // no run has the figure, or it has no interval
  missed,        // the interval lies outside the band
};
std::string_view text_of(ClaimVerdict verdict);

struct ClaimResult {
  ClaimVerdict verdict = ClaimVerdict::not_measured;
  photon::analysis::Estimate estimate{};                 // meaningless if refused or not measured
  std::optional<photon::analysis::Interval> interval{};  // of the figure
  std::optional<double> theory{};                        // mean over the seeds
  std::optional<photon::analysis::Interval> judged{};    // what the band is about
  photon::analysis::Unit unit = photon::analysis::Unit::ratio;
  std::optional<std::size_t> point{};  // of the study; nothing: refused
};

// `estimates`: of all points of the study; each point of a claim needs that many replications.
ClaimResult claim_result(const Claim& claim, const FigurePoints& points,
                         std::span<const PointEstimates* const> estimates,
                         std::uint64_t least_replications);

}  // namespace photonsim::campaigns
