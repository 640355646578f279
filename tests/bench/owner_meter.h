// Bytes handed out by the allocator, by the code that requested them: linking owner_meter.cc
// replaces the global operator new by one that inspects its callers.
//
// A block's owner is the innermost function on the stack that belongs to an owner of the table in
// owner_meter.cc: the code needs no annotation. It also replaces the recycling of blocks
// (core_impl/base): large ones are allocated and freed one by one, so that each has its own owner;
// small ones are cut from chunks and kept, and a chunk counts for the owner that needed it first.
// Needs a program that exports its symbols (ENABLE_EXPORTS).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace photon::bench {

enum class Owner : std::uint8_t {
  registry,     // replicas: ids, consensus
  volumes,      // contents of simulated disks and cells: output, journals, replicas' logs
  event_store,  // cache, map, reader
  dispatcher,
  joiner,
  logs,  // workload, shipping
  simulator,
  others,
  // The judge: evidence of the join and of the registry, the numbers of tokens, J-S4's keys,
  // latencies click by click, all other oracles and ledgers.
  judge_join,
  judge_registry,
  judge_index,
  judge_linearizable,
  judge_latency,
  judge,
};
inline constexpr std::size_t kOwners = 14;

std::string_view name_of(Owner owner);
// Live bytes by owner, including malloc's rounding but not the meter's own 16 bytes a block.
std::array<std::int64_t, kOwners> live_by_owner();

}  // namespace photon::bench
