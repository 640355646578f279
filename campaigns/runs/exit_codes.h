// Exit codes of the program (DESIGN 7): what a run has come to, and what else can be. Campaigns say
// by the same codes how they and their runs ended.
#pragma once

#include "analysis/reports/verdict.h"

namespace photonsim::campaigns {

enum ExitCode : int {
  kOk = photon::analysis::kPassed.exit_code,
  kUsage = 2,  // command line or scenario
  kSafetyViolation = photon::analysis::kUnsafe.exit_code,
  kLivenessViolation = photon::analysis::kNotLive.exit_code,
  kNotDeterministic = photon::analysis::kDiffered.exit_code,
  kInertFault = photon::analysis::kFellShort.exit_code,
  // Disk full, file not writable; a run that needs more memory or time than it may have.
  kEnvironment = photon::analysis::kOverLimit.exit_code,
  kInternal = photon::analysis::kCheckFailed.exit_code,
  kInterrupted = 130,
};

}  // namespace photonsim::campaigns
