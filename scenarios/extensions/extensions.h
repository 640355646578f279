// What a program brings instead of photonsim's own parts: its adapter, with the reference by which
// the oracles judge it, and its joiner. A scenario chooses them: joiner.adapter = "custom",
// joiner.implementation = "custom". docs/how-to/test-your-own-joiner.md.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core_impl/photon/joiner/adapter.h"
#include "core_impl/photon/joiner/joiner.h"
#include "models/reference_join.h"

namespace photonsim::scenarios {

struct Extensions {
  // Called once a run; its result serves all joiners of the run.
  std::function<std::unique_ptr<photon::Adapter>()> adapter{};
  // What the adapter must come to. It shares no code with it, or both share their errors.
  photon::models::ReferenceJoin reference{};
  // Called for each life of a joiner. The adapter outlives the joiner.
  std::function<std::unique_ptr<photon::Node>(const photon::JoinerOptions&, const photon::Adapter&)>
      joiner{};
  std::string program = "photonsim";  // for commands that repeat its runs
};

// For the whole process; runs in progress keep what they have. A campaign's workers inherit it.
void install_extensions(Extensions extensions);
const Extensions& installed_extensions();

}  // namespace photonsim::scenarios
