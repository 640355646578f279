// What can be taken away from a scenario, by the rows of its schema: single faults and operations,
// and values that are not the default ones.
#pragma once

#include <string>
#include <vector>

#include "scenarios/language/config.h"
#include "scenarios/language/schema.h"
#include "scenarios/shrink/ddmin.h"

namespace photonsim::scenarios::shrink {

// Elements of [[faults.*]] and [[operations.*]]. Numbers are those of one scenario.
class Elements {
 public:
  explicit Elements(const Config& config);
  std::size_t size() const { return count_; }
  // The scenario with those only. Requires the config of the constructor.
  static Config with(const Config& config, const Kept& kept);

 private:
  std::size_t count_ = 0;
};

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
// made smaller (half the clicks, one joiner, no second pipeline, a fault that lasts half as long).
std::vector<Config> smaller_ones(const Config& config);

// How many faults and operations there are.
std::size_t events_of(const Config& config);

}  // namespace photonsim::scenarios::shrink
