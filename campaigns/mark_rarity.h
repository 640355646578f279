// How often generated configurations reach each coverage mark of the code (core_impl/base/mark.h).
//
// Rarities are measured, not guessed: mark_rarities.inc has one row per mark, which
// scripts/mark_rarities.sh restates from the report of a campaign. The coverage gate requires marks
// by their rarity. The lint holds that each mark outside of tests has one row and each row a mark.
#pragma once

#include <cstdint>
#include <string_view>

namespace photon {

// The share of generated configurations whose run reaches a mark.
enum class MarkRarity : std::uint8_t {
  common,     // at least one of a hundred
  rare,       // at least three of two thousand
  very_rare,  // fewer; scenarios/marks leads to many of them
  exempt,     // no simulated run reaches it; its row says why
};

std::string_view name_of(MarkRarity rarity);

// By the name of the mark. A mark without a row, as tests have them, is rare.
MarkRarity rarity_of(std::string_view mark);

// Why an exempt mark is exempt; empty for all others.
std::string_view exemption_of(std::string_view mark);

}  // namespace photon
