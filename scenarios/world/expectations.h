// What may be demanded of a run, as its scenario states it (DESIGN 6): which findings of the
// oracles fail it, and which must be there.
//
//   within    nothing may be violated
//   over      safety must hold; and when all is mended everything must come to rest as well, except
//             what a fault has taken for good: `excused`
//   contract  one of `detected_by` must have noticed the damage. Where all of them are of liveness
//             nothing wrong may be said meanwhile either: safety must hold
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/config.h"

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
