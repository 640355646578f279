// The corpus of a guided search: configurations that reached a new feature, and the choice of the
// next one to mutate. A configuration is chosen more often the fewer runs reached its rarest
// feature, and the fewer kernel events it costs.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "campaigns/guided/features.h"
#include "campaigns/guided/mutation.h"

namespace photonsim::scenarios::guided {

class Corpus {
 public:
  // Counts the features of a run, and adds its configuration if one of them is new.
  bool offer(const Candidate& candidate, const Features& features, std::uint64_t events);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  std::size_t features() const { return runs_by_feature_.size(); }
  // Requires a corpus that is not empty.
  std::size_t choose(swarm::Rng& rng);
  const Candidate& candidate(std::size_t number) const { return entries_[number].candidate; }
  Hints hints(std::size_t number, swarm::Rng& rng) const;

  // Marks that at most one run in sixteen reached.
  RareMarks rare_marks() const;

 private:
  struct Entry {
    Candidate candidate{};
    Features features{};
    std::uint64_t events = 0;
    std::uint64_t chosen = 0;
  };
  std::uint64_t price(const Entry& entry) const;

  std::vector<Entry> entries_;
  std::map<Feature, std::uint64_t> runs_by_feature_;
  std::map<std::size_t, std::uint64_t> runs_by_mark_;
  std::map<std::uint64_t, std::vector<std::size_t>> by_root_seed_;
  std::uint64_t runs_ = 0;
};

}  // namespace photonsim::scenarios::guided
