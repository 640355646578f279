// The JSON of studies and their plans.
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "campaigns/study_report.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

json::value number(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

// Parameters as the numbers and words that they are.
json::value typed(const std::string& value) {
  if (value == "true" || value == "false") return value == "true";
  const auto plain = value.find_first_not_of("0123456789.-+eE") == std::string::npos;
  if (const auto quantity = quantity_of(value); plain && quantity) {
    const bool whole = value.find_first_of(".eE") == std::string::npos;
    if (whole) return static_cast<std::int64_t>(*quantity);
    return *quantity;
  }
  return json::value(value);
}

json::object parameters_of(const StudyPoint& point) {
  json::object object;
  for (const auto& [name, value] : point.parameters) object[name] = typed(value);
  return object;
}

json::array predicted_of(const StudyPoint& point) {
  json::array list;
  for (const scenarios::PredictedUse& each : point.predicted) {
    list.push_back(json::object{
        {"name", each.name},
        {"where", each.where},
        {"utilisation", number(each.utilisation)},
        {"utilisation_most", number(each.utilisation_most)},
        {"capacity_per_second",
         each.capacity_per_second ? number(*each.capacity_per_second) : json::value(nullptr)}});
  }
  return list;
}

json::object theory_object(const StudyPoint& point) {
  json::object object;
  for (const auto& [name, value] : theory_of(point)) object[name] = number(value);
  return object;
}

// `named`: what the study asks for; a figure stands under that name too.
json::object metrics_of(const PointEstimates& estimates, const std::vector<std::string>& named) {
  json::object object;
  std::vector<std::string> names = estimates.names();
  names.insert(names.end(), named.begin(), named.end());
  for (const std::string& name : names) {
    if (object.contains(name)) continue;
    const auto found = estimates.of(name);
    if (!found) continue;
    const analysis::Estimate estimate = found->shown();
    json::object metric{{"mean", number(estimate.value)},
                        {"low", nullptr},
                        {"high", nullptr},
                        {"n", estimate.n},
                        {"unit", name_of(found->unit)}};
    if (estimate.interval) {
      metric["low"] = number(estimate.interval->low);
      metric["high"] = number(estimate.interval->high);
    } else {
      metric["shortage"] = analysis::text_of(estimate.shortage);
    }
    if (estimate.beyond) metric["independent_beyond"] = number(*estimate.beyond);
    object[name] = std::move(metric);
  }
  return object;
}

}  // namespace

std::string StudyReport::json(int exit_code) const {
  json::array points;
  for (const PointReport& each : points_) {
    const auto stationary = each.estimates.stationary();
    json::object gates;
    for (std::size_t i = 0; i < each.gates.size(); ++i) {
      gates[study_.gates[i].text()] = text_of(each.gates[i]);
    }
    json::array imprecise;
    for (const std::string& name : each.imprecise) imprecise.emplace_back(name);
    const std::string bound = each.estimates.bound_by();
    points.push_back(
        json::object{{"parameters", parameters_of(*each.point)},
                     {"label", each.point->label},
                     {"replications", each.estimates.replications()},
                     {"failed", each.estimates.failed()},
                     {"confirmed", study_.search ? json::value(each.confirmed) : json::value()},
                     {"perhaps_growing", each.estimates.perhaps_growing()},
                     {"stationary", stationary ? json::value(*stationary) : json::value(nullptr)},
                     {"binding", bound.empty() ? json::value(nullptr) : json::value(bound)},
                     {"gates", std::move(gates)},
                     {"imprecise", std::move(imprecise)},
                     {"predicted", predicted_of(*each.point)},
                     {"theory", theory_object(*each.point)},
                     {"metrics", metrics_of(each.estimates, shown_metrics())}});
  }
  json::object object{
      {"study", study_.name},   {"question", study_.question},       {"base", study_.base.string()},
      {"exit_code", exit_code}, {"complete", engine_.is_complete()}, {"points", std::move(points)}};
  object["answer"] =
      answer_ ? json::value(parameters_of(*points_[*answer_].point)) : json::value(nullptr);
  if (!study_.pareto.empty()) {
    json::array front;
    for (const std::size_t point : front_) front.push_back(parameters_of(*points_[point].point));
    object["front"] = std::move(front);
  }
  if (study_.search) object["search"] = search_value();
  if (study_.sample) object["sensitivity"] = sensitivity_array();
  if (study_.rare) object["rare"] = rare_array();
  if (!study_.claims.empty()) object["claims"] = claims_array();
  if (!study_.charts.empty()) object["charts"] = charts_array();
  if (const std::string scale = scale_of_points(); !scale.empty()) object["scale"] = scale;
  object["saving"] = nullptr;
  if (const auto paired = saving()) {
    const analysis::Estimate& difference = paired->difference;
    const auto maybe = [](const std::optional<double>& value) {
      return value ? number(*value) : json::value(nullptr);
    };
    object["saving"] = json::object{
        {"metric", study_.best},
        {"than", points_[first_among()].point->label},
        {"mean", number(difference.value)},
        {"low", difference.interval ? number(difference.interval->low) : json::value(nullptr)},
        {"high", difference.interval ? number(difference.interval->high) : json::value(nullptr)},
        {"n", difference.n},
        {"correlation", maybe(paired->correlation)},
        {"variance_ratio", maybe(paired->variance_ratio)}};
  }
  return json::serialize(object);
}

std::string StudyReport::announcement(const std::string& program) const {
  json::object object = question_object();
  object["program"] = program;
  object["complete"] = false;
  return json::serialize(object);
}

std::string StudyReport::outcome(int exit_code, const std::string& program) const {
  json::array point, gate, result, measured;
  for (const PointReport& each : points_) {
    for (std::size_t i = 0; i < each.gates.size(); ++i) {
      point.emplace_back(each.point->label);
      gate.emplace_back(study_.gates[i].text());
      result.emplace_back(text_of(each.gates[i]));
      measured.emplace_back(measured_text(study_.gates[i], each.estimates));
    }
  }
  json::object object = question_object();
  object["program"] = program;
  object["complete"] = engine_.is_complete();
  object["exit_code"] = exit_code;
  object["failed"] = failed();
  object["answer"] = answer_text() + front_text() + rare_text();  // a block of text on pages
  object["notes"] = notes_text();
  object["sensitivity"] = sensitivity_array();
  object["claims"] = claims_array();
  object["charts"] = charts_array();
  object["gates"] = json::object{{"point", std::move(point)},
                                 {"gate", std::move(gate)},
                                 {"result", std::move(result)},
                                 {"measured", std::move(measured)}};
  return json::serialize(object);
}

json::object StudyReport::question_object() const {
  json::array metrics, labels, axes;
  for (const PointReport& each : points_) labels.emplace_back(each.point->label);
  for (std::size_t i = 0; !points_.empty() && i < points_.front().point->choices.size(); ++i) {
    json::array values;
    for (const PointReport& each : points_) values.emplace_back(each.point->choices[i].value);
    axes.push_back(json::object{{"name", points_.front().point->choices[i].name},
                                {"values", std::move(values)}});
  }
  for (const std::string& name : shown_metrics()) metrics.emplace_back(name);
  json::value drawn = study_.search   ? json::value("search")
                      : study_.sample ? json::value(name_of(study_.sample->kind))
                                      : json::value();
  json::array pareto, front;
  for (const std::string& each : study_.pareto) pareto.emplace_back(each);
  for (const std::size_t point : front_) front.emplace_back(points_[point].point->label);
  std::uint64_t wanted = 0;
  for (const std::uint64_t each : engine_.wanted()) wanted += each;
  return {{"study", study_.name},
          {"question", study_.question},
          {"scale", scale_of_points()},
          {"points", points_.size()},
          {"replications", engine_.done()},
          {"wanted", wanted},
          {"labels", std::move(labels)},
          {"axes", std::move(axes)},
          {"metrics", std::move(metrics)},
          {"best", study_.best},
          {"drawn", drawn},
          {"pareto", std::move(pareto)},
          {"front", std::move(front)},
          {"search", search_value()}};
}

std::string plan_json(const StudyPlan& plan) {
  json::array points;
  const Study& study = plan.study();
  const StudyPlan::Cost cost = plan.cost(study.least_replications);
  for (const StudyPoint& point : plan.points()) {
    points.push_back(json::object{{"parameters", parameters_of(point)},
                                  {"replications", study.least_replications},
                                  {"predicted", predicted_of(point)},
                                  {"theory", theory_object(point)}});
  }
  return json::serialize(json::object{
      {"study", study.name},
      {"question", study.question},
      {"base", study.base.string()},
      {"excluded", plan.excluded()},
      {"replications",
       json::object{{"min", study.least_replications}, {"max", study.most_replications}}},
      {"runs",
       json::object{
           {"min", plan.points().size() * study.least_replications},
           {"max", study.search ? plan.runs() : plan.points().size() * study.most_replications}}},
      {"core_seconds", cost.replays_log ? json::value(nullptr) : number(cost.core_seconds)},
      {"bytes", number(cost.bytes)},
      {"points", std::move(points)}});
}

}  // namespace photonsim::campaigns
