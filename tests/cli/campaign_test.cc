// Campaigns: a failing run fails them, and they report whatever happens to their processes.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;

namespace {

// Registry alone, three of five disks lost: later requests are never answered.
std::string without_majority(const Folder& folder) {
  std::string text = included("scenarios/registry/quiet.toml") +
                     "[run]\nduration = \"5s\"\nwarm_up = \"0s\"\n[workload.registry]\nrate = 20\n";
  for (const char* datacenter : {"us-west1", "us-west2", "us-central1"}) {
    text += "[[faults.crash]]\nprocess = \"registry/0@" + std::string(datacenter) +
            "\"\nat = \"2s\"\nrestart_after = \"100ms\"\nlose_disk = true\n";
  }
  return folder.write("without_majority.toml", text);
}

// A switch that protects from duplicates is off (BC-18).
constexpr const char* kUnprotected = "registry.routing.read_after_stamp=false";

Arguments campaign(const std::vector<std::string>& scenarios, const std::string& seeds,
                   const Arguments& more = {}) {
  Arguments arguments{"fuzz"};
  arguments.insert(arguments.end(), scenarios.begin(), scenarios.end());
  arguments.insert(arguments.end(), {"--seeds", seeds, "--shrink", "0"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// A run of it takes minutes.
std::string of_hours(const Folder& folder) {
  return folder.write("of_hours.toml", included("scenarios/healthy.toml") +
                                           "[run]\nduration = \"20000s\"\n"
                                           "[workload.synthetic]\nclicks = 2000000\n");
}

// At most 20 minutes: the limit only ends hangs.
bool wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 120'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool alive(pid_t process) { return ::kill(process, 0) == 0; }

// The processes of the campaign that are in the middle of their work, `count` of them. One that has
// done a rerun and waits for the next is not counted.
std::vector<pid_t> wait_for_workers(const RunningProgram& program, std::size_t count,
                                    unsigned long used = 5) {
  std::vector<pid_t> workers;
  CHECK(wait_for([&] {
    workers = program.children();
    std::erase_if(workers, [&](pid_t each) { return used_by(each) <= used; });
    return workers.size() == count;
  }));
  return workers;
}

}  // namespace

TEST_CASE("campaign: a failing run fails the campaign, and the worst verdict decides") {
  const Folder folder;
  const std::string inert = with_inert_fault(folder);
  const std::string mute = without_majority(folder);
  const auto expect = [](const Arguments& arguments, int code) {
    const Ran ran = run_program(arguments);
    CAPTURE(arguments, ran.out, ran.err);
    CHECK(ran.code == code);
    return ran;
  };
  SECTION("none") {
    const Ran ran = expect(campaign({"scenarios/registry/campaign_five.toml"}, "1..3"), 0);
    CHECK(ran.err.empty());
    CHECK_THAT(ran.out, StartsWith("3 runs in ") && Contains(", none failed (scenarios/registry"));
  }
  SECTION("a fault without effect: 7") {
    REQUIRE(run_program({"run", inert, "--seed", "5"}).code == 7);
    const Ran ran = expect(campaign({inert}, "5..6"), 7);
    CHECK_THAT(ran.out, Contains("2 runs in ") && Contains("2 FAILED") &&
                            Contains("seed 6 (exit code 7): this fault had no "
                                     "effect: process_crash"));
    CHECK_THAT(ran.err, Contains("2 of 2 runs failed") &&
                            Contains("replay: photonsim repro " + inert + " --seed 5\n"));
  }
  SECTION("liveness: 4, also beside a fault without effect") {
    REQUIRE(run_program({"run", mute}).code == 4);
    const Ran ran = expect(campaign({inert, mute}, "1..2"), 4);
    CHECK_THAT(ran.out, Contains("exit code 7") && Contains("exit code 4"));
  }
  SECTION("safety: 3, also beside liveness") {
    const Ran ran =
        expect(campaign({mute, "scenarios/corner/BC-18.toml"}, "1..2", {"--set", kUnprotected}), 3);
    CHECK_THAT(ran.out, Contains("exit code 3") && Contains("exit code 4"));
    CHECK_THAT(ran.out, Contains("photonsim repro scenarios/corner/BC-18.toml --set " +
                                 std::string(kUnprotected) + " --seed 2\n"));
  }
}

TEST_CASE(
    "campaign: failures are listed in order, whichever process finishes first; JSON has all") {
  const Folder folder;
  const std::string first = with_inert_fault(folder);
  const Arguments arguments = campaign({first, "scenarios/registry/quiet.toml"}, "1..30",
                                       {"--set", "workload.registry.rate=5", "--json"});
  const auto with_jobs = [&](const char* jobs) {
    Arguments more = arguments;
    more.insert(more.end(), {"--jobs", jobs});
    return run_program(more);
  };
  const Ran one = with_jobs("1");
  const Ran three = with_jobs("3");
  CHECK(one.code == 7);
  CHECK(without_clock(one.out) == without_clock(three.out));
  CHECK(one.err == three.err);
  std::size_t at = 0;
  for (int seed = 1; seed < 30; seed += 2) {  // the other scenario gets the even seeds
    const std::string name = "\"seed\":" + std::to_string(seed) + ",\"exit_code\":7,";
    CAPTURE(name);
    at = one.out.find(name, at);
    CHECK(at != std::string::npos);
  }
  CHECK_THAT(one.out, Contains("\"runs\":30,\"failed\":15,") && Contains("\"end\":\"complete\"") &&
                          Contains("\"exit_code\":7,\"wall_seconds\":"));
  const Ran text = run_program(campaign({first, "scenarios/registry/quiet.toml"}, "1..30"));
  CHECK_THAT(text.out, Contains(", seed 19 (") && !Contains(", seed 21 (") &&
                           Contains("... and 5 more of " + first));
}

TEST_CASE("campaign: a run that cannot start is reported with reason, scenario, seed and replay") {
  const Folder folder;
  const std::string clicks = folder.write("clicks.csv", "click_id,query_id,t_ms\nc,,noon\n");
  const std::string set = "workload.foreign.file=" + clicks;
  const Ran alone = run_program({"run", "scenarios/trace.toml", "--set", set, "--seed", "4"});
  REQUIRE(alone.code == 2);
  const std::string junit = folder.file("junit.xml");
  const Ran ran =
      run_program(campaign({"scenarios/trace.toml"}, "4..9", {"--set", set, "--junit", junit}));
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, StartsWith(alone.err) && Contains("clicks.csv:2: 'noon' is not a time") &&
                          Contains("scenarios/trace.toml cannot be run with seed 4") &&
                          Contains("replay: photonsim repro scenarios/trace.toml --set " + set +
                                   " --seed 4\n"));
  // Nothing ran, so there is nothing to tabulate.
  CHECK(ran.out == "ABORTED after 0 runs of 6, none failed (scenarios/trace.toml, seeds 4..9)\n");
  CHECK_THAT(text_of(junit), Contains("failures=\"1\"") && Contains("name=\"the campaign\"") &&
                                 Contains("type=\"exit code 2\"") &&
                                 Contains("clicks.csv:2: 'noon' is not a time"));
}

TEST_CASE("campaign: a process that dies is a failed run; the other runs are done") {
  const Folder folder;
  const std::string scenario = of_hours(folder);
  RunningProgram program(campaign({scenario}, "11..12"));
  const std::vector<pid_t> first = wait_for_workers(program, 1);
  REQUIRE(first.size() == 1);
  ::kill(first.front(), SIGKILL);
  REQUIRE(wait_for([&] {
    const auto now = program.children();
    return now.size() == 1 && now != first;
  }));
  const std::vector<pid_t> second = wait_for_workers(program, 1);
  REQUIRE(second.size() == 1);
  ::kill(second.front(), SIGABRT);
  const Ran ran = program.wait();
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 70);
  CHECK_THAT(ran.err, Contains("2 of 2 runs failed") && Contains("died of signal 9 (Killed)"));
  CHECK_THAT(ran.err, Contains("replay: photonsim repro " + scenario + " --seed 11\n"));
  CHECK_THAT(
      ran.out,
      Contains("of_hours.toml, seed 12 (exit code 70): its process died of signal 6 (Aborted)"));
}

TEST_CASE("campaign: a run above its memory limit has failed; the others are done") {
  if (photon::testing::kSanitized) return;
  const Folder folder;
  const Ran ran = run_program(campaign({of_hours(folder), "scenarios/registry/quiet.toml"}, "1..4",
                                       {"--memory", "200MiB"}));
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 8);
  CHECK_THAT(ran.err, Contains("2 of 4 runs failed. First failure: ") &&
                          Contains("seed 1: the run was given up: it needs more memory than the "
                                   "200MiB that a process may have (--memory); "));
  CHECK_THAT(ran.out, StartsWith("4 runs in ") && Contains("2 FAILED") && Contains(", seed 3 ("));
  CHECK_THAT(ran.out, Contains(" --seed 3 --memory 200MiB\n"));  // without it that run passes
}

TEST_CASE("campaign: Ctrl-C, kill, hang-up: 128 + signal, the sums so far, no process left") {
  const Folder folder;
  const Arguments arguments =
      campaign({"scenarios/registry/quiet.toml", of_hours(folder)}, "1..4", {"--jobs", "2"});
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    RunningProgram program(arguments);
    // After so many hundredths of a second of processor time each is in one of the long runs; the
    // short ones have ended.
    const unsigned long used = photon::testing::kSanitized ? 300 : 100;
    const std::vector<pid_t> workers = wait_for_workers(program, 2, used);
    program.signal(signal);
    const Ran ran = program.wait();
    CAPTURE(ran.out, ran.err);
    CHECK(ran.code == 128 + signal);
    CHECK_THAT(ran.err, Contains("interrupted"));
    CHECK_THAT(ran.out, StartsWith("INTERRUPTED after 2 runs of 4 in ") &&
                            Contains("\n  operations  ") && !Contains("\n  generated"));
    for (const pid_t worker : workers) CHECK_FALSE(alive(worker));
  }
}

TEST_CASE("guided: Ctrl-C, kill: 128 + signal at once, also within a batch, no process left") {
  const Folder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningProgram program(campaign({of_hours(folder)}, "1..4", {"--guided", "--jobs", "2"}));
    const std::vector<pid_t> workers = wait_for_workers(program, 2);
    REQUIRE(workers.size() == 2);
    program.signal(signal);
    const Ran ran = program.wait();
    CAPTURE(signal, ran.out, ran.err);
    CHECK(ran.code == 128 + signal);
    CHECK_THAT(ran.err, Contains("interrupted; "));
    CHECK_THAT(ran.out, StartsWith("INTERRUPTED after 0 runs of 4 "));
    for (const pid_t worker : workers) CHECK_FALSE(alive(worker));
  }
}

TEST_CASE("campaign: Ctrl-C while a failure is minimized is reported, with what was left out") {
  // Minimizing it takes seconds.
  const Folder folder;
  const std::string slow =
      folder.write("slow.toml", included(without_majority(folder)) + "[run]\nduration = \"" +
                                    (photon::testing::kSanitized ? "6s" : "30s") +
                                    "\"\n[workload.registry]\nrate = 50\n");
  RunningProgram program({"fuzz", slow, "--seeds", "1..2", "--repros", folder.file("repros")});
  std::vector<pid_t> before;
  CHECK(wait_for([&] { return !(before = program.children()).empty(); }));
  // The process that runs candidates is not the one that found the failure.
  CHECK(wait_for([&] {
    const std::vector<pid_t> now = program.children();
    return now.size() == 1 && now != before;
  }));
  program.signal(SIGINT);
  const Ran ran = program.wait();
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, Contains("interrupted while failures were minimized: 2 of 2 were left out"));
  CHECK_THAT(ran.out, StartsWith("2 runs in ") && Contains("2 FAILED"));
}

TEST_CASE("campaign: a process that ignores the stop request is killed") {
  const Folder folder;
  RunningProgram program(campaign({of_hours(folder)}, "1..2", {"--jobs", "2", "--json"}));
  const std::vector<pid_t> workers = wait_for_workers(program, 2);
  REQUIRE(workers.size() == 2);
  ::kill(workers.back(), SIGSTOP);  // now SIGTERM waits
  program.signal(SIGTERM);
  const Ran ran = program.wait();
  CHECK(ran.code == 143);
  CHECK_THAT(ran.out, Contains("\"end\":\"interrupted\",\"exit_code\":143"));
  for (const pid_t worker : workers) CHECK_FALSE(alive(worker));
}

TEST_CASE("campaign: a terminal shows the progress") {
  ::setenv("TERM", "xterm", 1);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  REQUIRE(terminal >= 0);
  REQUIRE(::grantpt(terminal) == 0);
  REQUIRE(::unlockpt(terminal) == 0);
  const Folder folder;
  RunningProgram program(campaign({of_hours(folder)}, "1..3", {"--jobs", "2"}), {},
                         ::ptsname(terminal));
  std::string shown;
  CHECK(wait_for([&] {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(terminal, buffer.data(), buffer.size());
    if (got > 0) shown.append(buffer.data(), static_cast<std::size_t>(got));
    return shown.find("campaign: 0 of 3 runs ended, 0 failed") != std::string::npos;
  }));
  ::close(terminal);
}

TEST_CASE("J-H4 campaign: --require-all fails when a corner case never occurred", "[sweep]") {
  const std::vector<std::string> five{"scenarios/registry/campaign_five.toml"};
  const Ran reported = run_program(campaign(five, "1..2"));
  CHECK(reported.code == 0);
  CHECK_THAT(reported.out, Contains("never occurred") && Contains("BC-19"));
  const Ran required = run_program(campaign(five, "1..2", {"--require-all"}));
  CHECK(required.code == 7);
  CHECK_THAT(required.err, Contains("never occurred: ") && Contains("BC-19") &&
                               !Contains("BC-01") && !Contains("replay"));
  const Ran all = run_program(campaign(
      {"scenarios/registry/campaign_five.toml", "scenarios/registry/campaign_region.toml",
       "scenarios/registry/campaign_reshard.toml", "scenarios/registry/campaign_three.toml"},
      "1..60", {"--require-all"}));
  CAPTURE(all.err);
  CHECK(all.code == 0);
  CHECK_THAT(all.out, !Contains("never occurred"));
}

TEST_CASE(
    "J-H4 campaign: with pipelines corner cases are \"not counted\", which differs from none") {
  const Arguments arguments =
      campaign({"scenarios/corner/BC-17.toml"}, "1..2", {"--set", "run.corner_cases=false"});
  const auto with = [&](const char* option) {
    Arguments more = arguments;
    more.emplace_back(option);
    return run_program(more);
  };
  const Ran text = run_program(arguments);
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("generated") && Contains("Corner cases were not counted") &&
                           !Contains("BC-01") && !Contains("operations"));
  CHECK_THAT(with("--json").out,
             Contains("\"runs_that_count_corner_cases\":0,\"corner_cases\":null,"
                      "\"runs_with_corner_case\":null,\"never_occurred\":null,"));
  const Ran required = with("--require-all");
  CHECK(required.code == 2);
  CHECK(required.out.empty());
  CHECK_THAT(required.err, Contains("--require") && Contains("run.corner_cases=true"));
}

TEST_CASE("J-H4 campaign: corner cases of the pipeline are counted where a scenario requires them",
          "[sweep]") {
  const std::vector<std::string> one{"tests/mutants/scenarios/recovery.toml"};
  const auto with = [&](const std::string& names) {
    return run_program(campaign(one, "1..3", {"--set", "run.duration=40s", "--require", names}));
  };
  CHECK(with("BC-04").code == 0);
  const Ran never = with("BC-17");
  CHECK(never.code == 7);
  CHECK_THAT(never.err, Contains("never occurred: BC-17"));
  // Several in one word or two; what follows is a scenario.
  const Ran both = run_program({"fuzz", "--set", "run.duration=40s", "--require", "BC-04,BC-17",
                                "--require", "BC-16", one.front(), "--seeds", "1..3"});
  CHECK(both.code == 7);
  CHECK_THAT(both.err, Contains("never occurred: BC-16, BC-17;"));
  const Ran unknown = with("BC-99");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("--require") && Contains("'BC-99' is no corner case"));
}

TEST_CASE(
    "campaign: each scenario is run: fewer seeds are refused, too little time is a shortfall") {
  const std::string quiet = "scenarios/registry/quiet.toml";
  const std::string other = "scenarios/registry/campaign_three.toml";
  const Ran refused = run_program({"fuzz", quiet, other, quiet, "--seeds", "7..8"});
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, Contains("--seeds 7..8: 1 of the 3 scenarios would never be run") &&
                              Contains("--seeds 7..9, or fewer scenarios"));
  CHECK(run_program({"fuzz", quiet, other, "--seeds", "7..8"}).code == 0);
  const Ran late = run_program({"fuzz", quiet, other, "--seeds", "1..2", "--time", "1ns"});
  CHECK(late.code == 7);
  CHECK_THAT(late.err,
             Contains("2 scenarios were never run: ") && Contains(other + "; give more --time\n"));
}

TEST_CASE("campaign: --require-marks fails and names each mark that was never reached") {
  const std::vector<std::string> quiet{"scenarios/registry/quiet.toml"};
  const Ran reported = run_program(campaign(quiet, "1..2"));
  CHECK(reported.code == 0);
  CHECK_THAT(reported.out, Contains("marks of the code\n") && !Contains("joiner.request.copy"));
  CHECK(reported.err.empty());
  // A mark that was not reached is listed on request, without being required.
  CHECK_THAT(run_program(campaign(quiet, "1..2", {"--verbose"})).out,
             Contains("\n    never ") && Contains("joiner.request.copy"));
  // A registry alone has no joiners.
  const Ran all = run_program(campaign(quiet, "1..2", {"--require-marks"}));
  CHECK(all.code == 7);
  CHECK_THAT(all.err, Contains("never reached: ") && Contains("\n  joiner.request.copy ") &&
                          Contains(" core_impl/photon/joiner/joiner.cc:") &&
                          Contains("\n    A second copy of a request arrives, ") &&
                          !Contains("  paxos.durable.withheld ") && !Contains("exempt stalls"));
  const Ran wrong = run_program(campaign(quiet, "1..2", {"--require-marks=seldom"}));
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("--require-marks"));
}

TEST_CASE("J-H3 fuzz: in the contract tier a run fails unless damage is detected", "[sweep]") {
  const Ran ran = run_program({"fuzz", "--swarm", "--tier", "contract", "--seeds", "1..7"});
  CAPTURE(ran.out, ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, Contains("none failed") && Contains("broken assumption") &&
                          Contains("output_returns                      1         1  J-S1 1") &&
                          Contains("majority_lost                       1         1  J-P0 1") &&
                          Contains("majority_forgets                    1         1  J-S6 1"));
  // Detected damage is no measure of how rare failures are.
  CHECK_THAT(ran.out, !Contains("fewer than one in"));
  const Ran report =
      run_program({"fuzz", "--swarm", "--tier", "contract", "--seeds", "1..1", "--json"});
  CHECK_THAT(report.out, Contains(R"("broken_assumptions":{"majority_lost":{"configurations":1,)"
                                  R"("detected":1,"by":{"J-P0":1},"besides":{}}})"));
  // A scenario of that tier in which nothing is broken.
  const Folder folder;
  const std::string sound =
      folder.write("sound.toml", included("scenarios/healthy.toml") +
                                     "[scenario]\ntier = \"contract\"\nbreaks = \"nothing\"\n"
                                     "detected_by = [\"J-S1\"]\n[run]\nduration = \"40s\"\n");
  const Ran missed = run_program({"run", sound});
  CHECK(missed.code == 7);
  CHECK_THAT(missed.err, Contains("no damage was detected by J-S1"));
  const Ran found = run_program({"repro", "--swarm", "--tier", "contract", "--seed", "2"});
  CHECK(found.code == 0);
  CHECK_THAT(found.err, Contains("(output_returns) was detected by J-S1"));
}

TEST_CASE("campaign: wrong words are refused") {
  const std::vector<std::string> one{"scenarios/healthy.toml"};
  for (const char* seeds : {"1", "2..1", "-1..2", "1..x", "0..18446744073709551615"}) {
    CAPTURE(seeds);
    const Ran ran = run_program(campaign(one, seeds));
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, Contains("--seeds"));
  }
  const Ran none = run_program(campaign({"none.toml"}, "1..2"));
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("none.toml"));
}

}  // namespace photonsim::cli::testing
