// The guided search: worlds in generations of a fixed size, each planned from what those before it
// have reached. It runs nothing itself: whoever does may run a generation in any order and on any
// number of processors, and hands the results over in the order of the plan. So what comes of it
// depends on the options alone.
//
// What it costs is counted in kernel events, so it runs no drawn world at full length (squeeze.h).
// Without feedback every world is drawn anew and runs as it was drawn: what the search is measured
// against.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "campaigns/guided/corpus.h"

namespace photonsim::scenarios::guided {

enum class Feedback : std::uint8_t { on, off };

struct SearchOptions {
  std::uint64_t seed = 1;  // of the first world; those drawn later have the next ones
  Feedback feedback = Feedback::on;
  // A start world: the swarm's of that seed, or a scenario with a script of the swarm's faults.
  std::function<Config(std::uint64_t seed)> draw{};
};

inline constexpr std::size_t kGeneration = 48;

class Search {
 public:
  explicit Search(SearchOptions options) : options_(std::move(options)) {}

  // The next generation: kGeneration worlds.
  std::vector<World> plan();
  // Of a run of the last plan, in its order. `signals` as of rare_marks() when it was planned.
  void learn(const World& world, const Signals& signals, std::uint64_t events);

  const RareMarks& rare_marks() const { return rare_; }
  const Corpus& corpus() const { return corpus_; }

 private:
  World drawn();
  World dense(swarm::Dice& dice);

  SearchOptions options_;
  Corpus corpus_;
  RareMarks rare_{};
  std::uint64_t drawn_ = 0;
  std::uint64_t planned_ = 0;
};

// A scenario's own world with a script of faults and operations as the swarm draws them.
Config with_drawn_faults(const Config& scenario, std::uint64_t seed);

}  // namespace photonsim::scenarios::guided
