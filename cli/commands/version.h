// The version of the model: a hash of all sources that determine results.
#pragma once

#include <string>

namespace photonsim::cli {

std::string model_version();  // 16 hexadecimal digits

}  // namespace photonsim::cli
