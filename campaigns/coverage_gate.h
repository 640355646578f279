// The coverage a swarm campaign must reach before "no failure" means something (DESIGN 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/mark_rarity.h"

namespace photonsim::campaigns {

// Marks that a campaign of this size must reach: larger campaigns must reach rarer marks. Nothing:
// too few runs to require any.
std::optional<MarkRarity> rarest_required(std::uint64_t runs);

struct Shortfall {
  std::string name{};     // "mark joiner.request.copy"
  std::string what{};     // one sentence
  std::string meaning{};  // of a mark: what happens when its branch is taken
  std::string file{};     // of a mark: where it stands
};
// Unmet requirements on all runs together. Requires configurations of all tiers: one tier alone
// does not reach all marks.
std::vector<Shortfall> coverage_shortfalls(const CampaignSum& sum);
// Exemptions above the limit, for configurations of any tier.
std::vector<Shortfall> exempt_too_often(const CampaignSum& sum);

}  // namespace photonsim::campaigns
