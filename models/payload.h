// The payload of generated events: a campaign number, then opaque filler.
//
// The campaign is the query property on which a filtering adapter decides (SPEC D-05): 32 bits,
// little-endian, in [0, kCampaigns).
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"

namespace photon::models {

inline constexpr std::uint32_t kCampaigns = 1000;
inline constexpr std::size_t kCampaignBytes = sizeof(std::uint32_t);

// Fills `out` with a payload that depends on `word` and the size only. Requires
// out.size() >= kCampaignBytes.
void write_payload(std::uint64_t word, std::span<std::byte> out);

std::uint32_t campaign_of(std::uint64_t word);

}  // namespace photon::models
