// A file that gets its name only when it is whole.
//
// Until then it has a name that no other file has, NAME.part-XXXXXX beside the place where it
// belongs: neither another run that writes to NAME nor a user's own file of a similar name is ever
// touched. What is not published is removed, and what had the name before still has it.
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

// Makes the folders in which that file is to be, as far as they are not there. Whatever is wrong
// with them shows when the file is made.
void make_folders_of(const std::string& file);

// "`name`: it cannot be written (why)" of the present errno.
FileError cannot_write(const std::string& name);

class DraftFile {
 public:
  // Fails at once if what has the name is a directory or must not be written. A file that is to be
  // replaced hands on its permissions. Makes the folders that it belongs into.
  static Result<DraftFile, FileError> create(const std::string& name);
  DraftFile(DraftFile&&) noexcept;
  DraftFile& operator=(DraftFile&&) noexcept;
  ~DraftFile();  // removes what has not been published

  const std::string& name() const;    // as the caller said it
  const std::string& path() const;    // what is to be written; the target if that is special
  const std::string& target() const;  // what it becomes
  std::FILE* stream() const;          // open for writing until it is published

  // All that was written is on the disk under its name, instead of what had that name. Otherwise
  // the reason, and the draft is gone. Called once.
  Result<void, FileError> replace();
  // The same if nobody has the name. False: somebody has, and the draft is gone.
  Result<bool, FileError> take_free_name();

 private:
  struct State;
  explicit DraftFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The whole text under that name, or nothing.
Result<void, FileError> write_file(const std::string& name, std::string_view text);

}  // namespace photon::analysis
