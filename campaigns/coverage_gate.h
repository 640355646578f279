// What a campaign of the swarm must have shown before "no failure" means something (DESIGN 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/mark_rarity.h"

namespace photonsim::campaigns {

// Marks that so many worlds must reach: the more worlds, the rarer. Nothing: too few to demand any.
std::optional<photon::MarkRarity> rarest_required(std::uint64_t runs);

struct Shortfall {
  std::string name{};  // "mark joiner.request.copy"
  std::string what{};  // one sentence
};
// What all runs together should have shown and did not. Worlds of one tier lack what those of all
// tiers show.
std::vector<Shortfall> coverage_shortfalls(const photon::analysis::CampaignSum& sum);
// What they were excused from too often. Of worlds of any tier.
std::vector<Shortfall> excused_too_often(const photon::analysis::CampaignSum& sum);

}  // namespace photonsim::campaigns
