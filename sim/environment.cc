#include "sim/environment.h"

namespace photon::sim {

Environment::Environment(Kernel& kernel, Tap& tap, EnvironmentActor& actor)
    : kernel_(kernel), tap_(tap), actor_(actor), self_(kernel.add(*this)) {}

void Environment::wake_at(SimTime at, std::uint64_t argument) {
  kernel_.schedule(at, kernel_.environment(), self_, make_tag(EventKind::environment), argument);
}

void Environment::on_event(Kernel& kernel, const Event& event) {
  actor_.on_wake(*this, event.payload);
  kernel.witness(kernel.environment(), 0, combine(digest_, event.payload));
}

}  // namespace photon::sim
