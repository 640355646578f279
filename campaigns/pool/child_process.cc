#include "campaigns/pool/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaigns/runs/exit_codes.h"
#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

constexpr int kPollMilliseconds = 200;  // bound on the reaction to a signal or a deadline

int live(const ChildProcess::Work& work, pid_t parent, int to) {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);              // dies with its parent
  if (::getppid() != parent) return kEnvironment;  // the parent died before that
  try {
    return work(to);
  } catch (const std::exception&) {  // must not unwind into the parent's code
    return kInternal;
  }
}

}  // namespace

ChildProcess::~ChildProcess() { kill(); }

void ChildProcess::kill() {
  if (process_ <= 0) return;
  signal(SIGKILL);
  reap();
}

bool ChildProcess::start(const Work& work) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return false;
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[0]);
    ::_exit(live(work, parent, ends[1]));
  }
  ::close(ends[1]);
  if (process_ < 0) {
    ::close(ends[0]);
    return false;
  }
  channel_ = ends[0];
  return true;
}

bool ChildProcess::read_some(std::string& text) {
  std::array<char, 1 << 16> buffer{};
  const ssize_t got = ::read(channel_, buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

bool ChildProcess::send(std::string_view text) { return write_all(channel_, text); }

void ChildProcess::signal(int number) const {
  if (process_ > 0) ::kill(process_, number);
}

std::string ChildProcess::reap() {
  if (channel_ >= 0) ::close(channel_);
  channel_ = -1;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) {
    return fmt::format("died of signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  const int code = WEXITSTATUS(status);
  return code == 0 ? std::string() : fmt::format("ended with code {}", code);
}

void limit_memory(std::uint64_t bytes) {
  if (kSanitized) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  ::setrlimit(RLIMIT_AS, &limit);
}

std::string out_of_memory(std::optional<std::uint64_t> limit) {
  return limit ? fmt::format(
                     "out of memory: the run needs more than the {} of --memory, and nothing of it "
                     "was kept; allow more, or lower run.duration or the workload's rate",
                     scenarios::format_bytes(*limit))
               : std::string(
                     "out of memory: the machine, or a limit of its user (ulimit -v), gives no "
                     "more; free some, or lower run.duration or the workload's rate");
}

std::string memory_text(std::uint64_t bytes) {
  return fmt::format(
      "the run was given up: it needs more memory than the {} that a process may have (--memory); "
      "allow more if the configuration is that large, otherwise something in it grows without end",
      scenarios::format_bytes(bytes));
}

bool write_all(int to, std::string_view text) {
  while (!text.empty()) {
    // A dead peer is a result; do not raise SIGPIPE.
    const ssize_t written = ::send(to, text.data(), text.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::vector<std::size_t> readable(const std::vector<int>& channels) {
  std::vector<pollfd> waited;  // poll ignores negative ones
  for (const int channel : channels) waited.push_back({channel, POLLIN, 0});
  std::vector<std::size_t> found;
  if (::poll(waited.data(), waited.size(), kPollMilliseconds) <= 0) return found;
  for (std::size_t i = 0; i < waited.size(); ++i) {
    if (waited[i].revents != 0) found.push_back(i);
  }
  return found;
}

}  // namespace photonsim::campaigns
