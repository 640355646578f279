// trace: pictures of a window, and the message when there is nothing to show.
#include <filesystem>

#include "analysis/trace_files/trace_file.h"
#include "tests/analysis/trace_builder.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Names = std::vector<std::string>;

namespace {

namespace views_analysis = photon::analysis;
namespace built = photon::analysis::testing;

// Joined twice: J-S2 and others report it; the click is number 1.
std::string write_violating(const Folder& folder, const std::string& name = "bad.trace") {
  built::World world;
  world.boot();
  world.generate(1);
  world.ship_all(1);
  world.join(1, 1);
  world.wait(std::chrono::seconds(10));
  world.stored(built::kJoiner, world.output(1, world.token(built::kJoiner, 1)));
  REQUIRE(world.total() > 0);
  views_analysis::TraceHead head;
  head.scenario = "built";
  head.judge = world.judge.config();
  const std::string file = folder.file(name);
  auto writer = views_analysis::TraceWriter::create(file, head);
  REQUIRE(writer);
  for (const auto& record : world.records) writer.assume_value()->record(record);
  REQUIRE(writer.assume_value()->finish({}));
  return file;
}

// The trace of a healthy run.
std::string write_healthy(const Folder& folder) {
  const std::string file = folder.file("run.trace");
  REQUIRE(run_program(short_run({"--trace", file})).code == 0);
  return file;
}

std::string refusal_of_trace(const Arguments& arguments, int code = 2) {
  const Ran ran = run_program(arguments);
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == code);
  CHECK(ran.out.empty());
  return ran.err;
}

// A run whose clocks violate the protocol's bound: J-S5 (scenarios/corner).
const Arguments kFastClocks{"trace", "scenarios/corner/fast_clocks.toml",
                            "--set", "registry.routing.skew_bound=0s",
                            "--set", "operations.reshard.0.starts_in=700ms"};

}  // namespace

TEST_CASE(
    "trace: a page and a Perfetto trace of the window around a time; byte for byte the same "
    "again") {
  const Folder folder;
  const std::string trace = write_healthy(folder);
  const Arguments asked{"trace", trace, "--around", "12s", "--window", "4s"};
  const Ran ran = run_program(
      with(asked, {"--html", folder.file("a.html"), "--perfetto", folder.file("a.pftrace")}));
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, Catch::StartsWith("healthy, seed 1: 10s to 14s, ") &&
                          Contains("a.html: space-time diagram") &&
                          Contains("a.pftrace: Perfetto trace"));
  const std::string page = text_of(folder.file("a.html"));
  CHECK_THAT(page, Catch::StartsWith("<!DOCTYPE html>") && Contains("us-east1/joiner/0"));
  CHECK_THAT(text_of(folder.file("a.pftrace")), Contains("joiner/0") && Contains("us-east1"));
  const Ran again = run_program(
      with(asked, {"--html", folder.file("b.html"), "--perfetto", folder.file("b.pftrace")}));
  CHECK(again.code == 0);
  CHECK(text_of(folder.file("b.html")) == page);
  CHECK(text_of(folder.file("b.pftrace")) == text_of(folder.file("a.pftrace")));
  CHECK(folder.names() == Names{"a.html", "a.pftrace", "b.html", "b.pftrace", "run.trace"});
}

TEST_CASE("trace: without a time, the first violation; or the one with that number") {
  const Folder folder;
  const std::string trace = write_violating(folder);
  const Ran first = run_program({"trace", trace, "--html", folder.file("1.html")});
  INFO(first.err);
  CHECK(first.code == 0);
  CHECK_THAT(first.out, Contains("\nviolation 1 of "));
  CHECK_THAT(text_of(folder.file("1.html")), Contains("\"focus\":0"));
  CHECK(run_program({"trace", trace, "--violation", "1", "--html", folder.file("2.html")}).code ==
        0);
  CHECK(text_of(folder.file("2.html")) == text_of(folder.file("1.html")));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--violation", "99", "--html", folder.file("3")}),
             Contains("--violation 99: there are"));
  CHECK(folder.names() == Names{"1.html", "2.html", "bad.trace"});
}

TEST_CASE("trace: a scenario is run, judged, and run again for the window of its violation") {
  const Folder folder;
  const Ran ran = run_program(
      with(kFastClocks, {"--seed", "1", "--window", "200ms", "--html", folder.file("v.html")}));
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, Catch::StartsWith("fast_clocks, seed 1: ") && Contains("J-S5 at "));
  const std::string page = text_of(folder.file("v.html"));
  CHECK_THAT(page, Contains("\"oracle\":\"J-S5\"") && Contains("us-east1/sharding/0"));
  SECTION("as of the trace of the same run") {
    const std::string trace = folder.file("run.trace");
    Arguments run = kFastClocks;
    run[0] = "run";
    CHECK(run_program(with(run, {"--seed", "1", "--trace", trace})).code == 3);
    CHECK(
        run_program({"trace", trace, "--window", "200ms", "--html", folder.file("t.html")}).code ==
        0);
    CHECK(text_of(folder.file("t.html")) == page);
  }
}

TEST_CASE("trace: all about an event, and only the records of some processes") {
  const Folder folder;
  const std::string trace = write_healthy(folder);
  const std::string all = folder.file("all.html");
  REQUIRE(run_program({"trace", trace, "--around", "12s", "--html", all}).code == 0);
  const std::string page = text_of(all);
  const std::string_view before = "\"events\":[\"";
  const auto begin = page.find(before) + before.size();
  const std::string event = page.substr(begin, page.find('"', begin) - begin);
  const Ran ran = run_program({"trace", trace, "--event", event, "--html", folder.file("e.html")});
  INFO(ran.err << event);
  CHECK(ran.code == 0);
  CHECK_THAT(text_of(folder.file("e.html")), Contains("\"events\":[\"" + event + "\""));
  CHECK(run_program({"trace", trace, "--around", "12s", "--process", "us-east1/joiner", "--html",
                     folder.file("p.html")})
            .code == 0);
  CHECK_THAT(text_of(folder.file("p.html")),
             Contains("us-east1/joiner/0") && !Contains("us-west1/joiner/0"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--event", "1:2@3s", "--html", folder.file("n")}),
             Contains("no record is about this event"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--event", "click one", "--html", folder.file("n")}),
             Contains("is no event id"));
  CHECK_THAT(refusal_of_trace(
                 {"trace", trace, "--event", event, "--window", "1s", "--html", folder.file("n")}),
             Contains("--window goes with"));
}

TEST_CASE("trace: nothing to show is a usage error with a remedy") {
  const Folder folder;
  const std::string trace = write_healthy(folder);
  const std::string out = folder.file("x.html");
  CHECK_THAT(refusal_of_trace({"trace", trace, "--html", out}),
             Contains("no violation was found") && Contains("--around") && Contains("--event"));
  CHECK_THAT(
      refusal_of_trace({"trace", "scenarios/healthy.toml", "--set", "run.duration=20s", "--set",
                        "run.warm_up=2s", "--set", "workload.synthetic.clicks=50", "--html", out}),
      Contains("no violation was found"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--around", "9h", "--html", out}),
             Contains("the run ended at"));
  CHECK_THAT(
      refusal_of_trace({"trace", trace, "--around", "12s", "--process", "mars", "--html", out}),
      Contains("--process mars: there is no such process; there are ") && Contains("*/joiner, "));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--around", "12s", "--process", "us-eest1/joiner/0",
                               "--html", out}),
             Contains("did you mean us-east1/joiner/0? there are "));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--around", "12s"}),
             Contains("--html") && Contains("--perfetto"));
  for (const char* wrong : {"12", "-1s", "soon", ""}) {
    CAPTURE(wrong);
    refusal_of_trace({"trace", trace, "--around", wrong, "--html", out});
    refusal_of_trace({"trace", trace, "--around", "12s", "--window", wrong, "--html", out});
  }
  refusal_of_trace({"trace", trace, "--around", "12s", "--window", "0s", "--html", out});
  refusal_of_trace({"trace", trace, "--around", "12s", "--violation", "1", "--html", out});
  refusal_of_trace({"trace", trace, "--violation", "0", "--html", out});
  CHECK(folder.names() == Names{"run.trace"});
}

TEST_CASE("trace: an invalid trace, and options that need a scenario") {
  const Folder folder;
  const std::string out = folder.file("x.html");
  CHECK_THAT(refusal_of_trace({"trace", folder.file("none"), "--html", out}),
             Contains("cannot be read"));
  CHECK_THAT(refusal_of_trace({"trace",
                               folder.write("notes",
                                            "a long text, but it is no trace, "
                                            "and its text goes on for a while"),
                               "--html", out}),
             Contains("not a photonsim trace"));
  CHECK_THAT(refusal_of_trace({"trace", folder.file("none.toml"), "--html", out}),
             Contains("none.toml"));
  const std::string trace = write_violating(folder);
  CHECK_THAT(refusal_of_trace({"trace", trace, "--seed", "3", "--html", out}),
             Contains("--seed and --set go with a scenario"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--set", "run.seed=3", "--html", out}),
             Contains("--seed and --set go with a scenario"));
  CHECK(folder.names() == Names{"bad.trace", "notes"});
}

TEST_CASE("trace: a full disk, a place that cannot be written, one file for two") {
  const Folder folder;
  const std::string trace = write_violating(folder);
  CHECK_THAT(refusal_of_trace({"trace", trace, "--html", "/dev/full"}, 8),
             Contains("/dev/full") && Contains("No space left"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--perfetto", "/dev/full"}, 8),
             Contains("No space left"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--html", trace + "/x.html"}, 8),
             Contains("cannot be written"));
  CHECK_THAT(refusal_of_trace(
                 {"trace", trace, "--html", folder.file("x"), "--perfetto", folder.file("./x")}),
             Contains("--html") && Contains("--perfetto") && Contains("same file"));
  CHECK_THAT(refusal_of_trace({"trace", trace, "--html", trace}), Contains("this file is read"));
  CHECK(run_program({"judge", trace}).code == 3);  // it is still there
  CHECK(folder.names() == Names{"bad.trace"});
}

}  // namespace photonsim::cli::testing
