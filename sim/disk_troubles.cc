#include "sim/disk_troubles.h"

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"

namespace photon::sim {

void DiskTroubles::add(std::uint32_t fault, VolumeId volume, const DiskMishap& mishap) {
  PHOTON_CHECK(mishap.permille >= 1000, "a slow volume is no faster than others");
  troubles_.push_back({fault, volume, mishap, RandomStream(seed_, Purpose::disk_trouble, fault)});
}

void DiskTroubles::remove(std::uint32_t fault) {
  std::erase_if(troubles_, [=](const Trouble& trouble) { return trouble.fault == fault; });
}

DiskTroubles::Strike DiskTroubles::struck_by(const Trouble& trouble, DiskMishap::Kind kind,
                                             const Request& request) {
  if (trouble.volume != request.volume || trouble.mishap.kind != kind) return {};
  const std::uint64_t item = combine(request.from.value(), request.ordinal);
  const auto words = trouble.stream.block(item, request.life);
  if (!trouble.mishap.share.happens(words[0])) return {};
  return {trouble.fault, words[1]};
}

DiskTroubles::Strike DiskTroubles::strike(DiskMishap::Kind kind, const Request& request) const {
  for (const Trouble& trouble : troubles_) {
    if (const Strike strike = struck_by(trouble, kind, request)) return strike;
  }
  return {};
}

Slowness::Stretched DiskTroubles::stretch(const Request& request, Duration usual) const {
  const Trouble* slowest = nullptr;
  for (const Trouble& trouble : troubles_) {
    if (!struck_by(trouble, DiskMishap::Kind::slow, request)) continue;
    if (slowest == nullptr || trouble.mishap.permille > slowest->mishap.permille) {
      slowest = &trouble;
    }
  }
  if (slowest == nullptr || usual <= Duration::zero()) return {usual};
  return {times_permille(usual, slowest->mishap.permille), slowest->fault};
}

}  // namespace photon::sim
