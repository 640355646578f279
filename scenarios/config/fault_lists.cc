#include "scenarios/config/fault_lists.h"

#include <algorithm>

namespace photonsim::scenarios {

FaultLists::FaultLists(const FaultLists& other) {
  for (const auto& [table, held] : other.lists_) {
    if (!held->empty()) lists_.emplace(table, held->copy());
  }
}

// Each table of `all_of` that has entries is the same in `lists`.
bool FaultLists::holds(const FaultLists& lists, const FaultLists& all_of) {
  return std::ranges::all_of(all_of.lists_, [&](const auto& each) {
    if (each.second->empty()) return true;
    const auto same = lists.lists_.find(each.first);
    return same != lists.lists_.end() && same->second->equals(*each.second);
  });
}

bool FaultLists::operator==(const FaultLists& other) const {
  return holds(*this, other) && holds(other, *this);
}

}  // namespace photonsim::scenarios
