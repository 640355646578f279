// Writing to stdout and stderr so that a failure to write is noticed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace photonsim::cli {

// Writes `text` to stdout and flushes it. On failure (disk full, closed pipe) says so on stderr and
// returns kEnvironment; otherwise returns `code`.
int print_and_exit_with(std::string_view text, int code);

// "photonsim: error: ..." on stderr.
void complain(std::string_view text);

// Complains of each scripted fault that had no effect (exit code kInertFault).
void complain_of_inert(const std::vector<std::string>& faults);

}  // namespace photonsim::cli
