// Runs the photonsim program as a user would, in a process of its own.
#pragma once

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace photonsim::cli::testing {

// A folder for the files of one test, removed with everything in it.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  // Writes a file and returns its full name.
  std::string write(std::string_view name, std::string_view text) const;
  std::vector<std::string> names() const;  // of all files, ascending

 private:
  std::string path_;
};

std::string text_of(const std::string& file);

struct Ran {
  int code = -1;  // exit code; 128 + the signal that killed it
  std::string out{};
  std::string err{};
};

using Arguments = std::vector<std::string>;

// The program while it runs. Its output goes to files, or stdout to `stdout_file`.
class RunningProgram {
 public:
  explicit RunningProgram(const Arguments& arguments, std::string stdout_file = {});
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();  // ends it

  void signal(int number) const;
  Ran wait();

 private:
  Folder folder_;
  std::string out_;
  std::string err_;
  pid_t process_ = -1;
};

Ran run_program(const Arguments& arguments, std::string stdout_file = {});

// A run of a second or less: the healthy scenario, shorter, with further arguments.
Arguments short_run(const Arguments& more = {});

// `json` without the two figures that are not the simulation's: wall time and memory.
std::string without_measurements(std::string json);

}  // namespace photonsim::cli::testing
