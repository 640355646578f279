// Second computations of reported figures from the raw trace, each in a file of its own, and their
// comparison with what the program reports.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/reports/summary.h"
#include "scenarios/config/config.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/recount/replayed.h"

namespace photonsim::tests {

// Figures by their names in the results store.
using Figures = std::map<std::string, double>;

// A finished run.
struct Trace {
  const Records& records;
  const Replayed& facts;
  const scenarios::Config& config;
};

Figures joiner_ends_again(const Trace& trace);
Figures recovery_again(const Trace& trace);
std::vector<double> recovery_times_again(const Trace& trace);
Figures capacity_again(const Trace& trace);

// What a curve of samples does from quarter to quarter.
struct Trend {
  bool rises = false;   // in each
  bool behind = false;  // at the end a unit waits for longer than in the shortest quarter
  double growth = 0;    // a second, from the first quarter to the last
  // That growth in standard deviations of a queue at its capacity.
  double deviations = 0;
  double share = 0;  // that growth in what arrived meanwhile
};

// `arrived`: what had entered by each sample. `interval`: seconds from sample to sample.
Trend trend_again(const std::vector<double>& backlog, const std::vector<double>& arrived,
                  double interval);
// Of the pipeline, or the registry alone, that does worst.
Trend worst_backlog_again(const Records& records);
// Of what no pipeline has finished.
Trend unfinished_again(const Records& records);
// Where the samples of the measured window stand.
std::vector<Place> samples_again(const Records& records);

Figures registry_faults_again(const Trace& trace);
Figures output_copies_again(const Trace& trace);

// Checks that each of these figures is what the run reports, and adds its size to `seen`.
void check_figures(const Figures& again, const photon::analysis::Summary& summary, Figures& seen);

// Clicks lost to storage, operators, time and damage, and those skipped, too old or unreadable.
// For a run without verification.
void check_late_fates(const Trace& trace, const photon::analysis::Summary& summary, Figures& seen);

// Runs each recipe and compares these figures of it; each of `above_zero` must be so in some run.
using Recount = Figures (*)(const Trace& trace);
void check_runs(const std::vector<Recipe>& recipes, Recount recount,
                const std::vector<std::string>& above_zero);

}  // namespace photonsim::tests
