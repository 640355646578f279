// Failed checks of a run that come from outside its simulation.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/world/runner.h"

namespace photonsim::scenarios {

inline FailedCheck failed_check(const photon::CheckSite& site, std::string_view message) {
  return {.site = fmt::format("{}:{}", site.file, site.line),
          .message = fmt::format("{} ({})", message, site.condition)};
}

// A check that failed while no simulation was running: while the run was built or judged.
struct OutsideCheckFailed {
  FailedCheck check;
};

// Ends the run instead of the program. While the simulation runs, its own sink stands in front.
class OutsideCheckSink final : public photon::CheckSink {
 public:
  [[noreturn]] void check_failed(const photon::CheckSite& site, std::string_view message) override {
    FailedCheck failed = failed_check(site, message);
    failed.text =
        fmt::format("{}: check failed: {} outside the simulation", failed.site, failed.message);
    throw OutsideCheckFailed{std::move(failed)};
  }
};

}  // namespace photonsim::scenarios
