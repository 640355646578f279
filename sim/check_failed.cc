#include "sim/check_failed.h"

namespace photon::sim {

CheckFailed::CheckFailed(const CheckSite& where, std::string_view text, const Kernel& kernel,
                         ActorId actor)
    : site(where),
      message(text),
      at(kernel.now()),
      target(actor),
      event_number(kernel.events()),
      what_(std::string(where.file) + ":" + std::to_string(where.line) +
            ": check failed: " + std::string(text) + " (" + where.condition + ") at virtual time " +
            std::to_string(nanoseconds_of(at)) + " ns, actor " + std::to_string(target.value()) +
            ", event " + std::to_string(event_number)) {}

void ThrowingCheckSink::check_failed(const CheckSite& site, std::string_view message) {
  throw CheckFailed(site, message, kernel_, kernel_.current_target());
}

}  // namespace photon::sim
