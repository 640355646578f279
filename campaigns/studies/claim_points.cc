#include "campaigns/studies/claim_points.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/plan_checks.h"
#include "campaigns/studies/study_plan.h"

namespace photonsim::campaigns {
namespace {

using scenarios::Diagnostic;

void complain(const Study& study, const Claim& claim, std::string message,
              std::vector<Diagnostic>& problems) {
  add_once(problems, {.file = study.file,
                      .line = claim.place.line,
                      .column = claim.place.column,
                      .message = fmt::format("claim {}: {}", claim.id, std::move(message)),
                      .hint = "`photonsim plan` lists the points of a study"});
}

// Of the names of its theory those that are keys.
std::map<std::string, double> keys_of(const Study& study, const Claim& claim,
                                      const PointValues& values,
                                      std::vector<Diagnostic>& problems) {
  std::map<std::string, double> keys;
  if (!claim.theory) return keys;
  for (const std::string& name : claim.theory->names()) {
    if (is_metric(name)) continue;
    const auto operand = values(name);
    if (operand && operand->number) {
      keys.emplace(name, *operand->number);
    } else {
      complain(study, claim,
               fmt::format("theory: '{}' is no figure, and no key with a number", name), problems);
    }
  }
  return keys;
}

}  // namespace

std::vector<ClaimPoints> claim_points(const Study& study, const std::vector<StudyPoint>& points,
                                      std::vector<Diagnostic>& problems) {
  std::vector<ClaimPoints> list(study.claims.size());
  std::vector<std::vector<std::size_t>> others(list.size());
  for (std::size_t point = 0; point < points.size(); ++point) {
    PointValues values(points[point].config);
    for (const auto& [name, value] : points[point].choices) {
      if (name == kCase) values.put_case(value);
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Claim& claim = study.claims[i];
      if (claim.has_no_figure()) continue;
      const bool beside =
          !claim.beside.empty() && all_hold(claim.beside, study, values, problems).value_or(false);
      if (beside) others[i].push_back(point);
      if (all_hold(claim.at, study, values, problems).value_or(false)) {
        list[i].at.push_back(point);
        list[i].keys.push_back(keys_of(study, claim, values, problems));
      }
    }
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Claim& claim = study.claims[i];
    if (claim.has_no_figure()) continue;
    if (!claim.beside.empty() && others[i].size() != 1) {
      complain(study, claim,
               fmt::format("`beside` admits {} points; it is about one", others[i].size()),
               problems);
      continue;
    }
    if (!claim.beside.empty()) {
      list[i].beside = others[i].front();
      const auto itself = std::ranges::find(list[i].at, others[i].front());
      if (itself != list[i].at.end()) {
        list[i].keys.erase(list[i].keys.begin() + (itself - list[i].at.begin()));
        list[i].at.erase(itself);
      }
    }
    if (list[i].at.empty()) complain(study, claim, "`at` admits no point", problems);
  }
  return list;
}

}  // namespace photonsim::campaigns
