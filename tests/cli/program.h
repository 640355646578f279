// Runs the photonsim program as a user would, in a process of its own.
#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "tests/support/temporary_folder.h"

namespace photonsim::cli::testing {

using Folder = photon::testing::TemporaryFolder;

std::string text_of(const std::string& file);

struct Ran {
  int code = -1;  // exit code; 128 + the signal that killed it
  std::string out{};
  std::string err{};  // without `progress`
  // Lines of stderr about progress: a slow machine has some, a fast one none.
  std::string progress{};
};

// Removes the lines about progress (cli/commands/progress.h) from stderr's text, and returns them.
std::string take_progress(std::string& err);

using Arguments = std::vector<std::string>;

enum class ProcessGroup : std::uint8_t { of_the_test, its_own };

// The program while it runs. Its output goes to files, or stdout to `stdout_file` and stderr to
// `stderr_file`; if that is the empty name, stderr is closed.
class RunningProgram {
 public:
  explicit RunningProgram(const Arguments& arguments, std::string stdout_file = {},
                          std::optional<std::string> stderr_file = {},
                          ProcessGroup group = ProcessGroup::of_the_test);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();  // ends it

  pid_t process() const { return process_; }
  std::vector<pid_t> children() const;
  void signal(int number) const;
  void signal_group(int number) const;  // the program and its children; requires its own group
  Ran wait();

 private:
  Folder folder_;
  std::string out_;
  std::string err_;
  pid_t process_ = -1;
};

// Hundredths of a second of processor time that the process has used.
unsigned long used_by(pid_t process);

// The line of a scenario that includes that file.
std::string included(const std::string& file);
// A scenario of a registry alone with a fault that has no effect (exit code 7): the second crash
// hits a process that is already down.
std::string with_inert_fault(const Folder& folder);

// A scenario, "mute", of a registry alone that loses a majority of its disks, so that its requests
// are never answered (exit code 4).
std::string never_answered(const Folder& folder);

Ran run_program(const Arguments& arguments, std::string stdout_file = {});

// A run of a second or less: the healthy scenario, shorter, with further arguments.
Arguments short_run(const Arguments& more = {});

// `arguments` and then `more`.
Arguments with(Arguments arguments, const Arguments& more);

// The report of a campaign without wall times and the number of runs done before: two lines of the
// text, some values of JSON.
std::string without_clock(const std::string& report);

// `json` without the two figures that the simulation does not determine: wall time and memory.
std::string without_measurements(std::string json);
// Also without what a trace does not hold: the counts of the network and of the volumes.
std::string without_environment(std::string json);

}  // namespace photonsim::cli::testing
