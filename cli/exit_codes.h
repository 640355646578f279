// Exit codes of the photonsim program (DESIGN 7).
#pragma once

namespace photonsim::cli {

enum ExitCode : int {
  kOk = 0,
  kUsage = 2,  // command line or scenario
  kSafetyViolation = 3,
  kLivenessViolation = 4,
  kNotDeterministic = 5,  // the same run twice was not the same
  kInertFault = 7,        // something that was asked for did not happen, or was not checked
  kEnvironment = 8,       // disk full, file not writable
  kInternal = 70,
  kInterrupted = 130,
};

}  // namespace photonsim::cli
