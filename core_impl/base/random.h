// Counter-based random streams: Philox-4x32-10 from Random123.
//
// A draw is a pure function of (seed, purpose, entity, ordinal, attempt). Nobody's draws depend on
// the order of somebody else's, so adding a consumer or losing a message disturbs no other stream
// and two configurations can share their randomness (DESIGN 5). Values are pinned by golden tests.
#pragma once

#include <array>
#include <cstdint>

namespace photon {

// What a draw is for. Append only: the number is part of the key.
enum class Purpose : std::uint16_t {
  test = 0,
  network_delay = 1,
  network_loss = 2,
  network_duplicate = 3,
  network_reorder = 4,
  volume_service = 5,
  volume_crash = 6,
  clock = 7,
  shipping_common = 8,
  shipping_noise = 9,
  shipping_late = 10,
  workload_primary = 11,
  workload_foreign = 12,
  workload_reference = 13,
  workload_payload = 14,
  fault_plan = 15,
  component = 16,  // drawn by core components through their Context
  // 17 was never used
  benchmark = 18,
  shipping_spill = 19,
  workload_registry = 20,
  log_faults = 21,
  network_trouble = 22,
  swarm = 23,
  disk_trouble = 24,
  ties = 25,
};

class RandomStream {
 public:
  RandomStream() = default;
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t entity);

  // 128 random bits for one item. Equal arguments give equal bits, always.
  std::array<std::uint64_t, 2> block(std::uint64_t ordinal, std::uint32_t attempt = 0) const;
  std::uint64_t word(std::uint64_t ordinal, std::uint32_t attempt = 0) const {
    return block(ordinal, attempt)[0];
  }

 private:
  std::uint64_t key_ = 0;
  std::uint32_t entity_ = 0;
};

// Uniform in [0, bound), from one random word, by multiplication: no division, no rejection, bias
// below bound / 2^64. Requires bound > 0.
constexpr std::uint64_t uniform_below(std::uint64_t word, std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(word) * bound) >> 64U);
}

}  // namespace photon
