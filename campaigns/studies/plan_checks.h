// What a study's text promises of its points and cannot keep: conditions on unknown keys, figures
// that no run measures, nothing left to run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/studies/condition.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_plan.h"
#include "scenarios/config/config.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

// In the conditions of claims the label that a choice of [[list]] has: "case == calm".
inline constexpr std::string_view kCase = "case";

// The values of a configuration by key.
class PointValues {
 public:
  explicit PointValues(const scenarios::Config& config);

  // Of a point with a label.
  void put_case(const std::string& label) { values_[std::string(kCase)] = label; }

  std::optional<Condition::Operand> operator()(const std::string& name) const;
  bool knows(const std::string& name) const { return values_.contains(name); }
  std::optional<std::string> text_of(const std::string& name) const;
  std::vector<std::string> keys() const;

 private:
  std::map<std::string, std::string> values_{};
};

void add_once(std::vector<scenarios::Diagnostic>& list, scenarios::Diagnostic each);
scenarios::Diagnostic about(const Study& study, std::string message, std::string hint);

// Whether all conditions hold; nothing, and a problem, if one cannot be evaluated.
std::optional<bool> all_hold(const std::vector<Condition>& conditions, const Study& study,
                             const PointValues& values,
                             std::vector<scenarios::Diagnostic>& problems);

// Conditions on keys, before any point is planned: names, units and words.
void check_conditions(const Study& study, const PointValues& values,
                      std::vector<scenarios::Diagnostic>& problems);
// Gates, terms and targets on figures that this workload has not.
void check_measured(const Study& study, const scenarios::Config& config,
                    std::vector<scenarios::Diagnostic>& problems);
// A study without points, or without those that it is about.
void check_what_is_left(const Study& study, const std::vector<StudyPoint>& points,
                        std::uint64_t excluded, std::vector<scenarios::Diagnostic>& problems);

}  // namespace photonsim::campaigns
