// sweep --shard and db merge: a study by several machines. [sample]: which keys matter.
#include <filesystem>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

namespace json = boost::json;
using Catch::Contains;

std::string base() {
  return "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
         "\"\n[set]\n\"run.duration\" = \"12s\"\n\"workload.registry.rate\" = 100\n";
}

}  // namespace

TEST_CASE("sweep: shares that are merged report what one machine reports, each run once") {
  const Folder folder;
  const std::string study = folder.write(
      "study.toml", base() +
                        "[grid]\n\"registry.shards\" = [1, 2, 4]\n[replications]\nmin = 3\n"
                        "[gates]\nexpect = \"latency.insert.p50 < 1s\"\n");
  const Ran whole = run_program({"sweep", study, "--json"});
  INFO(whole.err);
  REQUIRE(whole.code == 0);
  const std::string all = folder.file("all.db");
  Arguments merge{"db", "merge", all};
  std::uint64_t runs = 0;
  for (const std::string number : {"1", "2"}) {
    const std::string part = folder.file("part" + number + ".db");
    const Ran ran =
        run_program({"sweep", study, "--shard", number + "/2", "--out", part, "--json"});
    INFO(ran.err);
    CHECK(ran.code == 0);  // its gates are undecided, and those of the study
    CHECK_THAT(ran.err, Contains("share " + number + " of 2 is done"));
    const json::value report = json::parse(ran.out);
    CHECK(report.at("complete") == false);
    for (const json::value& point : report.at("points").as_array()) {
      runs += point.at("replications").to_number<std::uint64_t>();
    }
    merge.push_back(part);
  }
  CHECK(runs == 9);
  const Ran merged = run_program(merge);
  INFO(merged.err);
  REQUIRE(merged.code == 0);
  CHECK_THAT(merged.out, Contains("9 runs of 1 campaign copied, 0 there already"));
  CHECK_THAT(run_program(merge).out, Contains("0 runs of 0 campaigns copied, 9 there already"));
  CHECK(run_program({"db", "verify", all}).code == 0);
  const Ran ran = run_program({"sweep", study, "--out", all, "--json"});
  CHECK(ran.code == 0);
  CHECK_THAT(ran.err, Contains("9 runs of this study are there already"));
  CHECK(ran.out == whole.out);
}

TEST_CASE("sweep: a bad share, and one without a file, are refused") {
  const Folder folder;
  const std::string study = folder.write("study.toml", base());
  for (const std::string share : {"0/2", "3/2", "1", "a/b", "1/2/3", "-1/2"}) {
    CAPTURE(share);
    const Ran ran = run_program({"sweep", study, "--shard", share, "--out", folder.file("a.db")});
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, Contains("is no share; the second of eight is 2/8"));
  }
  CHECK(run_program({"sweep", study, "--shard", "1/2"}).code == 2);
  CHECK(run_program({"db", "merge", folder.file("all.db"), folder.file("none.db")}).code != 0);
}

TEST_CASE("sweep: a drawn design says which keys matter, in text and JSON") {
  const Folder folder;
  const std::string over =
      "[sample.over]\n\"disk.fsync_median\" = {from = \"1ms\", to = \"20ms\"}\n"
      "\"disk.fsync_p99\" = [\"30ms\", \"31ms\"]\n\"registry.shards\" = [1, 2]\n[answer]\n"
      "metrics = \"latency.insert.p50\"\n";
  const std::string morris =
      folder.write("morris.toml", base() + "[sample]\ndesign = \"morris\"\ntrajectories = 4\n" +
                                      over + "[replications]\nmin = 1\n");
  const Ran text = run_program({"sweep", morris});
  INFO(text.out << text.err);
  REQUIRE(text.code == 0);
  CHECK_THAT(text.out, Contains("what moves latency.insert.p50, each key from one end of its "
                                "range to the other (4 trajectories)"));
  const Ran ran = run_program({"sweep", morris, "--json"});
  const json::value report = json::parse(ran.out);
  const json::object& found = report.at("sensitivity").at(0).as_object();
  CHECK(found.at("metric") == "latency.insert.p50");
  CHECK(found.at("design") == "morris");
  CHECK(found.at("missing").is_null());
  // The disk's usual time is in every commit.
  CHECK(found.at("keys").as_object().begin()->key() == "disk.fsync_median");
  const json::value& effect = found.at("keys").at("disk.fsync_median");
  CHECK(effect.at("mu").at("mean").to_number<double>() > 0.005);
  CHECK(effect.at("mu").at("n") == 4);

  const std::string saltelli =
      folder.write("saltelli.toml", base() + "[sample]\ndesign = \"saltelli\"\nrows = 16\n" + over +
                                        "[replications]\nmin = 1\n");
  const json::value shares = json::parse(run_program({"sweep", saltelli, "--json"}).out);
  const json::value& all = shares.at("sensitivity").at(0).at("keys");
  CHECK(all.at("disk.fsync_median").at("total").at("mean").to_number<double>() > 0.8);
  CHECK(all.at("registry.shards").at("total").at("mean").to_number<double>() < 0.2);
}

}  // namespace photonsim::cli::testing
