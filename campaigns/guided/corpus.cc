#include "campaigns/guided/corpus.h"

#include <algorithm>

#include "core_impl/base/mark.h"

namespace photonsim::scenarios::guided {
namespace {

constexpr std::uint64_t kCandidates = 6;  // each choice takes the best of this number
constexpr std::uint64_t kRareShare = 16;  // at most one run in sixteen

}  // namespace

bool Corpus::offer(const World& world, const Signals& signals, std::uint64_t events) {
  ++runs_;
  bool fresh = false;
  std::size_t last = kNoMark;
  for (const Signal signal : signals.all) {
    fresh = ++runs_by_signal_[signal] == 1 || fresh;
    const std::size_t mark = mark_of(signal);
    if (mark != kNoMark && mark != last) ++runs_by_mark_[mark];
    last = mark;
  }
  if (!fresh) return false;
  by_world_seed_[world.world_seed].push_back(kept_.size());
  kept_.push_back({world, signals, events, 0});
  return true;
}

// The number of runs with its rarest feature, pairs of marks excepted: pairs are so numerous that
// nearly every configuration has a unique one. Each choice counts like a run. Events count with
// their square root (the formula is squared), because features that need a long run would otherwise
// never be chosen.
std::uint64_t Corpus::price(const Kept& kept) const {
  std::uint64_t rarest = runs_;
  for (const Signal signal : kept.signals.all) {
    if (!is_of_two(signal)) rarest = std::min(rarest, runs_by_signal_.at(signal));
  }
  const std::uint64_t runs = rarest + kept.chosen;
  return runs * runs * kept.events;
}

std::size_t Corpus::choose(swarm::Dice& dice) {
  std::size_t best = dice.count(0, kept_.size() - 1);
  for (std::uint64_t i = 1; i < kCandidates; ++i) {
    const std::size_t other = dice.count(0, kept_.size() - 1);
    if (price(kept_[other]) < price(kept_[best])) best = other;
  }
  ++kept_[best].chosen;
  return best;
}

Hints Corpus::hints(std::size_t number, swarm::Dice& dice) const {
  const Kept& kept = kept_[number];
  const auto& relatives = by_world_seed_.at(kept.world.world_seed);
  const std::size_t other = relatives[dice.count(0, relatives.size() - 1)];
  return {&kept.signals.seconds, other == number ? nullptr : &kept_[other].world};
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
