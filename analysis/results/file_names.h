// File identity: prevents that an output overwrites an input or another output.
#pragma once

#include <string>

namespace photon::analysis {

// True if writing to one name would change the file of the other: equal paths in any spelling,
// links to the same place (even if it does not exist yet), hard links.
bool same_file(const std::string& one, const std::string& other);

// True if `file` is the results file `results` or one that SQLite keeps beside it.
bool of_results(const std::string& results, const std::string& file);

// Removes the files that SQLite keeps beside `results`, if any.
void remove_companions(const std::string& results);

}  // namespace photon::analysis
