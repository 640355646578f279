// Which marks of the code (core_impl/base/mark.h) the runs of a campaign have reached, how often.
//
// The result depends on the runs alone, not on their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/mark_rarity.h"
#include "core_impl/base/mark.h"

namespace photon::analysis {

// One line about a mark, without newline: its name, how rare it is, and where it stands.
std::string line_of(const MarkPlace& mark);

class MarkTally {
 public:
  // False, and nothing is added, if there is no mark of some name.
  [[nodiscard]] bool add(const std::vector<NamedCount>& hits);

  std::uint64_t hits(std::size_t mark) const { return hits_[mark]; }
  std::uint64_t runs(std::size_t mark) const { return runs_[mark]; }  // with at least one hit

  // Numbers of the marks that no run reached, of `rarest` and of whatever is less rare.
  std::vector<std::size_t> unreached(MarkRarity rarest) const;
  std::size_t reached(MarkRarity rarity) const;  // how many, of that rarity alone
  // The names of those that no run reached, of that rarity alone. Empty if all were reached.
  std::string unreached_names(MarkRarity rarity) const;

 private:
  std::vector<std::uint64_t> hits_ = std::vector<std::uint64_t>(all_marks().size());
  std::vector<std::uint64_t> runs_ = std::vector<std::uint64_t>(all_marks().size());
};

}  // namespace photon::analysis
