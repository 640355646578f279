// Writing to stdout, so that a failure is noticed, and to stderr, so that one does no harm.
#pragma once

#include <string>
#include <string_view>

namespace photonsim::cli {

// Writes `text` to stdout and flushes it. On failure (disk full, closed pipe) says so on stderr and
// returns kEnvironment; otherwise returns `code`.
int print_and_exit_with(std::string_view text, int code);

// Writes `text` to stderr. What cannot be written there is not said: it never changes what the
// program does or what it returns.
void say(std::string_view text);

// "photonsim: error: ..." on stderr.
void complain(std::string_view text);

// Opens what is closed of the three standard streams, so that no file of a run gets the number of
// one: writing to such a stream fails.
void keep_standard_streams();

}  // namespace photonsim::cli
