// Latencies as lines of a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/reports/latency_figures.h"

namespace photon::analysis {

class Lines;

using LatencyRows = std::vector<std::pair<std::string, const LatencyFigures*>>;

// A row for each one that was measured.
void put_latencies(const LatencyRows& rows, Lines& lines);
// The stages that make clicks slow, the greatest first; those below 5 % of the mean are omitted.
void put_slowest(const SlowestFigures& slowest, Lines& lines);

}  // namespace photon::analysis
