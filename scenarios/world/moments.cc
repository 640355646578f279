#include "scenarios/world/moments.h"

#include <algorithm>
#include <iterator>

namespace photonsim::scenarios {

void Moments::note(std::int64_t second, const photon::MarkCounts& counts) {
  photon::MarkHits hits = counts.hits();
  std::vector<std::size_t> marks;
  auto before = last_.begin();
  for (const auto& [mark, count] : hits) {  // both ascend, and no mark is ever taken back
    const bool known = before != last_.end() && before->first == mark;
    if (!known || before->second != count) marks.push_back(mark);
    if (known) ++before;
  }
  last_ = std::move(hits);
  if (marks.empty()) return;
  if (all_.empty() || all_.back().second != second) {
    all_.push_back({second, std::move(marks)});
    return;
  }
  std::vector<std::size_t> both;  // a second may be reported in several parts
  std::ranges::set_union(all_.back().marks, marks, std::back_inserter(both));
  all_.back().marks = std::move(both);
}

}  // namespace photonsim::scenarios
