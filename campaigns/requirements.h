// Requirements on all runs of a campaign together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign_ci.h"
#include "campaigns/mark_rarity.h"
#include "campaigns/plan.h"
#include "campaigns/runs/listener.h"

namespace photonsim::campaigns {

struct Requirements {
  std::vector<std::string> corner_cases{};  // each must occur in some run
  // Marks of this rarity and of more common ones must be reached.
  std::optional<MarkRarity> marks{};
  std::vector<std::size_t> named_marks{};  // numbers of marks that must be reached
  bool coverage_gate = false;              // the requirements for its size (coverage_gate.h)
  bool limits_exemptions = false;          // limits the runs that are exempt from checks
};

// Unmet requirements, each with its remedy; reported to the listener as problems and notes.
std::vector<CiFailure> unmet_requirements(const Requirements& requirements,
                                          const CampaignSpec& spec, const CampaignSum& sum,
                                          Listener& listener);

}  // namespace photonsim::campaigns
