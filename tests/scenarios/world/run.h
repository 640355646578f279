// Runs a scenario in a test, with overrides, and returns the outcome or fails the
// test with reasons.
#pragma once

#include <string>
#include <vector>

#include "scenarios/world/runner.h"

namespace photonsim::tests {

struct Ran {
  scenarios::RunOutcome outcome{};
  std::string json{};    // without wall time and memory
  std::string replay{};  // the command that repeats this run
};

// `trace` may be null.
Ran run(const std::string& scenario, std::uint64_t seed,
        const std::vector<std::string>& overrides = {}, photon::trace::Sink* trace = nullptr);

// The run is clean: no violation, no failed check, no fault without effect, no process that
// died by itself.
void require_clean(const Ran& ran);

// Lost clicks of all classes together.
std::uint64_t lost(const Ran& ran);
std::uint64_t lost_by(const Ran& ran, const std::string& name);
std::uint64_t never_joinable_by(const Ran& ran, const std::string& name);

}  // namespace photonsim::tests
