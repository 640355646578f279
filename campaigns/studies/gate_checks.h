// Gates and terms of an answer that no number can meet.
#pragma once

#include "campaigns/studies/study.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

struct GatePlaces {
  scenarios::Place gates{};
  scenarios::Place answer{};
};

// Reports each that can never be met, and each two that contradict each other.
void check_gates(const Study& study, const GatePlaces& places, scenarios::Report& report);

}  // namespace photonsim::campaigns
