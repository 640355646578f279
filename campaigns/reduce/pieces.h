// What can be taken away from a scenario, by the rows of its schema: single faults and operations,
// and values that are not the default ones.
#pragma once

#include <string>
#include <vector>

#include "campaigns/reduce/ddmin.h"
#include "scenarios/language/config.h"
#include "scenarios/language/schema.h"

namespace photonsim::scenarios::shrink {

// How many faults and operations there are: elements of [[faults.*]] and [[operations.*]].
std::size_t events_of(const Config& config);
// The scenario with those of them only. Requires a flag for each.
Config with_events(const Config& config, const Kept& kept);

// Keys outside those tables whose value is not the default one, but for those that say how large
// the run is: a default run is larger than most.
class Settings {
 public:
  explicit Settings(const Config& config);
  std::size_t size() const { return keys_.size(); }
  Kept all() const { return Kept(size(), true); }
  // The scenario in which the others have their default value.
  Config with(const Config& config, const Kept& kept) const;

 private:
  struct Place {
    const TableSpec* table = nullptr;
    std::size_t key = 0;
  };
  std::vector<Place> keys_;
};

// Simpler ones of the same failure may be found among these: each is the scenario with one thing
// made smaller (half the clicks, one joiner, no second pipeline, three replicas of five, a
// datacenter less, a fault that lasts half as long). Not all of them are valid.
std::vector<Config> smaller_ones(const Config& config);

}  // namespace photonsim::scenarios::shrink
