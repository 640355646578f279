// Errors of files that this layer reads and writes, as values (DESIGN 8).
#pragma once

#include <string>

#include "core_impl/base/result.h"

namespace photon::analysis {

struct FileError {
  std::string file{};
  std::string cause{};   // what went wrong
  std::string remedy{};  // what the user can do
  std::string sql{};     // the statement on `file` that does it, if it is one
  bool damaged = false;  // it was a sound file once

  // "out/run.db: it cannot be written (Permission denied); choose another file with --out"
  std::string message() const { return file + ": " + cause + "; " + remedy; }
};

}  // namespace photon::analysis
