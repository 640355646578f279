// What all runs of a campaign together must have shown.
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
  // Marks of this rarity, and of lesser ones, must be reached.
  std::optional<photon::MarkRarity> marks{};
  std::vector<std::size_t> named_marks{};  // numbers of marks that must be reached
  bool coverage_gate = false;      // what a campaign of its size must show (coverage_gate.h)
  bool limits_exemptions = false;  // at most a few runs may be exempt from being judged
};

// Those that are not met, each with its remedy; told to the listener as problems and notes.
std::vector<photon::analysis::CiFailure> unmet_requirements(
    const Requirements& requirements, const CampaignSpec& spec,
    const photon::analysis::CampaignSum& sum, Listener& listener);

}  // namespace photonsim::campaigns
