// Latencies of a point as curves: quantiles towards the tail, and the distribution.
#pragma once

#include <span>
#include <string>

#include <boost/json/array.hpp>

#include "report/report_points.h"

namespace photonsim::report {

// For each point and each of these histograms one object:
//
//   {point, name, runs, count, nines [], seconds [], low [], high [], enough [], beyond []}
//
// `nines` is -log10(1 - fraction): 2 is p99. low, high: of the interval over the runs, null without
// one. enough: the sample is large enough for the quantile (statistics/quantiles.h). beyond: what
// it is worth there (statistics/quantile_replications.h), null if not known.
boost::json::array quantile_curves(const ReportPoints& points, std::span<const std::string> names);

// {point, name, seconds [], share []}: the share of latencies up to that time, in at most 200
// steps, up to p99.9.
boost::json::array distributions(const ReportPoints& points, std::span<const std::string> names);

}  // namespace photonsim::report
