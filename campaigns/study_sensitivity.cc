// What a study with a drawn design says of its keys, as text and as JSON.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/sensitivity/sobol_indices.h"
#include "campaigns/estimate_text.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/sensitivity.h"
#include "campaigns/study_report.h"
#include "campaigns/text_table.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;
using analysis::Estimate;

std::string effects_text(const Sample& sample, const Sensitivity& found) {
  const auto one = [&](double value) { return analysis::value_text(found.unit, value); };
  TextTable table({" ", "key", "changes it by (mu*)", "on average (mu)", "spread (sigma)"});
  for (const std::size_t factor : found.order()) {
    const analysis::ElementaryEffects& each = found.effects[factor];
    table.row({" ", sample.factors[factor].key, estimate_text(each.magnitude, one),
               estimate_text(each.mean, one), one(each.spread)});
  }
  return fmt::format("\nwhat moves {}, each key from one end of its range to the other ({})\n",
                     found.metric, fmt::format("{} trajectories", sample.size)) +
         table.text();
}

std::string indices_text(const Sample& sample, const Sensitivity& found) {
  const auto one = [](double value) { return fmt::format("{:.0f} %", 100 * value); };
  TextTable table({" ", "key", "explains alone", "and with others"});
  for (const std::size_t factor : found.order()) {
    const analysis::SobolIndices& each = found.indices[factor];
    table.row({" ", sample.factors[factor].key, estimate_text(each.first, one),
               estimate_text(each.total, one)});
  }
  return fmt::format("\nof the variance of {} over these ranges (Sobol's indices, {})\n",
                     found.metric, analysis::counted(sample.size, "row")) +
         table.text() +
         (sample.size < analysis::kWellCoveredRows
              ? fmt::format("! intervals from fewer than {} rows cover the truth less often than "
                            "95 %: raise sample.rows\n",
                            analysis::kWellCoveredRows)
              : std::string());
}

}  // namespace

std::vector<Sensitivity> StudyReport::sensitivities() const {
  std::vector<Sensitivity> all;
  if (!study_.sample || !needs_all_points(study_.sample->kind)) return all;
  for (const std::string& name : shown_metrics()) {
    const auto unit = unit_of_metric(name).value_or(analysis::Unit::count);
    const auto figure_of = [&](std::size_t choice) -> PointFigure {
      const PointEstimates& estimates = points_[choice].estimates;
      if (estimates.replications() == 0) return {{}, "have not run"};
      if (!estimates.stationary().value_or(true)) return {{}, "cannot keep up"};
      const auto found = estimates.of(name);
      if (!found) return {{}, "do not measure it"};
      return {found->estimate.value, {}};
    };
    all.push_back(sensitivity_of(*study_.sample, name, unit, figure_of));
  }
  return all;
}

std::string StudyReport::sensitivity_text() const {
  std::string text;
  for (const Sensitivity& each : sensitivities()) {
    if (!each.missing.empty()) {
      text += fmt::format("\nwhat moves {} is not known: {}\n", each.metric, each.missing);
    } else if (study_.sample->kind == DesignKind::morris) {
      text += effects_text(*study_.sample, each);
    } else {
      text += indices_text(*study_.sample, each);
    }
  }
  return text;
}

json::array StudyReport::sensitivity_array() const {
  json::array list;
  for (const Sensitivity& each : sensitivities()) {
    json::object keys;
    for (const std::size_t factor : each.order()) {
      json::object one;
      if (each.indices.empty()) {
        one["mu_star"] = estimate_object(each.effects[factor].magnitude);
        one["mu"] = estimate_object(each.effects[factor].mean);
        one["sigma"] = each.effects[factor].spread;
      } else {
        one["first"] = estimate_object(each.indices[factor].first);
        one["total"] = estimate_object(each.indices[factor].total);
      }
      const Factor& key = study_.sample->factors[factor];
      const auto& undrawn = engine_.plan().undrawn();
      const auto set = undrawn.find(key.key);
      one["set"] = set == undrawn.end() ? json::value(nullptr) : json::value(set->second);
      one["from"] = key.text_at(0);
      one["to"] = key.text_at(1);
      keys[key.key] = std::move(one);
    }
    json::object object{{"metric", each.metric}, {"unit", name_of(each.unit)}};
    object["design"] = name_of(study_.sample->kind);
    object["size"] = study_.sample->size;
    object["missing"] = each.missing.empty() ? json::value(nullptr) : json::value(each.missing);
    object["keys"] = std::move(keys);
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace photonsim::campaigns
