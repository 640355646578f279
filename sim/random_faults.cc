#include "sim/random_faults.h"

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "sim/purposes.h"

namespace photon::sim {
namespace {

// Expands one spec; the draws of item i are keyed by (spec, i) and a purpose within the item.
class Expansion {
 public:
  Expansion(const RandomFaults& spec, std::uint32_t index, std::uint64_t seed)
      : spec_(spec), stream_(seed, purpose::kFaultPlan, index) {}

  void add_to(std::vector<Fault>& faults) const {
    if (spec_.candidates.empty() || spec_.until <= spec_.from) return;
    PHOTON_CHECK(spec_.mean_between.count() > 0, "random faults have a mean distance");
    SimTime at = spec_.from;
    for (std::uint64_t item = 0;; ++item) {
      at += exponential(stream_.word(item, kWhen), spec_.mean_between) + Duration(1);
      if (at >= spec_.until) return;
      faults.push_back(make(item, at));
    }
  }

 private:
  enum Draw : std::uint32_t { kWhen = 0, kHowLong = 1, kTarget = 2, kWhich = 3 };

  template <class Candidate>
  const Candidate& pick(const std::vector<Candidate>& candidates, std::uint64_t item,
                        Draw draw) const {
    return candidates[uniform_below(stream_.word(item, draw), candidates.size())];
  }

  Fault make(std::uint64_t item, SimTime at) const {
    Fault fault;
    fault.at = at;
    fault.duration = uniform_duration(stream_.word(item, kHowLong), spec_.shortest, spec_.longest);
    fault.kind = spec_.kind;
    fault.action = pick(pick(spec_.candidates, item, kTarget), item, kWhich);
    return fault;
  }

  const RandomFaults& spec_;
  RandomStream stream_;
};

}  // namespace

std::vector<Fault> expand(const std::vector<RandomFaults>& specs, std::uint64_t seed) {
  std::vector<Fault> faults;
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    Expansion(specs[i], i, seed).add_to(faults);
  }
  sort_by_time(faults);
  return faults;
}

}  // namespace photon::sim
