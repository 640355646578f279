// What a study reports: its points with their figures, gates and answer; and what a plan lists.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/statistics/paired.h"
#include "analysis/statistics/sequential.h"
#include "campaigns/studies/chart_result.h"
#include "campaigns/studies/claim_result.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/sensitivity.h"
#include "campaigns/studies/study_plan.h"
#include "campaigns/study_engine.h"

namespace boost::json {
class array;
class object;
class value;
}  // namespace boost::json

namespace photonsim::campaigns {

// Of one gate at one point. `undecided`: its interval reaches across the limit.
enum class GateResult : std::uint8_t { met, missed, undecided, not_measured };
std::string_view text_of(GateResult result);
// Whether the condition holds at every value of the intervals, at none, or at some.
GateResult judged(const Condition& gate, const PointEstimates& estimates);

// How far the interval of a metric is from its target.
photon::analysis::SequentialStep step_of(const Precision& target, const MetricEstimate& metric,
                                         const Study& study);

// What theory says of a point, by the names that studies use.
std::map<std::string, double> theory_of(const StudyPoint& point);

struct PointReport {
  const StudyPoint* point = nullptr;
  PointEstimates estimates{{}};
  std::uint64_t wanted = 0;         // replications
  bool confirmed = false;           // of a search: its estimates are of fresh seeds
  std::vector<GateResult> gates{};  // in the order of the study's
  bool admissible = false;          // stationary, without failures, and meets the answer's terms
  std::vector<std::string> imprecise{};  // precision targets that were not reached
};

class StudyReport {
 public:
  explicit StudyReport(const StudyEngine& engine);

  const std::vector<PointReport>& points() const { return points_; }
  // Of each claim of the study.
  const std::vector<ClaimResult>& claims() const { return claims_; }
  bool gate_missed() const;
  std::uint64_t failed() const;
  // The recommended point; nothing: the study asks for none, or no point is admissible.
  std::optional<std::size_t> answer() const { return answer_; }
  // With [answer] pareto: the admissible points whose means no other's dominate, the least of the
  // first metric first.
  const std::vector<std::size_t>& front() const { return front_; }
  bool is_imprecise() const;
  // Of a study that came to its end: the worst of its runs, then a missed gate, then too little
  // precision.
  int exit_code() const;
  // With [answer] best: how much less the answer has of the figure than the first point that may be
  // it, seed by seed. Nothing if it is the first point, or that one is overloaded.
  std::optional<photon::analysis::PairedDifference> saving() const;

  // One JSON object on one line, without newline.
  std::string json(int exit_code) const;
  std::string text() const;
  // Of the text, without the empty line before it.
  std::string claims_and_charts() const;
  // For reports of the results file, one JSON object: {study, question, points, replications,
  // wanted, labels [], axes [{name, values []}], metrics [], program, complete, exit_code, failed,
  // answer, notes, claims, charts, gates {point [], gate [], result [], measured []}}; `program` is
  // its version, `wanted` are the replications that all points need as far as is known, answer and
  // notes are those of text(), labels and values have one for each point.
  std::string outcome(int exit_code, const std::string& program) const;
  // The same as far as it is known before the runs, without what comes after `complete`, which is
  // false: a report of a study that still runs, or was killed, knows its question.
  std::string announcement(const std::string& program) const;

 private:
  void judge_gates(PointReport& report) const;
  std::string spark_line_of(const std::string& metric) const;
  void choose();
  void find_front();
  // Of a search: the confirmed points first, as they were chosen.
  std::vector<std::size_t> order() const;
  bool is_doubtful(const PointReport& report) const;
  // What the runs stand for (scenario keys of [scale]), each that a point has; empty: they are the
  // deployment.
  std::string scale_of_points() const;
  std::string scale_line() const;
  std::string search_text() const;
  std::string front_text() const;
  boost::json::value search_value() const;
  // With [answer] least: the dearest of the points that are cheaper than the answer.
  std::optional<std::size_t> next_cheaper() const;
  // The values of study.least at a point, in their order.
  std::vector<double> costs(std::size_t point) const;
  // Of points of one price the least wins: the figures that terms of `subject_to` bound, in their
  // order, less where they have an upper bound.
  std::vector<double> distance_to_terms(std::size_t point) const;
  std::size_t first_among() const;
  // A figure of one point minus that of another, seed by seed; nothing: no seed has both, or a
  // replication of one of them lacks it.
  std::optional<photon::analysis::PairedDifference> compared(
      std::size_t point, std::size_t other, const std::string& metric,
      double confidence = photon::analysis::kConfidence) const;
  // It has the value of the answer in every replication.
  bool equals_answer(std::size_t point) const;
  std::vector<std::string> shown_metrics() const;
  boost::json::object question_object() const;
  // Of the figures shown, if the study's points were drawn for it.
  std::vector<Sensitivity> sensitivities() const;
  std::string sensitivity_text() const;
  // What the study's [rare] asks, of each point; empty without it.
  std::string rare_text() const;
  std::string rare_table() const;
  boost::json::array rare_array() const;
  boost::json::array sensitivity_array() const;
  // Empty without claims.
  std::string claims_text() const;
  boost::json::array claims_array() const;
  // Of each point what charts say of it: that it does not keep up, or perhaps not; or nothing.
  std::vector<std::string_view> states_of_points() const;
  // Empty without charts.
  std::string charts_text() const;
  boost::json::array charts_array() const;
  std::string answer_text() const;
  std::string price_text() const;
  std::string misses_text() const;
  std::string bound_text(bool surely) const;
  static std::string nearest_text(const Condition& term,
                                  const std::vector<const PointReport*>& among);
  std::string differences_text() const;
  std::string table_text() const;
  // What figures a gate names, and what they are at a point.
  static std::string measured_text(const Condition& gate, const PointEstimates& estimates);
  std::string notes_text() const;
  std::string gates_text() const;
  std::string reached_text() const;
  std::string precision_text(const PointReport& point, const std::string& name) const;
  // One of the figures shown has an interval that may be too narrow (estimates.h).
  bool is_too_correlated() const;

  const StudyEngine& engine_;
  const Study& study_;
  std::vector<PointReport> points_{};
  std::vector<ClaimResult> claims_{};
  std::vector<ChartResult> charts_{};
  std::optional<std::size_t> answer_{};
  std::vector<std::size_t> front_{};
  std::vector<std::size_t> rivals_{};  // points that may be as good as the answer
};

// The plan: its points and replications, and the use of limits that theory predicts.
std::string plan_json(const StudyPlan& plan);
std::string plan_text(const StudyPlan& plan);

}  // namespace photonsim::campaigns
