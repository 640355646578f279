// What can be removed from a scenario, by the rows of its schema: single faults and operations, and
// values that differ from the defaults.
#pragma once

#include <string>
#include <vector>

#include "campaigns/reduce/ddmin.h"
#include "scenarios/config/config.h"
#include "scenarios/language/schema.h"

namespace photonsim::scenarios::shrink {

// Number of faults and operations: elements of [[faults.*]] and [[operations.*]].
std::size_t events_of(const Config& config);
// The scenario with only those that are kept. Requires a flag for each.
Config with_events(const Config& config, const Kept& kept);

// Keys outside those tables that differ from the default, except those that determine the size of
// the run: a default run is larger than most.
class Settings {
 public:
  explicit Settings(const Config& config);
  std::size_t size() const { return keys_.size(); }
  Kept all() const { return Kept(size(), true); }
  // The scenario with all other keys at their default values.
  Config with(const Config& config, const Kept& kept) const;

 private:
  struct Place {
    const TableSpec* table = nullptr;
    std::size_t key = 0;
  };
  std::vector<Place> keys_;
};

// Candidates with one thing reduced: half the clicks, one joiner, no second pipeline, three
// replicas of five, a datacenter less, a fault that lasts half as long. Some are invalid.
std::vector<Config> candidates_of(const Config& config);

}  // namespace photonsim::scenarios::shrink
