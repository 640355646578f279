#include "core_impl/base/mark.h"

#include <algorithm>

namespace photon {
namespace mark_detail {
namespace {

// Constant-initialised, because marks register themselves while statics are being initialised, in
// an unspecified order.
constinit Mark* first_mark = nullptr;

}  // namespace

Mark::Mark(const MarkPlace& place) : place_(place), next_(first_mark) { first_mark = this; }

// Gives every mark its number.
std::vector<MarkPlace> numbered() {
  std::vector<MarkPlace> places;
  for (const Mark* mark = first_mark; mark != nullptr; mark = mark->next_) {
    places.push_back(mark->place_);
  }
  std::ranges::sort(places, {}, &MarkPlace::name);
  const auto same = [](const MarkPlace& left, const MarkPlace& right) {
    return left.name == right.name;
  };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  for (Mark* mark = first_mark; mark != nullptr; mark = mark->next_) {
    const auto place = std::ranges::lower_bound(places, mark->place_.name, {}, &MarkPlace::name);
    mark->number_ = static_cast<std::size_t>(place - places.begin());
  }
  return places;
}

}  // namespace mark_detail

std::span<const MarkPlace> all_marks() {
  static const std::vector<MarkPlace> places = mark_detail::numbered();
  return places;
}

MarkHits MarkCounts::hits() const {
  MarkHits hits;
  for (std::size_t mark = 0; mark < counts_.size(); ++mark) {
    if (counts_[mark] > 0) hits.emplace_back(mark, counts_[mark]);
  }
  return hits;
}

}  // namespace photon
