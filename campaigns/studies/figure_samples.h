// What the runs of a point have of a figure of the study, seed by seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reports/figure.h"
#include "analysis/statistics/interval.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/study_figure.h"

namespace photonsim::campaigns {

// What one replication has.
struct FigureSample {
  const photon::analysis::RunRecord* run = nullptr;
  double value = 0;  // the figure, or its ratio to that of the same seed at the other point
};

// Nothing if one of the replications lacks it. `beside`: null without such a point.
std::optional<std::vector<FigureSample>> samples_of(const StudyFigure& figure,
                                                    const PointEstimates& at,
                                                    const PointEstimates* beside);

// A formula of figures of a run and of keys. Nothing if it has no value there.
std::optional<double> value_in(const photon::analysis::RunRecord& run, const Formula& formula,
                               const std::map<std::string, double>& keys);

struct MeasuredFigure {
  photon::analysis::Estimate estimate{};
  photon::analysis::Unit unit = photon::analysis::Unit::ratio;
  std::uint64_t replications = 0;
};

// A figure alone has the interval of its estimate (estimates.h); a product, a formula, and a figure
// beside that of another point are taken seed by seed, with Student's interval over the seeds.
std::optional<MeasuredFigure> measured_at(const StudyFigure& figure, const PointEstimates& at,
                                          const PointEstimates* beside);

}  // namespace photonsim::campaigns
