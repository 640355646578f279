// Writing to stdout with error reporting, and to stderr without.
//
// Text may come from files of others. Everything written here is escaped against terminal control
// sequences, so callers need not escape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/tables/input_fault.h"

namespace photonsim::cli {

// `text` with every control character but line ends and tabs, and every byte that is not UTF-8,
// written as "\x1b".
std::string terminal_safe(std::string_view text);

// Writes `text` to stdout, escaped, and flushes it. Returns kClosedPipe silently if the reader has
// closed the pipe; prints an error on stderr and returns kEnvironment on any other failure (disk
// full); otherwise returns `code`.
int print_and_exit_with(std::string_view text, int code);

// Writes `text` to stderr, escaped. Ignores write errors: they change neither the actions nor the
// exit code of the program.
void say(std::string_view text);

// "photonsim: error: ..." on stderr.
void complain(std::string_view text);
// "photonsim: warning: ..." for each.
void warn(const std::vector<std::string>& texts);
// Each of them, and how many there are if not all were kept.
void complain_of(const photon::models::InputFaults& faults);

// Opens closed standard streams on /dev/null, so that no file of a run gets one of their numbers;
// writing to such a stream fails.
void keep_standard_streams();

}  // namespace photonsim::cli
