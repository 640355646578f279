// Versions of the program: its own, and that of the model, a hash of all sources that determine
// results.
#pragma once

#include <string>

namespace photonsim::cli {

// 16 hexadecimal digits. Of a program with an adapter or joiner of its own: the hash of all of it.
std::string model_version();
// One line: version, commit, model, compiler.
std::string version_text();

}  // namespace photonsim::cli
