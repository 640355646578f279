#include "report/scorecard.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaigns/claims_table.h"
#include "campaigns/studies/claim_result.h"
#include "report/free_parameters.h"

namespace photonsim::report {
namespace {

namespace json = boost::json;
using campaigns::ClaimVerdict;

std::string_view text_at(const json::value& object, std::string_view name) {
  return object.at(name).as_string();
}

// The last one of each name.
std::vector<const json::object*> newest(const json::array& studies) {
  std::vector<const json::object*> list;
  for (const json::value& each : studies) {
    std::erase_if(
        list, [&](const json::object* other) { return other->at("study") == each.at("study"); });
    list.push_back(&each.as_object());
  }
  return list;
}

std::vector<std::string> unfinished(const json::array& studies) {
  std::vector<std::string> names;
  for (const json::object* each : newest(studies)) {
    const json::value* const complete = each->if_contains("complete");
    if (complete == nullptr || *complete != true) names.emplace_back(text_at(*each, "study"));
  }
  return names;
}

std::size_t count_of(const json::array& claims, ClaimVerdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(claims, [&](const json::value& each) {
    return text_at(each, "verdict") == campaigns::text_of(verdict);
  }));
}

// A line for each study that does not simulate all of the deployment.
std::string scale_lines(const json::array& claims) {
  std::string text;
  std::vector<std::string_view> named;
  for (const json::value& each : claims) {
    const json::value* const scale = each.as_object().if_contains("scale");
    if (scale == nullptr || !scale->is_string() || scale->as_string().empty()) continue;
    const std::string_view study = text_at(each, "study");
    if (std::ranges::find(named, study) != named.end()) continue;
    named.push_back(study);
    text += fmt::format("scale of {}: {}\n", study, std::string_view(scale->as_string()));
  }
  return text;
}

}  // namespace

json::array scorecard(const json::array& studies) {
  std::vector<json::object> list;
  for (const json::object* study : newest(studies)) {
    const json::value* const claims = study->if_contains("claims");
    if (claims == nullptr) continue;
    for (const json::value& each : claims->as_array()) {
      json::object claim = each.as_object();
      claim["study"] = study->at("study");
      list.push_back(std::move(claim));
    }
  }
  std::ranges::stable_sort(list, {}, [](const json::object& claim) {
    return std::string(std::string_view(claim.at("id").as_string()));
  });
  json::array claims;
  for (json::object& each : list) claims.push_back(std::move(each));
  return claims;
}

std::string scorecard_text(const json::array& studies) {
  const json::array claims = scorecard(studies);
  std::vector<std::string> counts;
  for (const auto verdict :
       {ClaimVerdict::reproduced, ClaimVerdict::consistent, ClaimVerdict::trend,
        ClaimVerdict::tested, ClaimVerdict::refused, ClaimVerdict::undecided,
        ClaimVerdict::not_measured, ClaimVerdict::missed}) {
    const std::size_t count = count_of(claims, verdict);
    if (count > 0) counts.push_back(fmt::format("{} {}", count, campaigns::text_of(verdict)));
  }
  std::vector<std::string> names;
  for (const json::value& each : claims) {
    const std::string name(text_at(each, "study"));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string text =
      fmt::format("{} claim{} of {} stud{} ({}): {}\n", claims.size(),
                  claims.size() == 1 ? "" : "s", names.size(), names.size() == 1 ? "y" : "ies",
                  fmt::join(names, ", "), fmt::join(counts, ", "));
  const std::vector<std::string> open = unfinished(studies);
  if (!open.empty()) {
    text += fmt::format("NOT ENDED, their claims are missing: {}\n", fmt::join(open, ", "));
  }
  text += scale_lines(claims);
  json::array last;
  for (const json::object* each : newest(studies)) last.emplace_back(*each);
  return text + "\n" + campaigns::claims_table(claims) + free_parameters_text(last);
}

bool all_claims_hold(const json::array& studies) {
  const json::array claims = scorecard(studies);
  return unfinished(studies).empty() && count_of(claims, ClaimVerdict::missed) == 0 &&
         count_of(claims, ClaimVerdict::undecided) == 0 &&
         count_of(claims, ClaimVerdict::not_measured) == 0;
}

}  // namespace photonsim::report
