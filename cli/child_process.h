// A process that works for this one and says on a pipe what came of it: what kills it kills nothing
// else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace photonsim::cli {

class ChildProcess {
 public:
  // Its life: writes to the pipe `to` and returns its exit code. What it throws ends it with
  // kInternal, after a word on stderr.
  using Work = std::function<int(int to)>;

  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it

  // False if there is no process or no pipe to be had. Requires that none runs. The parent decides
  // what Ctrl-C and the end of a terminal mean; the child ends on SIGTERM, and with its parent.
  [[nodiscard]] bool start(const Work& work);

  int pipe() const { return from_; }  // -1: nothing more will come
  // Appends what has come; waits for it if there is nothing. False when nothing more will come:
  // then the process must be reaped.
  bool read_some(std::string& text);

  void signal(int number) const;
  // Waits for its end and says how it was if it was not a good one: "died of signal 9 (Killed)",
  // "ended with code 8".
  std::string reap();

 private:
  pid_t process_ = -1;
  int from_ = -1;
};

inline constexpr std::uint64_t kUsualMemory = std::uint64_t{4} << 30;

// From now on this process gets no more than so many bytes of address space: what asks for more
// fails with std::bad_alloc instead of taking the machine down. Under an address sanitizer, which
// takes terabytes for itself, nothing is limited.
void limit_memory(std::uint64_t bytes);
// What is wrong with a run that ended so.
std::string memory_text(std::uint64_t bytes);

// All of it; false if that cannot be.
bool write_all(int to, std::string_view text);

// Which of them have something to be read, or have ended: their places in the list. Waits for at
// most a moment, so that the clock and signals can be looked at; then there may be none.
std::vector<std::size_t> readable(const std::vector<int>& pipes);

}  // namespace photonsim::cli
