// A file that gets its name only when it is complete.
//
// Until then it has a unique name, NAME.part-XXXXXX, in the same directory: neither another run
// that writes to NAME nor a user's own file of a similar name is ever touched. An unpublished draft
// is removed, and the previous file keeps the name.
//
// Links are followed. A device or a pipe is written directly: there is no draft then, and nothing
// is ever removed or renamed.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

// The file that writing to `name` changes: links are followed, those that lead nowhere yet as well.
std::string target_of(const std::string& name);

// Makes the missing folders of that file. Errors show when the file is made.
void make_folders_of(const std::string& file);

// "`name`: it cannot be written (why)" of the present errno.
FileError cannot_write(const std::string& name);

class DraftFile {
 public:
  // Fails at once if the name is that of a directory or of a file that must not be written. A
  // replaced file passes its permissions on. Makes the missing folders.
  static Result<DraftFile, FileError> create(const std::string& name);
  DraftFile(DraftFile&&) noexcept;
  DraftFile& operator=(DraftFile&&) noexcept;
  ~DraftFile();  // removes what has not been published

  const std::string& name() const;    // as given by the caller
  const std::string& path() const;    // the file to write; the target if that is special
  const std::string& target() const;  // its final name
  std::FILE* stream() const;          // open for writing until it is published

  // The written bytes are on the disk under the name, instead of the previous file. Otherwise the
  // reason, and the draft is removed. Called once.
  Result<void, FileError> replace();
  // The same if the name is free. False: it is taken, and the draft is removed.
  Result<bool, FileError> take_free_name();

 private:
  struct State;
  explicit DraftFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The whole text under that name, or nothing.
Result<void, FileError> write_file(const std::string& name, std::string_view text);

}  // namespace photon::analysis
