// Wrong input and full disks: an exit code, and a message that names place and remedy.
#include <filesystem>

#include <boost/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;

namespace {

// The run must refuse; returns its message.
std::string refusal(const Arguments& arguments, int code = 2) {
  const Ran ran = run_program(arguments);
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == code);
  CHECK(ran.out.empty());
  return ran.err;
}

Arguments with_tables(const Folder& folder, std::string_view queries, std::string_view clicks) {
  return {"run",   "scenarios/trace.toml",
          "--set", "workload.primary.file=" + folder.write("queries.csv", queries),
          "--set", "workload.foreign.file=" + folder.write("clicks.csv", clicks)};
}

}  // namespace

TEST_CASE("a scenario that cannot be read") {
  const Folder folder;
  for (const char* verb : {"run", "check"}) {
    CHECK_THAT(refusal({verb, folder.file("none.toml")}), Contains("none.toml"));
    CHECK_THAT(refusal({verb, folder.file("")}), Contains("directory"));
    const std::string malformed = folder.write("malformed.toml", "[run]\nduration = = 3\n");
    CHECK_THAT(refusal({verb, malformed}), Contains("malformed.toml:2"));
    const std::string unknown = folder.write("unknown.toml", "[run]\nduratoin = \"3s\"\n");
    CHECK_THAT(refusal({verb, unknown}),
               Contains("unknown.toml:2") && Contains("duratoin") && Contains("duration"));
    const std::string negative = folder.write("negative.toml", "[run]\nduration = \"-3s\"\n");
    CHECK_THAT(refusal({verb, negative}), Contains("negative.toml:2") && Contains("duration"));
  }
  CHECK_THAT(refusal({"run", "scenarios/healthy.toml", "--set", "run.duratoin=3s"}),
             Contains("duratoin"));
}

TEST_CASE("B-01 three replicas of the registry in one region are refused") {
  const Ran base = run_program({"check", "scenarios/healthy.toml"});
  REQUIRE(base.code == 0);
  const Folder folder;
  std::string text = base.out;
  for (std::size_t at = 0; (at = text.find("region = \"", at)) != std::string::npos;) {
    at += std::string_view("region = \"").size();
    text.replace(at, text.find('"', at) - at, "one");
  }
  CHECK_THAT(refusal({"check", folder.write("one_region.toml", text)}), Contains("region"));
}

TEST_CASE("--seed takes the whole numbers of 64 bits, and nothing else") {
  for (const char* wrong : {"-1", "+1", "18446744073709551616", "99999999999999999999", "1.5",
                            "1e3", "0x10", "seven", " 1", "1 ", ""}) {
    CAPTURE(wrong);
    const std::string said = refusal(short_run({std::string("--seed=") + wrong}));
    CHECK_THAT(said, Contains("--seed"));
    if (*wrong != '\0') CHECK_THAT(said, Contains("from 0 to 18446744073709551615"));
  }
  CHECK_THAT(refusal(short_run({"--seed", "-1"})), Contains("--seed"));
  for (const char* right : {"0", "18446744073709551615"}) {
    const Ran ran = run_program(short_run({"--seed", right, "--json"}));
    CHECK(ran.code == 0);
    CHECK_THAT(ran.out, Contains(std::string("\"seed\":") + right + ","));
  }
  // Decimal, whatever the leading digits.
  CHECK_THAT(run_program(short_run({"--seed", "010", "--json"})).out, Contains("\"seed\":10,"));
}

TEST_CASE("faults of a click log are reported together, with file and line") {
  const Folder folder;
  const std::string said =
      refusal(with_tables(folder, "query_id,t_ms\nq1,1\nq1,2\nq2\nq3,9223372036854775\n",
                          "click_id,query_id,t_ms\nc1,q1,3\nc1,q1,4\nc2,q1,noon\n"));
  CHECK_THAT(said, Contains("queries.csv:3: the id 'q1' stands already in line 2"));
  CHECK_THAT(said, Contains("queries.csv:4: 1 field "));
  CHECK_THAT(said, Contains("queries.csv:5: the time '9223372036854775' is out of range"));
  CHECK_THAT(said, Contains("clicks.csv:3: the id 'c1' stands already in line 2"));
  CHECK_THAT(said, Contains("clicks.csv:4: 'noon' is not a time"));
  CHECK_THAT(refusal(with_tables(folder, "query_id,t_ms,t_ms\nq,1,2\n",
                                 "click_id,query_id,t_ms\nc,q,3\n")),
             Contains("queries.csv:1: the header names the column 't_ms' twice"));
}

TEST_CASE("of many faults of a log the first 20 are shown, and how many there are; none garbles") {
  const Folder folder;
  std::string queries = "query_id,t_ms\nq1,1\n";
  for (int i = 0; i < 33; ++i) queries += "q1,1\n";
  const auto tables = with_tables(folder, queries, "click_id,query_id,t_ms\nc1,q1,3\n");
  const std::string said = refusal(tables);
  CHECK_THAT(said, Contains("queries.csv:22: the id 'q1'") && !Contains("queries.csv:23"));
  CHECK_THAT(said, Contains("these are the first 20 of 33 faults"));
  const auto escapes = with_tables(folder, "query_id,t_ms\n\"q\n\x1B[2J\",1\n\"q\n\x1B[2J\",1\n",
                                   "click_id,query_id,t_ms\nc1,,3\n");
  CHECK_THAT(refusal(escapes), Contains("stands already") && !Contains("\x1B"));
}

TEST_CASE("judge: an invalid trace is refused") {
  const Folder folder;
  CHECK_THAT(refusal({"judge", folder.file("none")}), Contains("No such file"));
  CHECK_THAT(refusal({"judge", folder.file("")}), Contains("directory"));
  CHECK_THAT(refusal({"judge", folder.write("text", std::string(500, 'x'))}),
             Contains("not a photonsim trace"));
}

TEST_CASE("a full disk is detected for results, trace and stdout") {
  CHECK_THAT(refusal(short_run({"--trace", "/dev/full"}), 8),
             Contains("/dev/full") && Contains("No space left"));
  CHECK_THAT(refusal(short_run({"--out", "/dev/full"}), 8), Contains("/dev/full"));
  const Ran ran = run_program(short_run({"--json"}), "/dev/full");
  CHECK(ran.code == 8);
  CHECK_THAT(ran.err, Contains("standard output cannot be written"));
}

TEST_CASE("help and version fail on a full disk") {
  CHECK(run_program({"--help"}, "/dev/full").code == 8);
  CHECK(run_program({"run", "--help"}, "/dev/full").code == 8);
  CHECK(run_program({"--version"}, "/dev/full").code == 8);
}

TEST_CASE("a stderr that cannot be written, or is closed, changes no verdict") {
  const Folder folder;
  const std::string trace = folder.file("t");
  const std::string scenario = folder.write("inert.toml", R"(
include = [")" + std::filesystem::absolute("scenarios/healthy.toml").string() +
                                                              R"("]
[[faults.crash]]
process = "us-east1/joiner/0"
at = "5s"
restart_after = "5s"
[[faults.crash]]
process = "us-east1/joiner/0"
at = "6s"
restart_after = "1s"
)");
  const Arguments inert{"run",    scenario,         "--set", "run.duration=20s",
                        "--set",  "run.warm_up=2s", "--set", "workload.synthetic.clicks=50",
                        "--json", "--trace",        trace};
  for (const char* standard_error : {"/dev/full", ""}) {
    CAPTURE(standard_error);
    const auto run = [&](const Arguments& arguments) {
      return RunningProgram(arguments, {}, standard_error).wait();
    };
    const Ran ran = run(inert);
    CHECK(ran.code == 7);
    CHECK_THAT(ran.out, Contains("\"fingerprint\""));
    CHECK(run({"judge", trace}).code == 7);  // so nothing was written into it by mistake
    CHECK(run({"run", folder.file("none.toml")}).code == 2);
    CHECK(run({"check", folder.file("none.toml")}).code == 2);
    CHECK(run({"explain", "registry.leese"}).code == 2);
    CHECK(run({"fly"}).code == 2);
  }
}

TEST_CASE("an empty file name is refused") {
  CHECK_THAT(refusal(short_run({"--out", ""})), Contains("--out") && Contains("empty"));
  CHECK_THAT(refusal(short_run({"--trace", ""})), Contains("--trace") && Contains("empty"));
}

TEST_CASE("outputs that cannot be created are refused before the run") {
  const Folder folder;
  folder.write("plain", "a file is no folder");
  for (const char* option : {"--out", "--trace"}) {
    CAPTURE(option);
    CHECK_THAT(refusal(short_run({option, folder.file("plain/x/y")}), 8),
               Contains("plain/x/y: it cannot be written (Not a directory)"));
    CHECK_FALSE(refusal(short_run({option, folder.file("")}), 8).empty());
  }
  CHECK(folder.names() == std::vector<std::string>{"plain"});
}

TEST_CASE("folders of outputs are created by every command that writes them") {
  const Folder folder;
  const std::string results = folder.file("a/b/results.db");
  const std::string trace = folder.file("c/d/run.trace");
  CHECK(run_program(short_run({"--out", results, "--trace", trace})).code == 0);
  CHECK(run_program({"export", results, folder.file("e/f/out.csv")}).code == 0);
  CHECK(run_program({"trace", trace, "--around", "5s", "--html", folder.file("g/h.html"),
                     "--perfetto", folder.file("i/j.pftrace")})
            .code == 0);
  const Arguments campaign{"fuzz", "scenarios/registry/quiet.toml", "--seeds", "1..1"};
  CHECK(run_program(with(campaign, {"--out", folder.file("k/l/results.db"), "--junit",
                                    folder.file("m/junit.xml")}))
            .code == 0);
  for (const char* file : {"a/b/results.db", "c/d/run.trace", "e/f/out.csv", "g/h.html",
                           "i/j.pftrace", "k/l/results.db", "m/junit.xml"}) {
    CHECK(std::filesystem::exists(folder.file(file)));
  }
}

TEST_CASE("run: one that fails names the gates that it misses too; its own code counts") {
  const Folder folder;
  const Ran ran = run_program(
      {"run", with_inert_fault(folder), "--expect", "load.mean_batch > 1000", "--json"});
  INFO(ran.err);
  CHECK(ran.code == 7);
  CHECK_THAT(ran.err, Catch::Contains("--expect `load.mean_batch > 1000` is not met"));
  const boost::json::value report = boost::json::parse(ran.out);
  CHECK(report.at("exit_code") == 7);
  CHECK(report.at("missed_gates").as_array().size() == 1);
  // Its results file keeps it as one that failed.
  const std::string file = folder.file("r.db"), runs = folder.file("runs.csv");
  run_program(
      {"run", with_inert_fault(folder), "--expect", "load.mean_batch > 1000", "--out", file});
  REQUIRE(run_program({"export", "--runs", file, runs}).code == 0);
  CHECK_THAT(text_of(runs), Catch::Contains(",shortfall,complete,7,"));
}

}  // namespace photonsim::cli::testing
