// A check that was not made does not count as clean.
#include "analysis/trace_files/trace_file.h"
#include "tests/analysis/undecided_history.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

namespace analysis = photon::analysis;

// The verdict on a trace with one id that this number of pairs change; none of its
// answers is wrong.
Ran judged(std::uint32_t pairs) {
  analysis::testing::World world;
  world.boot();
  analysis::testing::come_and_go(world, pairs, 10);
  const Folder folder;
  const std::string file = folder.file("run.trace");
  analysis::TraceHead head;
  head.judge = world.judge.config();
  auto writer = analysis::TraceWriter::create(file, head);
  REQUIRE(writer);
  for (const auto& record : world.records) writer.assume_value()->record(record);
  REQUIRE(writer.assume_value()->finish({}));
  return run_program({"judge", file});
}

}  // namespace

TEST_CASE("J-S4 an undecided id makes the run unclean: exit code 7, and the reason") {
  const Ran decided = judged(5);
  CHECK(decided.code == 0);
  CHECK_THAT(decided.out, !Catch::Contains("undecided"));
  const Ran undecided = judged(14);
  CHECK(undecided.code == 7);
  CHECK_THAT(undecided.out, Catch::Contains("NOT CHECKED  J-S4 left 1 id undecided"));
  CHECK_THAT(undecided.err, Catch::Contains("J-S4 left 1 id undecided (1 with more than 2048 "));
}

}  // namespace photonsim::cli::testing
