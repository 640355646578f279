#include "sim/slowness.h"

#include "core_impl/base/check.h"

namespace photon::sim {

void Slowness::add(std::uint32_t fault, DatacenterId where, std::uint64_t permille) {
  PHOTON_CHECK(permille >= 1000, "a slow datacenter is no faster than others");
  slow_.push_back({fault, where, permille});
}

void Slowness::remove(std::uint32_t fault) {
  std::erase_if(slow_, [=](const Slow& slow) { return slow.fault == fault; });
}

Slowness::Stretched Slowness::stretched(DatacenterId where, Duration usual) const {
  const Slow* slowest = nullptr;
  for (const Slow& slow : slow_) {
    if (slow.where != where) continue;
    if (slowest == nullptr || slow.permille > slowest->permille) slowest = &slow;
  }
  if (slowest == nullptr || usual <= Duration::zero()) return {usual};
  return {times_permille(usual, slowest->permille), slowest->fault};
}

}  // namespace photon::sim
