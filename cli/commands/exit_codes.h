// Exit codes of the program, which are those of runs and campaigns.
#pragma once

#include "campaigns/runs/exit_codes.h"

namespace photonsim::cli {

using campaigns::ExitCodeMeaning;
using campaigns::kExitCodes;
using enum campaigns::ExitCode;

}  // namespace photonsim::cli
