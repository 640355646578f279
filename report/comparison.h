// Two results files side by side: what became more, what less, and whether gates hold.
//
// Points are matched by their labels (report_points.h); two files of one point each are matched
// whatever their labels say. Runs are matched by seed. Where seeds are common, differences are
// those of pairs; where none is, those of independent samples. Runs that failed count on neither side.
// With gates all intervals are so wide that all of them together hold with 95 % (Bonferroni), so
// that many gates do not fire by chance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "analysis/reports/figure.h"
#include "analysis/statistics/interval.h"
#include "report/change_gates.h"
#include "report/report_points.h"

namespace photonsim::report {

enum class ChangeVerdict : std::uint8_t {
  ungated,
  holds,           // the whole interval is accepted
  undecided,       // the interval reaches across the limit, or there is none; or a latency seems
                   // accepted where it depends on the length of the run
  fails,           // none of the interval is accepted
  not_stationary,  // a latency seems accepted, but only the second side does not keep up; fails too
  not_measured,    // a side has no run that counts, or lacks the figure; fails too
};
std::string_view text_of(ChangeVerdict verdict);

struct FigureChange {
  std::string metric{};
  photon::analysis::Unit unit = photon::analysis::Unit::count;
  double before = 0;
  double after = 0;
  photon::analysis::Estimate change{};  // after - before
  bool paired = false;                  // every run that counts has its partner
  std::string gate{};                   // its text; empty: none
  ChangeVerdict verdict = ChangeVerdict::ungated;

  // The interval does not hold zero.
  bool is_clear() const;
};

struct PointChange {
  std::string before{};  // labels
  std::string after{};
  std::uint64_t pairs = 0;      // runs with a seed in both
  std::uint64_t identical = 0;  // of these: with the same fingerprint
  std::uint64_t runs_before = 0;
  std::uint64_t runs_after = 0;
  std::uint64_t failed_before = 0;
  std::uint64_t failed_after = 0;
  // Nothing: not known, or each run has a configuration of its own (a swarm).
  std::optional<bool> stationary_before{};
  std::optional<bool> stationary_after{};
  std::vector<FigureChange> figures{};  // every figure that both have and that is not zero in both
};

struct Comparison {
  std::vector<PointChange> points{};
  std::vector<std::string> only_before{};  // labels of points without a partner
  std::vector<std::string> only_after{};
  double confidence = photon::analysis::kConfidence;  // of each interval
  // Processor time after, per time before, of the runs with common seeds; advisory: machines differ.
  std::optional<double> cpu_ratio{};

  bool is_identical() const;  // every run has a partner with the same fingerprint
  bool fails() const;         // some gate does, or runs fail that did not before
};

Comparison compare(const ReportPoints& before, const ReportPoints& after,
                   std::span<const ChangeGate> gates);

// A few lines for people: gates first, then what changed clearly.
std::string comparison_text(const Comparison& comparison);
boost::json::object comparison_json(const Comparison& comparison);

}  // namespace photonsim::report
