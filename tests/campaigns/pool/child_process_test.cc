// What a worker process sends, and how its end is reported.
#include "campaigns/pool/child_process.h"

#include <csignal>
#include <new>
#include <stdexcept>
#include <vector>

#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::campaigns::testing {

namespace {

struct Heard {
  std::string text{};
  std::string how{};
};

// To its end.
Heard hear(ChildProcess& child) {
  Heard heard;
  while (readable({child.channel()}).empty() || child.read_some(heard.text)) {
  }
  heard.how = child.reap();
  return heard;
}

Heard life_of(const ChildProcess::Work& work) {
  ChildProcess child;
  REQUIRE(child.start(work));
  return hear(child);
}

}  // namespace

TEST_CASE("child process: all of its output is read, also more than the channel holds") {
  const std::string all(1'000'000, 'x');
  const Heard heard = life_of([&](int to) { return write_all(to, all) ? 0 : 1; });
  CHECK(heard.text == all);
  CHECK(heard.how.empty());
}

TEST_CASE("child process: an abnormal end is reported in words") {
  CHECK(life_of([](int) { return 8; }).how == "ended with code 8");
  const Heard killed = life_of([](int to) {
    const bool said = write_all(to, "so far");
    ::kill(::getpid(), SIGKILL);
    return said ? 0 : 1;
  });
  CHECK(killed.text == "so far");
  CHECK(killed.how == "died of signal 9 (Killed)");
  // It affects nothing that its parent has in progress.
  const Heard threw = life_of([](int) -> int { throw std::runtime_error("thrown by a test"); });
  CHECK(threw.how == "ended with code 70");
}

TEST_CASE("child process: an allocation above its limit fails, and only that") {
  if (photon::testing::kSanitized) return;
  const Heard heard = life_of([](int to) {
    limit_memory(std::uint64_t{1} << 30);
    try {
      const std::vector<char> large(std::size_t{2} << 30);
      return write_all(to, std::to_string(large.size())) ? 1 : 2;
    } catch (const std::bad_alloc&) {
      const std::vector<char> small(1 << 20);
      return write_all(to, "refused") && small.size() > 1 ? 0 : 3;
    }
  });
  CHECK(heard.how.empty());
  CHECK(heard.text == "refused");
}

TEST_CASE("child process: Ctrl-C and hang-up are left to its parent; SIGTERM ends it") {
  ChildProcess child;
  const auto work = [](int to) {
    std::raise(SIGINT);
    std::raise(SIGHUP);
    if (!write_all(to, "alive")) return 1;
    for (;;) ::pause();
  };
  REQUIRE(child.start(work));
  std::string text;
  REQUIRE(child.read_some(text));
  CHECK(text == "alive");
  child.signal(SIGTERM);
  CHECK(hear(child).how == "died of signal 15 (Terminated)");
  // A process that has ended can be started again.
  REQUIRE(child.start(work));
}

}  // namespace photonsim::campaigns::testing
