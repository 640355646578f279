// Bytes handed out by the allocator, by who asked for them: linking owner_meter.cc replaces the
// global operator new by one that looks who is calling.
//
// A block's owner is the innermost function on the stack that belongs to somebody of the table in
// owner_meter.cc: the code is asked, not told. It also stands in for the recycling of blocks
// (core_impl/base): large ones come and go one by one, so that each has its own owner; small ones
// are cut from chunks and kept, and a chunk counts as of whoever needed it first. Needs a program
// that exports its symbols (ENABLE_EXPORTS).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace photon::bench {

enum class Owner : std::uint8_t {
  registry,     // replicas: ids, consensus
  volumes,      // what simulated disks and cells hold: output, journals, replicas' logs
  judge,        // evidence, oracles
  event_store,  // cache, map, reader
  dispatcher,
  joiner,
  logs,  // workload, shipping
  simulator,
  others,
};
inline constexpr std::size_t kOwners = 9;

std::string_view name_of(Owner owner);
// Live bytes by owner, malloc's rounding included, the meter's own 16 bytes a block not.
std::array<std::int64_t, kOwners> live_by_owner();

}  // namespace photon::bench
