#include "core_impl/base/random.h"

#include <Random123/philox.h>

#include "core_impl/base/hash.h"

namespace photon {

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t entity)
    : key_(combine(mix(seed), static_cast<std::uint64_t>(purpose))), entity_(entity) {}

std::array<std::uint64_t, 2> RandomStream::block(std::uint64_t ordinal,
                                                 std::uint32_t attempt) const {
  const r123::Philox4x32 philox;
  const r123::Philox4x32::key_type key{
      {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32U)}};
  const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(ordinal),
                                            static_cast<std::uint32_t>(ordinal >> 32U), attempt,
                                            entity_}};
  const auto out = philox(counter, key);
  return {(std::uint64_t{out[1]} << 32U) | out[0], (std::uint64_t{out[3]} << 32U) | out[2]};
}

}  // namespace photon
