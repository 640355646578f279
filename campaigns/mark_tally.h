// Tally of the coverage marks (core_impl/base/mark.h) that the runs of a campaign reached.
// Independent of the order of the runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/mark_rarity.h"
#include "core_impl/base/mark.h"

namespace photonsim::campaigns {

// One line about a mark, without newline: name, rarity, place in the code.
std::string line_of(const photon::MarkPlace& mark);

class MarkTally {
 public:
  // Returns false, and adds nothing, if a name is not that of a mark.
  [[nodiscard]] bool add(const std::vector<photon::analysis::NamedCount>& hits);

  std::uint64_t hits(std::size_t mark) const { return hits_[mark]; }
  std::uint64_t runs(std::size_t mark) const { return runs_[mark]; }  // with at least one hit

  // Marks that no run reached, of `rarest` and of more common rarities.
  std::vector<std::size_t> unreached(MarkRarity rarest) const;
  std::size_t reached(MarkRarity rarity) const;  // number of marks of that rarity
  // Names of the marks of that rarity that no run reached. Empty if all were reached.
  std::string unreached_names(MarkRarity rarity) const;

 private:
  std::vector<std::uint64_t> hits_ = std::vector<std::uint64_t>(photon::all_marks().size());
  std::vector<std::uint64_t> runs_ = std::vector<std::uint64_t>(photon::all_marks().size());
};

}  // namespace photonsim::campaigns
