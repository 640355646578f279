// The expectations of a run, by its scenario (DESIGN 6): the findings of the oracles that fail it,
// and the findings that are required.
//
//   within    nothing may be violated
//   over      safety must hold, and the healed run must drain, except for permanent losses by a
//             fault: `exempt`
//   contract  one of `detected_by` must detect the damage. If all of them check liveness, safety
//             must hold too
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

struct Expectations {
  Tier tier = Tier::kWithin;
  std::string breaks{};                    // Scenario::breaks
  std::vector<std::string> detected_by{};  // Scenario::detected_by
  std::vector<std::string> exempt{};       // oracles of liveness whose findings fail no run

  bool is_exempt(std::string_view oracle) const;
  bool is_expected(std::string_view oracle) const;
  // A broken safety rule fails the run.
  bool expects_safety() const;
};

Expectations expectations_of(const Config& config);

}  // namespace photonsim::scenarios
