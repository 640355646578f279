#include "cli/cluster/guard.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaigns/runs/exit_codes.h"

namespace photonsim::cli {
namespace {

using campaigns::kEnvironment, campaigns::kOk;

volatile std::sig_atomic_t program = 0;

void pass_on(int number) {
  if (program > 0) ::kill(static_cast<pid_t>(program), number);
}

// Whether all ranks were up before the channel ended.
bool heard_start(int channel) {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(channel, &byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

int guard(pid_t process, int channel, bool is_rank_0) {
  program = static_cast<std::sig_atomic_t>(process);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, pass_on);
  const bool started = heard_start(channel);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (started && !is_rank_0) return kOk;
  constexpr int kSignalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

}  // namespace

std::optional<int> guard_program(bool is_rank_0, std::function<void()>& started) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return kEnvironment;
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return kEnvironment;
  if (process > 0) {
    ::close(ends[1]);
    return guard(process, ends[0], is_rank_0);
  }
  ::close(ends[0]);
  ::setpgid(0, 0);  // signals of the launcher arrive once
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kEnvironment);
  started = [channel = ends[1]] {
    const char byte = 1;
    (void)!::write(channel, &byte, 1);
    ::close(channel);
  };
  return std::nullopt;
}

}  // namespace photonsim::cli
