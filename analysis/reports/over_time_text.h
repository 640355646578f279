// A run over time as lines of block characters, for a terminal.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/reports/time_series.h"

namespace photon::analysis {

class Lines;

// One character a value, of eight heights from 0 to the greatest; a blank for 0.
std::string spark_line(std::span<const double> values);
// The same; a dot where there is no value.
std::string spark_line(std::span<const std::optional<double>> values);

// Joins a second and backlog of each pipeline; of a registry-only load, or of more than six
// pipelines, what is offered and served. At most 48 characters: each is the mean rate, or the
// greatest backlog, of its intervals.
void put_spark_lines(const TimeSeries& series, Lines& lines);

}  // namespace photon::analysis
