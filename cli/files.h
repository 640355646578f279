// Which file a name stands for, so that no output of the program overwrites another one or an
// input.
#pragma once

#include <string>

namespace photonsim::cli {

// True if writing to one name would change what the other names: equal paths however they are
// spelled, links that lead to the same place (even if nothing is there yet), hard links.
bool same_file(const std::string& one, const std::string& other);

// True if `file` is the results file `results` or one that SQLite keeps beside it.
bool of_results(const std::string& results, const std::string& file);

// Removes what SQLite keeps beside `results`, if it is there.
void remove_companions(const std::string& results);

}  // namespace photonsim::cli
