// A claim of a publication that a study checks: [[claim]] in a study file.
//
//   [[claim]]
//   id = "G-10"
//   level = "M"
//   says = "6 to 12 transactions a second from hundreds of requests"
//   source = "Photon, section 4.3, Fig 10"
//   figure = "registry.transactions / load.seconds"
//   at = ["workload.registry.rate == 500"]   # every point that meets it; not stated: all points
//   beside = ["registry.max_batch_operations == 1"]   # the figure is divided by that of this point
//   band = {from = 6, to = 12}               # fixed before the first run
//   fixed = "one registry thread, no minimum batch size, three of five replicas"
//   open = "time of a disk, depth of the pipeline"
//
// A claim of level X has a `reason` in place of a figure: nothing here can reproduce it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/studies/condition.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

// How much of it can be claimed (SPEC G-00a).
enum class ClaimLevel : std::uint8_t {
  exact,       // E: by analysis
  mechanism,   // M: follows from the algorithm and its fixed parameters
  calibrated,  // C: depends on inputs that the publication does not give
  trend,       // T: its direction alone
  refused,     // X: cannot be reproduced here
};
// "E", "M", "C", "T", "X", in the order of the enumeration.
inline constexpr std::array<std::string_view, 5> kClaimLevels{"E", "M", "C", "T", "X"};
constexpr std::string_view letter_of(ClaimLevel level) {
  return kClaimLevels[static_cast<std::size_t>(level)];
}

struct Claim {
  std::string id{};
  ClaimLevel level = ClaimLevel::exact;
  std::string says{};
  std::string source{};
  std::string figure{};                      // as it is written; empty: refused
  std::vector<Condition::Factor> factors{};  // of it
  std::vector<Condition> at{};               // on keys
  std::vector<Condition> beside{};           // the same; of one point
  std::optional<double> from{}, to{};        // the band: both ends belong to it
  std::string fixed{};                       // what the publication fixes
  std::string open{};                        // what it leaves open
  std::string reason{};                      // of a refusal, or of what the band is
  scenarios::Place place{};                  // in the study file
};

}  // namespace photonsim::campaigns
