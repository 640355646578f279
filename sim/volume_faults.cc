#include "sim/volume_faults.h"

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "sim/purposes.h"

namespace photon::sim {

void VolumeFaults::add(std::uint32_t fault, VolumeId volume, const VolumeFault& effect) {
  PHOTON_CHECK(effect.permille >= 1000, "a slow volume is no faster than others");
  active_.push_back({fault, volume, effect, RandomStream(seed_, purpose::kVolumeFault, fault)});
}

void VolumeFaults::renew(std::uint64_t seed) {
  seed_ = seed;
  for (Active& each : active_) each.stream = RandomStream(seed, purpose::kVolumeFault, each.fault);
}

void VolumeFaults::remove(std::uint32_t fault) {
  std::erase_if(active_, [=](const Active& active) { return active.fault == fault; });
}

VolumeFaults::Hit VolumeFaults::hit_by(const Active& active, VolumeFault::Kind kind,
                                       const Request& request) {
  if (active.volume != request.volume || active.effect.kind != kind) return {};
  const std::uint64_t item = combine(request.from.value(), request.ordinal);
  const auto words = active.stream.block(item, request.life);
  if (!active.effect.share.happens(words[0])) return {};
  return {active.fault, words[1]};
}

VolumeFaults::Hit VolumeFaults::hit(VolumeFault::Kind kind, const Request& request) const {
  for (const Active& active : active_) {
    if (const Hit hit = hit_by(active, kind, request)) return hit;
  }
  return {};
}

Slowness::Stretched VolumeFaults::stretch(const Request& request, Duration usual) const {
  const Active* slowest = nullptr;
  for (const Active& active : active_) {
    if (!hit_by(active, VolumeFault::Kind::slow, request)) continue;
    if (slowest == nullptr || active.effect.permille > slowest->effect.permille) {
      slowest = &active;
    }
  }
  if (slowest == nullptr || usual <= Duration::zero()) return {usual};
  return {times_permille(usual, slowest->effect.permille), slowest->fault};
}

}  // namespace photon::sim
