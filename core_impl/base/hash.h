// Two hash functions, 64 bits each: XXH3 over bytes, and a mix over words.
//
// `hash_bytes` (XXH3) makes checksums and digests: records on disk, message bodies, trace files,
// keys of stored values. `hash_of` (the mix) places ids: shard routing (B-50), the cache ring, hash
// tables. Both are the same on all platforms, processes and versions; golden tests pin them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core_impl/base/event_id.h"

namespace photon {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// A 64-bit finaliser (the murmur3 mix): cheap, bijective. For combining words and for hash tables.
constexpr std::uint64_t mix(std::uint64_t word) {
  word ^= word >> 33U;
  word *= 0xff51afd7ed558ccdULL;
  word ^= word >> 33U;
  word *= 0xc4ceb9fe1a85ec53ULL;
  return word ^ (word >> 33U);
}

constexpr std::uint64_t combine(std::uint64_t hash, std::uint64_t word) {
  return mix(hash ^ (word + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U)));
}

constexpr std::uint64_t hash_of(const EventId& id) {
  const auto place = (std::uint64_t{id.server} << 32U) | id.process;
  return combine(mix(place), static_cast<std::uint64_t>(nanoseconds_of(id.stamp)));
}

constexpr std::uint64_t hash_of(const Token& token) {
  const auto place = (std::uint64_t{token.address} << 32U) | token.incarnation;
  return combine(mix(place), token.sequence);
}

// Function object for Boost's flat tables. Iteration order must never leak out of one.
struct Hasher {
  using is_avalanching = void;
  std::uint64_t operator()(const EventId& id) const { return hash_of(id); }
  std::uint64_t operator()(const Token& token) const { return hash_of(token); }
  std::uint64_t operator()(std::uint64_t word) const { return mix(word); }
};

}  // namespace photon
