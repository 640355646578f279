#include "campaigns/mark_tally.h"

#include <algorithm>

#include <fmt/format.h>

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

std::string line_of(const photon::MarkPlace& mark) {
  return fmt::format("{:<48} {:<9} {}:{}", mark.name, name_of(rarity_of(mark.name)), mark.file,
                     mark.line);
}

bool MarkTally::add(const std::vector<analysis::NamedCount>& hits) {
  const auto marks = photon::all_marks();  // sorted by name
  const auto place_of = [&](const analysis::NamedCount& each) {
    return std::ranges::lower_bound(marks, each.name, {}, &photon::MarkPlace::name);
  };
  const bool known = std::ranges::all_of(hits, [&](const analysis::NamedCount& each) {
    const auto place = place_of(each);
    return place != marks.end() && place->name == each.name;
  });
  if (!known) return false;
  for (const analysis::NamedCount& each : hits) {
    const auto mark = static_cast<std::size_t>(place_of(each) - marks.begin());
    hits_[mark] += each.count;
    runs_[mark] += each.count > 0 ? 1 : 0;
  }
  return true;
}

std::vector<std::size_t> MarkTally::unreached(MarkRarity rarest) const {
  std::vector<std::size_t> numbers;
  for (std::size_t mark = 0; mark < hits_.size(); ++mark) {
    if (hits_[mark] == 0 && rarity_of(photon::all_marks()[mark].name) <= rarest)
      numbers.push_back(mark);
  }
  return numbers;
}

std::string MarkTally::unreached_names(MarkRarity rarity) const {
  std::string names;
  for (std::size_t mark = 0; mark < hits_.size(); ++mark) {
    if (hits_[mark] > 0 || rarity_of(photon::all_marks()[mark].name) != rarity) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", photon::all_marks()[mark].name);
  }
  return names;
}

std::size_t MarkTally::reached(MarkRarity rarity) const {
  std::size_t count = 0;
  for (std::size_t mark = 0; mark < hits_.size(); ++mark) {
    count += hits_[mark] > 0 && rarity_of(photon::all_marks()[mark].name) == rarity ? 1U : 0U;
  }
  return count;
}

}  // namespace photonsim::campaigns
