// A program that a launcher started as several tasks (cli/cluster). scripts/try_mpi.sh and
// try_slurm.sh have real launchers.
#include <cstdlib>
#include <string>
#include <utility>

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

}  // namespace photonsim::cli::testing
