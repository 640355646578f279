// Which file a name stands for, so that no output of the program overwrites another one or an
// input.
#pragma once

#include <string>

namespace photonsim::cli {

// True if writing to one name would change what the other names: equal paths however they are
// spelled, links that lead to the same place (even if nothing is there yet), hard links.
bool same_file(const std::string& one, const std::string& other);

}  // namespace photonsim::cli
