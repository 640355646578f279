#include "scenarios/faults/modelled_fault.h"

#include "core_impl/base/check.h"

namespace photonsim::scenarios {

void FaultNumbers::bind(std::uint32_t key, std::uint32_t number, photon::sim::FaultEffects& run) {
  const bool is_new = bound_.try_emplace(key, Bound{number, &run}).second;
  PHOTON_CHECK(is_new, "a fault of a model has one number");
}

const FaultNumbers::Bound& FaultNumbers::bound(std::uint32_t key) const {
  const auto found = bound_.find(key);
  PHOTON_CHECK(found != bound_.end(), "a model reports faults of this run");
  return found->second;
}

void FaultNumbers::took_effect(std::uint32_t key) {
  const Bound& fault = bound(key);
  fault.run->took_effect(fault.number);
}

bool FaultNumbers::had_effect(std::uint32_t key) const {
  const Bound& fault = bound(key);
  return fault.run->had_effect(fault.number);
}

}  // namespace photonsim::scenarios
