// Exit codes of the photonsim program (DESIGN 7): what a run has come to, and what else can be.
#pragma once

#include "analysis/reports/verdict.h"

namespace photonsim::cli {

enum ExitCode : int {
  kOk = photon::analysis::kPassed.exit_code,
  kUsage = 2,  // command line or scenario
  kSafetyViolation = photon::analysis::kUnsafe.exit_code,
  kLivenessViolation = photon::analysis::kNotLive.exit_code,
  kNotDeterministic = photon::analysis::kDiffered.exit_code,
  kInertFault = photon::analysis::kFellShort.exit_code,
  kEnvironment = 8,  // disk full, file not writable
  kInternal = photon::analysis::kCheckFailed.exit_code,
  kInterrupted = 130,
};

}  // namespace photonsim::cli
