// Random draws of the swarm. Each part of a configuration has its own sequence, so that a new draw
// in one part leaves the others unchanged.
#pragma once

#include <cstdint>

#include "campaigns/swarm/purposes.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "scenarios/config/config.h"
#include "scenarios/faults/draws.h"

namespace photonsim::scenarios::swarm {

// The parts. Append only: the number is part of the key of each draw.
enum class Part : std::uint32_t {
  shape = 0,
  topology = 1,
  registry = 2,
  pipeline = 3,
  environment = 4,
  workload = 5,
  fault_classes = 6,
  operations = 7,
  core = 8,
  // 9: of a kind of fault (FaultGenerator::part)
  contract = 10,
  extremes = 11,
  targets = 12,
  tier = 13,
  network = 14,
  // 15: of a kind of fault
  backlog = 16,
  // 17: of a kind of fault
  ticks = 18,
  // 19: of a kind of fault
  twins = 20,
  // 21: of a kind of fault
  stamps = 22,
  // 23 to 999: of kinds of faults
  faults = 1000,       // and on: one sequence for each fault
  guided = 1'000'000,  // and on: one for each configuration of a guided search
};

// Whether a part above has this number. The compiler reports an enumerator that is missing here.
constexpr bool is_part(std::uint32_t number) {
  switch (static_cast<Part>(number)) {
    case Part::shape:
    case Part::topology:
    case Part::registry:
    case Part::pipeline:
    case Part::environment:
    case Part::workload:
    case Part::fault_classes:
    case Part::operations:
    case Part::core:
    case Part::contract:
    case Part::extremes:
    case Part::targets:
    case Part::tier:
    case Part::network:
    case Part::backlog:
    case Part::ticks:
    case Part::twins:
    case Part::stamps:
    case Part::faults:
    case Part::guided:
      return true;
  }
  return false;
}

// Parts that have one sequence per number.
constexpr bool is_numbered(Part part) { return part == Part::faults || part == Part::guided; }

class Rng : public Draws {
 public:
  Rng(std::uint64_t seed, Part part)
      : Draws({seed, campaigns::purpose::kSwarm, static_cast<std::uint32_t>(part)}) {}
  // Requires is_numbered(part): otherwise the sequence would be that of the following part.
  Rng(std::uint64_t seed, Part part, std::uint32_t number)
      : Draws({seed, campaigns::purpose::kSwarm, static_cast<std::uint32_t>(part) + number}) {
    PHOTON_CHECK(is_numbered(part), "this part of a configuration has one sequence");
    const auto next = static_cast<std::uint32_t>(Part::guided);
    PHOTON_CHECK(part != Part::faults || number < next - static_cast<std::uint32_t>(part),
                 "fewer faults than sequences for them");
  }
};

}  // namespace photonsim::scenarios::swarm
