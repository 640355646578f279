#include "campaigns/guided/features.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "core_impl/base/bytes.h"
#include "core_impl/base/hash.h"

namespace photonsim::scenarios::guided {
namespace {

// The two highest bits hold the sort of the feature.
constexpr unsigned kSort = 62;
constexpr Feature kOfMark = Feature{0} << kSort;
constexpr Feature kOfState = Feature{1} << kSort;
constexpr Feature kOfPair = Feature{2} << kSort;
constexpr Feature kOfRow = Feature{3} << kSort;
constexpr Feature kRest = (Feature{1} << kSort) - 1;
constexpr unsigned kSteps = 8;  // bits for the step
constexpr unsigned kMarkBits = 24;
// More marks than these in one second are no rare coincidence.
constexpr std::size_t kMostTogether = 12;

Feature of_effects(const photon::analysis::FaultEffects& effects) {
  const std::string_view state = name_of(effects.state);
  std::uint64_t hash = effects.kind.size() + 1 + state.size();
  const auto take = [&](char each) {
    hash = photon::combine(hash, static_cast<std::uint64_t>(static_cast<unsigned char>(each)));
  };
  std::ranges::for_each(effects.kind, take);
  take('|');  // separates the two words
  std::ranges::for_each(state, take);
  return kOfState | (hash & kRest);
}

// A row continues across gaps of this number of seconds: retries back off.
constexpr std::int64_t kGap = 4;

// The longest time during which a mark was hit repeatedly, in powers of two.
void add_rows(const std::vector<Moment>& moments, std::vector<Feature>& features) {
  struct Row {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t longest = 0;
  };
  std::map<std::size_t, Row> rows;
  for (const Moment& moment : moments) {
    for (const std::size_t mark : moment.marks) {
      Row& row = rows.try_emplace(mark, Row{moment.second, moment.second, 0}).first->second;
      if (moment.second > row.last + kGap) row.first = moment.second;
      row.last = moment.second;
      row.longest = std::max(row.longest, row.last - row.first + 1);
    }
  }
  for (const auto& [mark, row] : rows) {
    const auto step = static_cast<Feature>(std::bit_width(static_cast<std::uint64_t>(row.longest)));
    if (step > 2) features.push_back(kOfRow | Feature{mark} << kSteps | step);
  }
}

}  // namespace

Features features_of(const RunOutcome& outcome, const RareMarks& rare) {
  Features features;
  for (const auto& [mark, hits] : outcome.marks) {
    const auto step = static_cast<Feature>((std::bit_width(hits) + 1) / 2);
    features.all.push_back(kOfMark | Feature{mark} << kSteps | step);
  }
  for (const auto& each : outcome.fault_effects) features.all.push_back(of_effects(each));
  add_rows(outcome.moments, features.all);
  std::vector<std::size_t> together;
  for (const Moment& moment : outcome.moments) {
    together.clear();
    for (const std::size_t mark : moment.marks) {
      if (mark < rare.size() && rare[mark]) together.push_back(mark);
    }
    if (together.empty()) continue;
    if (features.seconds.size() < kSeconds) features.seconds.push_back(moment.second);
    if (together.size() > kMostTogether) continue;
    for (std::size_t i = 0; i < together.size(); ++i) {
      for (std::size_t j = i + 1; j < together.size(); ++j) {
        features.all.push_back(kOfPair | Feature{together[i]} << kMarkBits | Feature{together[j]});
      }
    }
  }
  std::ranges::sort(features.all);
  features.all.erase(std::unique(features.all.begin(), features.all.end()), features.all.end());
  return features;
}

std::size_t mark_of(Feature feature) {
  if (feature >> kSort != kOfMark >> kSort) return kNoMark;
  return static_cast<std::size_t>((feature & kRest) >> kSteps);
}

bool is_of_two(Feature feature) { return feature >> kSort == kOfPair >> kSort; }

}  // namespace photonsim::scenarios::guided
