// The guided search: batches of a fixed number of configurations, each planned from the features
// that earlier ones reached. It runs nothing itself. The caller may run a batch in any order on
// any number of processors, and returns the results in the order of the plan. The
// search therefore depends on its options only.
//
// The cost is counted in kernel events, so every generated configuration is compressed in time
// (time_compression.h). Without feedback every configuration is generated anew and runs
// uncompressed: the baseline for the search.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "campaigns/guided/corpus.h"

namespace photonsim::scenarios::guided {

enum class Feedback : std::uint8_t { on, off };

struct SearchOptions {
  std::uint64_t seed = 1;  // of the first generated configuration; later ones take the next seeds
  Feedback feedback = Feedback::on;
  // Generates a configuration: the swarm's for that seed, or a scenario with a script of faults.
  std::function<Config(std::uint64_t seed)> generate{};
};

inline constexpr std::size_t kBatch = 48;

class Search {
 public:
  explicit Search(SearchOptions options) : options_(std::move(options)) {}

  // The next batch: kBatch configurations.
  std::vector<Candidate> plan();
  // Takes the result of one run of the last plan, in its order, with `features` computed from
  // rare_marks() at planning time.
  void learn(const Candidate& candidate, const Features& features, std::uint64_t events);

  const RareMarks& rare_marks() const { return rare_; }
  const Corpus& corpus() const { return corpus_; }

 private:
  Candidate fresh();
  Candidate compressed_candidate(swarm::Rng& rng);

  SearchOptions options_;
  Corpus corpus_;
  RareMarks rare_{};
  std::uint64_t fresh_ = 0;
  std::uint64_t planned_ = 0;
};

// The scenario with a script of faults and operations as the swarm generates them.
Config with_generated_faults(const Config& scenario, std::uint64_t seed);

}  // namespace photonsim::scenarios::guided
