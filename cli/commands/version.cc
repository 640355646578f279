#include "cli/commands/version.h"

#include <generated/model_version.h>

namespace photonsim::cli {

// Alone includes the generated header, which changes with every source of the model.
std::string model_version() { return std::string(kModelVersion); }

}  // namespace photonsim::cli
