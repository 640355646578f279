// Shell commands in messages, ready to be pasted.
#pragma once

#include <string>
#include <string_view>

#include "analysis/trace_files/file_error.h"

namespace photonsim::campaigns {

// `word`, quoted for a shell.
std::string shell_word(std::string_view word);

// sqlite3 FILE "SQL".
std::string sqlite_command(std::string_view file, std::string_view sql);

// What failed and what to do, with the command for that if there is one.
std::string error_text(const photon::analysis::FileError& error);

}  // namespace photonsim::campaigns
