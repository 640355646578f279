// The corpus of a guided search: configurations that reached a new feature, and the choice of the
// next one to mutate. A configuration is chosen more often the fewer runs reached its rarest
// feature, and the fewer kernel events it costs.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "campaigns/guided/mutation.h"
#include "campaigns/guided/signals.h"

namespace photonsim::scenarios::guided {

class Corpus {
 public:
  // Counts the features of a run, and adds its configuration if one of them is new.
  bool offer(const World& world, const Signals& signals, std::uint64_t events);

  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  std::size_t signals() const { return runs_by_signal_.size(); }
  // Requires a corpus that is not empty.
  std::size_t choose(swarm::Dice& dice);
  const World& world(std::size_t number) const { return kept_[number].world; }
  Hints hints(std::size_t number, swarm::Dice& dice) const;

  // Marks that at most one run in sixteen reached.
  RareMarks rare_marks() const;

 private:
  struct Kept {
    World world{};
    Signals signals{};
    std::uint64_t events = 0;
    std::uint64_t chosen = 0;
  };
  std::uint64_t price(const Kept& kept) const;

  std::vector<Kept> kept_;
  std::map<Signal, std::uint64_t> runs_by_signal_;
  std::map<std::size_t, std::uint64_t> runs_by_mark_;
  std::map<std::uint64_t, std::vector<std::size_t>> by_world_seed_;
  std::uint64_t runs_ = 0;
};

}  // namespace photonsim::scenarios::guided
