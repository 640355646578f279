#include "campaigns/mark_rarity.h"

#include <algorithm>
#include <functional>

namespace photonsim::campaigns {
namespace {

struct Row {
  std::string_view mark;
  MarkRarity rarity;
  std::string_view exemption;
};

// MARK(name, rarity, reason), sorted by name.
constexpr Row kRows[] = {
#define MARK(name, rarity, reason) {name, MarkRarity::rarity, reason},
#include "campaigns/mark_rarities.inc"
#undef MARK
};

static_assert(std::ranges::adjacent_find(kRows, std::ranges::greater_equal{}, &Row::mark) ==
                  std::ranges::end(kRows),
              "mark_rarities.inc: rows are in the order of names, each name once");
static_assert(std::ranges::all_of(kRows,
                                  [](const Row& row) {
                                    return (row.rarity == MarkRarity::exempt) !=
                                           row.exemption.empty();
                                  }),
              "mark_rarities.inc: a reason for what is exempt, and for nothing else");

const Row* row_of(std::string_view mark) {
  const Row* const found = std::ranges::lower_bound(kRows, mark, {}, &Row::mark);
  return found != std::ranges::end(kRows) && found->mark == mark ? found : nullptr;
}

}  // namespace

std::string_view name_of(MarkRarity rarity) {
  switch (rarity) {
    case MarkRarity::common:
      return "common";
    case MarkRarity::rare:
      return "rare";
    case MarkRarity::very_rare:
      return "very_rare";
    case MarkRarity::exempt:
      break;
  }
  return "exempt";
}

MarkRarity rarity_of(std::string_view mark) {
  const Row* const row = row_of(mark);
  return row == nullptr ? MarkRarity::rare : row->rarity;
}

std::string_view exemption_of(std::string_view mark) {
  const Row* const row = row_of(mark);
  return row == nullptr ? std::string_view{} : row->exemption;
}

}  // namespace photonsim::campaigns
