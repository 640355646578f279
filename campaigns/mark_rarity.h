// How often generated configurations reach each coverage mark of the code (core_impl/base/mark.h).
//
// Rarities are measured: mark_rarities.inc has one row per mark, which scripts/mark_rarities.sh
// updates from the report of a campaign. The coverage gate requires marks by their rarity. The lint
// checks that each mark outside of tests has one row, and each row a mark.
#pragma once

#include <cstdint>
#include <string_view>

namespace photonsim::campaigns {

// The share of generated configurations whose run reaches a mark.
enum class MarkRarity : std::uint8_t {
  common,     // at least one of a hundred
  rare,       // at least three of two thousand
  very_rare,  // fewer; scenarios/marks reaches many of them
  exempt,     // no simulated run reaches it; its row says why
};

std::string_view name_of(MarkRarity rarity);

// A mark without a row, as in tests, is rare.
MarkRarity rarity_of(std::string_view mark);

// Why the mark is exempt; empty for all others.
std::string_view exemption_of(std::string_view mark);

}  // namespace photonsim::campaigns
