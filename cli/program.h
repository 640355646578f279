// The whole program as a function, so that another project's program has all verbs, with its own
// adapter or joiner in them: docs/how-to/test-your-own-joiner.md.
#pragma once

#include "scenarios/extensions/extensions.h"

namespace photonsim::cli {

// main() of photonsim. Returns the exit code; refuses an adapter without a reference.
int run_program(int argc, char** argv, scenarios::Extensions extensions = {});

}  // namespace photonsim::cli
