// A scenario file. Includes are searched among the scenarios of the tree.
#include "tests/fuzz/scenario_checks.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {

Outcome scenario_text(std::span<const std::byte> bytes) {
  return check_loaded(
      photonsim::scenarios::load_text(text_of(bytes), "scenarios/from_the_fuzzer.toml"));
}

}  // namespace photon::fuzz
