// What clicks that are not fresh may use of a dispatcher's look-ups (C-33).
#pragma once

#include <algorithm>
#include <cstdint>

namespace photon {

// Of `lookups` outstanding ones, those that are not kept for fresh clicks; one at least, so that no
// click waits for ever. `fresh_share_permille`: 0 to 1,000.
constexpr std::uint64_t lookups_of_backlog(std::uint64_t lookups,
                                           std::uint32_t fresh_share_permille) {
  const std::uint64_t kept = lookups * fresh_share_permille / 1000;
  return std::max<std::uint64_t>(lookups - kept, 1);
}

}  // namespace photon
