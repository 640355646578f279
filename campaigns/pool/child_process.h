// A child process that isolates crashes from this one, and its channel, a pair
// of connected sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace photonsim::campaigns {

class ChildProcess {
 public:
  // Its code; gets its end of the channel and returns its exit code. An exception ends
  // it with kInternal.
  using Work = std::function<int(int channel)>;

  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it

  // Returns false if no process or channel is available. Requires that none runs. The child
  // ignores Ctrl-C and the hang-up of a terminal, which the parent handles; it ends on SIGTERM,
  // and with its parent.
  [[nodiscard]] bool start(const Work& work);
  bool is_running() const { return process_ > 0; }

  int channel() const { return channel_; }  // -1: end of data
  // Appends what has arrived; blocks if there is nothing. Returns false at the end of data: then
  // reap the process.
  bool read_some(std::string& text);
  // Sends all of it; false if the process no longer reads.
  bool send(std::string_view text);

  void signal(int number) const;
  // Waits for its end. Empty on success, otherwise how it ended: "died of signal 9 (Killed)",
  // "ended with code 8".
  std::string reap();
  // Kills it if it runs.
  void kill();

 private:
  pid_t process_ = -1;
  int channel_ = -1;
};

inline constexpr std::uint64_t kUsualMemory = std::uint64_t{4} << 30;

// Limits the address space of this process to this number of bytes; allocations above it fail with
// std::bad_alloc. No limit under a sanitizer, which reserves terabytes.
void limit_memory(std::uint64_t bytes);
// The message when this process itself is out of memory; `limit`: bytes of --memory, if given.
std::string out_of_memory(std::optional<std::uint64_t> limit);
// Why a run at this limit failed, and what to do.
std::string memory_text(std::uint64_t bytes);

// Writes all of it; false on failure.
bool write_all(int to, std::string_view text);

// Indexes of the channels that have data or have ended. Waits for at most a fifth of a second, so
// that the caller can check the clock and stop requests; the list may then be empty. Skips
// channels of -1.
std::vector<std::size_t> readable(const std::vector<int>& channels);

}  // namespace photonsim::campaigns
