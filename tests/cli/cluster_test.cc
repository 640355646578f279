// A program that a launcher started as several tasks (cli/cluster). scripts/try_mpi.sh and
// try_slurm.sh have real launchers.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "campaigns/runs/clocks.h"
#include "cli/cluster/sockets.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

using Catch::Contains;

// A variable of the environment, until the end of the test.
class TaskVariable {
 public:
  TaskVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  TaskVariable(const TaskVariable&) = delete;
  TaskVariable& operator=(const TaskVariable&) = delete;
  ~TaskVariable() { ::unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

// A caller that need not be a rank.
class Stranger {
 public:
  explicit Stranger(const Offer& offer) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(offer.port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    const timeval most{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  ~Stranger() { ::close(socket_); }

  bool say(std::string_view text) const {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) > 0;
  }
  bool is_turned_away() const {
    char byte = 0;
    const ssize_t got = ::recv(socket_, &byte, 1, 0);
    return got == 0 || (got < 0 && errno == ECONNRESET);
  }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

std::size_t let_in(RankListener& listener, std::size_t ranks, int seconds) {
  const auto connections = listener.accept(ranks, seconds);
  for (const auto& each : connections) ::close(each.channel);
  return connections.size();
}

}  // namespace

TEST_CASE("cluster: a command that shares no runs refuses to be several tasks; rank 0 speaks") {
  const TaskVariable tasks("OMPI_COMM_WORLD_SIZE", "3");
  for (const std::string rank : {"0", "2"}) {
    const TaskVariable number("OMPI_COMM_WORLD_RANK", rank);
    const Ran ran = run_program({"check", "scenarios/healthy.toml"});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    if (rank == "0") {
      CHECK_THAT(ran.err, Contains("`photonsim check` is started as 3 tasks") &&
                              Contains("sweep and fuzz share their runs"));
    } else {
      CHECK(ran.err.empty());
    }
  }
}

TEST_CASE("cluster: a share of its own, one task, and a batch script are no cluster") {
  const Arguments check{"check", "scenarios/healthy.toml"};
  const TaskVariable script("SLURM_NTASKS", "4");  // a batch script has it, and is one process
  CHECK(run_program(check).code == 0);
  const TaskVariable step("SLURM_STEP_NUM_TASKS", "4");
  CHECK_THAT(run_program(check).err, Contains("is started as 4 tasks"));
  for (const Arguments& share : {Arguments{"--shard", "1/2"}, Arguments{"--shard=1/2"}}) {
    const Ran ran = run_program(with({"sweep", "none.toml", "--out", "none.db"}, share));
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, Contains("this study file cannot be read"));
  }
}

TEST_CASE("cluster: only a caller that knows the secret is let in") {
  RankListener listener;
  const auto offer = listener.open();
  REQUIRE(offer);
  const auto read = Offer::parse(offer->text());
  REQUIRE(read);
  CHECK(read->port == offer->port);
  CHECK(read->addresses == offer->addresses);
  CHECK_FALSE(offer->addresses.empty());
  Offer stranger = *offer;
  stranger.secret = std::string(32, '0');
  const int turned_away = call_rank_0(stranger, 1);
  const int called = call_rank_0(*offer, 2);
  CHECK(turned_away >= 0);
  CHECK(called >= 0);
  const auto connections = listener.accept(2, 1);
  REQUIRE(connections.size() == 1);
  CHECK(connections.front().rank == 2);
  CHECK_FALSE(connections.front().host.empty());
  CHECK_FALSE(Offer::parse("1 x").has_value());
  CHECK_FALSE(Offer::parse("70000 x 127.0.0.1").has_value());
}

TEST_CASE(
    "cluster: a stranger that says too much, nothing, or one byte at a time holds up no rank") {
  using campaigns::WallClock;
  RankListener listener(std::chrono::milliseconds(300));
  const auto offer = listener.open();
  REQUIRE(offer);
  const Stranger silent(*offer), greedy(*offer), slow(*offer), large(*offer);
  // The lengths of a frame of 16 MiB, and of one of 4,097 bytes.
  REQUIRE(greedy.say(std::string_view("\0\0\0\1\0\0\0\0", 8)));
  REQUIRE(large.say(std::string_view("\1\20\0\0\0\0\0\0", 8)));
  std::atomic<bool> ended = false;
  std::thread bytes([&] {
    while (!ended && slow.say(std::string_view("\0", 1))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const int called = call_rank_0(*offer, 2);
  CHECK(called >= 0);
  const auto began = WallClock::now();
  CHECK(let_in(listener, 1, 60) == 1);
  CHECK(WallClock::now() - began < std::chrono::seconds(30));
  const Stranger second_silent(*offer);
  CHECK(let_in(listener, 1, 2) == 0);
  CHECK(listener.error().empty());
  for (const Stranger* each : {&silent, &greedy, &large, &slow, &second_silent}) {
    CHECK(each->is_turned_away());
  }
  ended = true;
  bytes.join();
  ::close(called);
}

TEST_CASE("cluster: a caller that goes on beyond its time is turned away, and others are not") {
  RankListener listener(std::chrono::milliseconds(300));
  const auto offer = listener.open();
  REQUIRE(offer);
  const Stranger slow(*offer);
  std::size_t said = 0;
  bool away = false;
  std::thread bytes([&] {  // a length of zeros, then of an introduction that never ends
    while (said < 3000 && !away) {
      away = !slow.say(std::string_view(said == 1 ? "\17" : "\0", 1));
      ++said;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  CHECK(let_in(listener, 1, 3) == 0);
  bytes.join();
  CHECK(away);
  CHECK(said < 140);
}

TEST_CASE("cluster: without a file for another rank, rank 0 says so and what to do") {
  RankListener listener;
  const auto offer = listener.open();
  REQUIRE(offer);
  const int called = call_rank_0(*offer, 2);
  REQUIRE(called >= 0);
  const int next = ::dup(0);
  ::close(next);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  const std::size_t ranks = let_in(listener, 1, 60);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  ::close(called);
  CHECK(ranks == 0);
  CHECK_THAT(listener.error(), Contains("rank 0 on ") && Contains("Too many open files") &&
                                   Contains("raise the limit (ulimit -n)"));
}

}  // namespace photonsim::cli::testing
