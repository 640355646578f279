// Versions of the program: its own, and that of the model, a hash of all sources that determine
// results.
#pragma once

#include <string>

namespace photonsim::cli {

std::string model_version();  // 16 hexadecimal digits
// One line: version, commit, model, compiler.
std::string version_text();

}  // namespace photonsim::cli
