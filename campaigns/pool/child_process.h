// A process that works for this one: what kills it kills nothing else. The two talk over a channel,
// a pair of connected sockets.
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
  // Its life, with its end of the channel; returns its exit code. What it throws ends it with
  // kInternal.
  using Work = std::function<int(int channel)>;

  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it

  // False if there is no process or no channel to be had. Requires that none runs. The parent
  // decides what Ctrl-C and the end of a terminal mean; the child ends on SIGTERM, and with its
  // parent.
  [[nodiscard]] bool start(const Work& work);
  bool is_running() const { return process_ > 0; }

  int channel() const { return channel_; }  // -1: nothing more will come
  // Appends what has come; waits for it if there is nothing. False when nothing more will come:
  // then the process must be reaped.
  bool read_some(std::string& text);
  // All of it; false if the process does not read any more.
  bool send(std::string_view text);

  void signal(int number) const;
  // Waits for its end and says how it was if it was not a good one: "died of signal 9 (Killed)",
  // "ended with code 8".
  std::string reap();
  // Ends it at once, if it runs.
  void kill();

 private:
  pid_t process_ = -1;
  int channel_ = -1;
};

inline constexpr std::uint64_t kUsualMemory = std::uint64_t{4} << 30;

// From now on this process gets at most this number of bytes of address space: what asks for more
// fails with std::bad_alloc. Under a sanitizer, which takes terabytes for itself, nothing is
// limited.
void limit_memory(std::uint64_t bytes);
// What to say when this process itself ran out of it; `limit`: bytes that --memory gave it, if any.
std::string out_of_memory(std::optional<std::uint64_t> limit);
// Why a run failed that met this limit, and what to do.
std::string memory_text(std::uint64_t bytes);

// All of it; false if that cannot be.
bool write_all(int to, std::string_view text);

// Which of them have something to be read, or have ended: their places in the list. Waits for at
// most a fifth of a second, so that the caller can look at the clock and at stop requests; then
// there may be none. Places of -1 are passed over.
std::vector<std::size_t> readable(const std::vector<int>& channels);

}  // namespace photonsim::campaigns
