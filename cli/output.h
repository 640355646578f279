// Writing to stdout, so that a failure is noticed, and to stderr, so that one does no harm.
//
// Text may come from files of others. What a terminal would obey is escaped in all that is written
// here, so no caller needs to do it.
#pragma once

#include <string>
#include <string_view>

namespace photonsim::cli {

// `text` with every control character but line ends and tabs, and every byte that is not UTF-8,
// written as "\x1b".
std::string terminal_safe(std::string_view text);

// Writes `text` to stdout, escaped, and flushes it. If the reader has closed the pipe, returns
// kClosedPipe in silence; on any other failure (disk full) says so on stderr and returns
// kEnvironment; otherwise returns `code`.
int print_and_exit_with(std::string_view text, int code);

// Writes `text` to stderr, escaped. What cannot be written there is not said: it never changes what
// the program does or what it returns.
void say(std::string_view text);

// "photonsim: error: ..." on stderr.
void complain(std::string_view text);

// Opens what is closed of the three standard streams, so that no file of a run gets the number of
// one: writing to such a stream fails.
void keep_standard_streams();

}  // namespace photonsim::cli
