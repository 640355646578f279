#include "cli/version.h"

#include <generated/model_version.h>

namespace photonsim::cli {

// The one place that includes the generated header: it changes with every source of the model.
std::string model_version() { return std::string(kModelVersion); }

}  // namespace photonsim::cli
