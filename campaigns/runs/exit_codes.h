// The exit codes of the program and of runs (DESIGN 7); `photonsim explain exit-codes` prints them.
#pragma once

#include <array>
#include <string_view>

#include "analysis/reports/verdict.h"

namespace photonsim::campaigns {

enum ExitCode : int {
  kOk = photon::analysis::kPassed.exit_code,
  kGateMissed = 1,  // a stated expectation of a figure is not met
  kUsage = 2,       // command line, scenario or input file
  kSafetyViolation = photon::analysis::kUnsafe.exit_code,
  kLivenessViolation = photon::analysis::kNotLive.exit_code,
  kNotDeterministic = photon::analysis::kDiffered.exit_code,
  kIncomplete = 6,  // a campaign with fewer runs than requested; it can be resumed
  kInertFault = photon::analysis::kFellShort.exit_code,
  // Disk full, file not writable; a run over its limit of memory or time.
  kEnvironment = photon::analysis::kOverLimit.exit_code,
  kInternal = photon::analysis::kCheckFailed.exit_code,
  kHungUp = 129,
  kInterrupted = 130,
  kClosedPipe = 141,
  kTerminated = 143,
};

struct ExitCodeMeaning {
  int code = 0;
  std::string_view text{};
};

// In at most 74 columns each.
inline constexpr std::array<ExitCodeMeaning, 14> kExitCodes{{
    {kOk, "everything that was asked for was done, and nothing failed"},
    {kGateMissed, "a figure does not surely meet what --expect, a gate or a claim states"},
    {kUsage, "wrong command line, scenario or input file, or nothing to draw"},
    {kSafetyViolation, "a safety invariant was violated"},
    {kLivenessViolation, "something that must happen in the end did not happen"},
    {kNotDeterministic, "a repeated run diverged"},
    {kIncomplete, "fewer runs than asked for: resume it; or a study missed its precision"},
    {kInertFault, "a fault had no effect, a check was not made, or coverage is missing"},
    {kEnvironment, "disk full, file not writable, out of memory, a run over its limits"},
    {kInternal, "a check of the code failed, or a worker process died"},
    {kHungUp, "stopped because its terminal was closed (SIGHUP)"},
    {kInterrupted, "stopped by Ctrl-C (SIGINT)"},
    {kClosedPipe, "the reader of standard output closed it, as `| head` does"},
    {kTerminated, "stopped by kill (SIGTERM)"},
}};

}  // namespace photonsim::campaigns
