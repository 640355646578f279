// Values that oracles compute from SPEC, and the system from its own code: written here once more,
// from the words of SPEC B-50 and of the formats below, so that a mistake in the core is no
// mistake of its judge (J-H5). tests/analysis/independence_test.cc compares the two, and both with
// literal values from a script that uses neither.
//
// The one thing that both call is the xxHash library, for XXH3: not code of this project.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "core_impl/base/event_id.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

// The finaliser of MurmurHash3 for 64 bits (Appleby): x ^= x >> 33, times 0xff51afd7ed558ccd, the
// same shift, times 0xc4ceb9fe1a85ec53, the same shift.
constexpr std::uint64_t spec_mix(std::uint64_t word) {
  for (const std::uint64_t factor : {0xff51afd7ed558ccdULL, 0xc4ceb9fe1a85ec53ULL}) {
    word = (word ^ (word >> 33U)) * factor;
  }
  return word ^ (word >> 33U);
}

// One word after another: h = mix(first word); then, for each further one,
// h = mix(h ^ (word + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2))).
constexpr std::uint64_t spec_digest(std::initializer_list<std::uint64_t> words) {
  std::uint64_t hash = 0;
  bool first = true;
  for (const std::uint64_t word : words) {
    const std::uint64_t spread = word + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
    hash = spec_mix(first ? word : hash ^ spread);
    first = false;
  }
  return hash;
}

// B-50: the hash of the whole id, server and process as the halves of one word, then the stamp in
// nanoseconds; its remainder by the number of shards. Requires shards > 0.
std::uint32_t spec_shard_of(const EventId& id, std::uint32_t shards);

// What the value of a slot of the configuration group hashes to (XXH3, seed 0): one byte 1, "a
// command", then action, version, start, shards, little-endian, in 4, 8, 8 and 4 bytes.
std::uint64_t spec_value_of(const trace::ShardingApplied& applied);
// Of a slot with no value.
inline constexpr std::uint64_t kSpecNoValue = 0;

// What a snapshot states of the generations of its group (XXH3, seed 0): their number, then each by
// replica, little-endian, in 4 bytes.
std::uint64_t spec_generations(std::span<const std::uint32_t> generations);

}  // namespace photon::analysis
