#include "campaigns/guided/corpus.h"

#include <algorithm>

#include "core_impl/base/mark.h"

namespace photonsim::scenarios::guided {
namespace {

constexpr std::uint64_t kCandidates = 6;  // each choice takes the best of this number
constexpr std::uint64_t kRareShare = 16;  // at most one run in sixteen

}  // namespace

bool Corpus::offer(const Candidate& candidate, const Features& features, std::uint64_t events) {
  ++runs_;
  bool fresh = false;
  std::size_t last = kNoMark;
  for (const Feature feature : features.all) {
    fresh = ++runs_by_feature_[feature] == 1 || fresh;
    const std::size_t mark = mark_of(feature);
    if (mark != kNoMark && mark != last) ++runs_by_mark_[mark];
    last = mark;
  }
  if (!fresh) return false;
  by_root_seed_[candidate.root_seed].push_back(entries_.size());
  entries_.push_back({candidate, features, events, 0});
  return true;
}

// The number of runs with its rarest feature, pairs of marks excepted: pairs are so numerous that
// nearly every configuration has a unique one. Each choice counts like a run. Events count with
// their square root (the formula is squared), because features that need a long run would otherwise
// never be chosen.
std::uint64_t Corpus::price(const Entry& entry) const {
  std::uint64_t rarest = runs_;
  for (const Feature feature : entry.features.all) {
    if (!is_of_two(feature)) rarest = std::min(rarest, runs_by_feature_.at(feature));
  }
  const std::uint64_t runs = rarest + entry.chosen;
  return runs * runs * entry.events;
}

std::size_t Corpus::choose(swarm::Rng& rng) {
  std::size_t best = rng.count(0, entries_.size() - 1);
  for (std::uint64_t i = 1; i < kCandidates; ++i) {
    const std::size_t other = rng.count(0, entries_.size() - 1);
    if (price(entries_[other]) < price(entries_[best])) best = other;
  }
  ++entries_[best].chosen;
  return best;
}

Hints Corpus::hints(std::size_t number, swarm::Rng& rng) const {
  const Entry& entry = entries_[number];
  const auto& relatives = by_root_seed_.at(entry.candidate.root_seed);
  const std::size_t other = relatives[rng.count(0, relatives.size() - 1)];
  return {&entry.features.seconds, other == number ? nullptr : &entries_[other].candidate};
}

RareMarks Corpus::rare_marks() const {
  RareMarks rare(photon::all_marks().size());
  for (std::size_t mark = 0; mark < rare.size(); ++mark) {
    const auto found = runs_by_mark_.find(mark);
    const std::uint64_t runs = found == runs_by_mark_.end() ? 0 : found->second;
    rare[mark] = runs * kRareShare <= runs_;
  }
  return rare;
}

}  // namespace photonsim::scenarios::guided
