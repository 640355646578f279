// plan, sweep and --expect, as scripts use them.
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::cli::testing {
namespace {

namespace json = boost::json;
using Catch::Contains;

std::string quiet() { return std::filesystem::absolute("scenarios/registry/quiet.toml").string(); }

// Of short runs; with `more` lines.
std::string study(const Folder& folder, const std::string& more, int replications = 3) {
  return folder.write(
      "study.toml",
      "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
          "\"\n[set]\n\"run.duration\" = \"12s\"\n\"workload.registry.rate\" = 100\n[grid]\n"
          "\"registry.shards\" = [1, 2]\n\"registry.max_batch_operations\" = [1, 64]\n"
          "[replications]\nmin = " +
          std::to_string(replications) + "\n" + more);
}

json::object object_of(const std::string& text) { return json::parse(text).as_object(); }

}  // namespace

TEST_CASE("plan: points with their parameters and predicted utilisation; nothing is run") {
  const Folder folder;
  const Ran ran = run_program({"plan", study(folder, ""), "--json"});
  REQUIRE(ran.code == 0);
  const json::object plan = object_of(ran.out);
  CHECK(plan.at("study") == "study");
  const json::array& points = plan.at("points").as_array();
  REQUIRE(points.size() == 4);
  CHECK(points[0].at("parameters").at("registry.shards") == 1);
  CHECK(points[0].at("replications") == 3);
  const json::object& predicted = points[0].at("predicted").as_array().front().as_object();
  CHECK(predicted.at("name") == "registry.max_batch_operations");
  CHECK(predicted.at("utilisation").as_double() > 1);  // 100 a second, one in each commit
}

// A run of 100 inserts a second has some 1,000 of them: p99.9 needs about ten runs.
TEST_CASE("sweep: a precision whose quantile no `max` of these runs can reach ends at once") {
  const Folder folder;
  const Ran ran = run_program(
      {"sweep", study(folder, "max = 6\n[precision]\n\"latency.insert.p999\" = \"5%\"\n"), "--jobs",
       "2"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 6);
  CHECK_THAT(ran.out, Contains("precision of latency.insert.p999: no interval with 3 "
                               "replications; the sample needs ") &&
                          Contains(" replications of this length, and max is 6"));
}

TEST_CASE("sweep: the contract of its JSON; an overloaded point is flagged") {
  const Folder folder;
  const Ran ran = run_program({"sweep", study(folder, ""), "--json", "--jobs", "2"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const json::object sweep = object_of(ran.out);
  const json::array& points = sweep.at("points").as_array();
  REQUIRE(points.size() == 4);
  for (const json::value& value : points) {
    const json::object& point = value.as_object();
    const bool small = point.at("parameters").at("registry.max_batch_operations") == 1;
    CHECK(point.at("replications") == 3);
    CHECK(point.at("failed") == 0);
    CHECK(point.at("stationary") == !small);
    const json::object& metric = point.at("metrics").at("load.mean_batch").as_object();
    CHECK(metric.at("n") == 3);
    CHECK(metric.at("unit") == "ratio");
    CHECK(metric.at("low").to_number<double>() <= metric.at("mean").to_number<double>());
    CHECK(metric.at("mean").to_number<double>() <= metric.at("high").to_number<double>());
    if (small)
      CHECK_THAT(std::string(point.at("binding").as_string()),
                 Contains("registry.max_batch_operations"));
  }
}

// Recomputed from what `run` prints of each seed.
TEST_CASE("sweep: claims have the product of each run's figures, or its ratio seed by seed") {
  const Folder folder;
  const std::string file = study(folder, R"(
[[claim]]
id = "product"
level = "M"
says = "one over the time of a commit"
source = "here"
figure = "load.transactions_per_second * latency.commit.mean"
at = ["registry.shards == 1", "registry.max_batch_operations == 64"]
band = {from = 0.95, to = 1.05}
[[claim]]
id = "ratio"
level = "C"
says = "two shards make two times the transactions"
source = "here"
figure = "load.transactions_per_second"
at = ["registry.shards == 2", "registry.max_batch_operations == 1"]
beside = ["registry.shards == 1", "registry.max_batch_operations == 1"]
band = {from = 3, to = 4}
)");
  const Ran ran = run_program({"sweep", file, "--json", "--jobs", "2"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto figures_of = [](int shards, int batch, int seed) {
    const Ran one = run_program({"run", "scenarios/registry/quiet.toml", "--set",
                                 "run.duration=12s", "--set", "workload.registry.rate=100", "--set",
                                 fmt::format("registry.shards={}", shards), "--set",
                                 fmt::format("registry.max_batch_operations={}", batch), "--seed",
                                 fmt::format("{}", seed), "--json"});
    const json::object run = object_of(one.out);
    return std::pair(run.at("load").at("transactions_per_second").to_number<double>(),
                     run.at("registry").at("commit_latency").at("mean").to_number<double>());
  };
  double product = 0, ratio = 0;
  for (int seed = 1; seed <= 3; ++seed) {
    const auto [rate, commit] = figures_of(1, 64, seed);
    product += rate * commit / 3;
    ratio += figures_of(2, 1, seed).first / figures_of(1, 1, seed).first / 3;
  }
  const json::object sweep = object_of(ran.out);
  const json::array& claims = sweep.at("claims").as_array();
  REQUIRE(claims.size() == 2);
  CHECK(claims[0].at("simulated").to_number<double>() == Approx(product));
  CHECK(claims[0].at("verdict") == "reproduced");
  CHECK(claims[0].at("n") == 3);
  CHECK(claims[0].at("low").to_number<double>() < product);
  CHECK(claims[0].at("high").to_number<double>() > product);
  CHECK(claims[1].at("simulated").to_number<double>() == Approx(ratio));
  CHECK(claims[1].at("verdict") == "missed");
  const Ran text = run_program({"sweep", file, "--jobs", "2"});
  CHECK_THAT(text.out, Contains("product  M  reproduced") && Contains("ratio    C  missed") &&
                           Contains("3 to 4"));
}

TEST_CASE("sweep: a chart is drawn below the table, in the order of x", "[sweep]") {
  const Folder folder;
  const std::string study = folder.write("chart.toml", "base = \"" + quiet() + R"("
[set]
"run.duration" = "12s"
[grid]
"workload.registry.rate" = [300, 20]
[replications]
min = 3
[[chart]]
id = "Load"
title = "operations over their rate"
x = "workload.registry.rate"
x_title = "rate"
y_title = "a second"
[[chart.line]]
label = "served"
figure = "load.operations / load.seconds"
theory = "workload.registry.rate"
)");
  const Ran ran = run_program({"sweep", study});
  CHECK(ran.code == 0);
  INFO(ran.out);
  std::string whole;
  for (int i = 0; i < 30; ++i) whole += "█";
  // A fifteenth of the greatest value has a bar of two cells, to an eighth of one.
  CHECK(std::regex_search(
      ran.out,
      std::regex("\\nLoad: operations over their rate\\nrate +a second +theory\\n20 +served "
                 "+[12][0-9.]+ +20 +██?[^█ ]*\\n300 +served +[23][0-9.]+ +300 +" +
                 whole + "\\n")));
}

TEST_CASE("sweep: with too few samples of the backlog nothing is an answer, and no latency meets") {
  const Folder folder;
  // A window of one second, ten samples: twice what one operation in each commit can serve.
  const std::string file = folder.write(
      "short.toml",
      "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
          "\"\n[set]\n\"run.duration\" = \"6s\"\n\"workload.registry.rate\" = 600\n[grid]\n"
          "\"registry.max_batch_operations\" = [10, 4096]\n[replications]\nmin = 3\n"
          "[gates]\nexpect = \"latency.insert.p50 < 60s\"\n"
          "[answer]\nleast = \"registry.max_batch_operations\"\n");
  const Ran ran = run_program({"sweep", file, "--jobs", "2"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, Contains("2 undecided: too short to tell whether they keep up") &&
                          Contains("answer: none") && !Contains("600 met"));
  const Ran one = run_program({"run", "scenarios/registry/quiet.toml", "--set", "run.duration=6s",
                               "--expect", "latency.insert.p50 < 60s"});
  CHECK(one.code == 1);
  CHECK_THAT(one.out, Catch::StartsWith("STATIONARITY NOT KNOWN: the measured window has fewer "
                                        "than 12 samples of the backlog. Lengthen run.duration"));
  CHECK_THAT(one.out + one.err, Contains("is undecided, because it is not known whether"));
}

TEST_CASE("sweep: killed at any moment it continues: no run is lost, none is done twice",
          "[sweep]") {
  const Folder folder;
  const std::string file = study(folder, "", 60);
  const std::string results = folder.file("results.sqlite");
  const Arguments command{"sweep", file, "--json", "--jobs", "2", "--out", results};
  const Ran whole = run_program({"sweep", file, "--json", "--jobs", "2"});
  REQUIRE(whole.code == 0);
  {
    RunningProgram program(command);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    program.signal(SIGKILL);
    program.wait();
  }
  const Ran resumed = run_program(command);
  INFO(resumed.err);
  REQUIRE(resumed.code == 0);
  CHECK(resumed.out == whole.out);
  const Ran again = run_program(command);
  CHECK(again.out == whole.out);
  CHECK_THAT(again.err, Contains("240 runs of this study are there already"));
  const Ran verified = run_program({"db", "verify", results});
  CHECK(verified.code == 0);
  REQUIRE(run_program({"export", results, folder.file("runs.csv"), "--runs"}).code == 0);
  const std::string rows = text_of(folder.file("runs.csv"));
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 1 + 240);
}

TEST_CASE(
    "sweep: the report of one that still runs has its question, and how many runs are to come") {
  const Folder folder;
  const std::string file = folder.write(
      "endless.toml",
      "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
          "\"\nquestion = \"How long?\"\n[grid]\n\"run.duration\" = [\"12s\", \"4000000s\"]\n"
          "[replications]\nmin = 3\n");
  const std::string results = folder.file("results.sqlite");
  RunningProgram program({"sweep", file, "--jobs", "2", "--out", results});
  Ran report;
  for (int i = 0; i < 1200; ++i) {  // until its first runs are saved
    report = run_program({"report", results, "--md", "-"});
    if (report.code == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  program.signal(SIGKILL);
  program.wait();
  INFO(report.out << report.err);
  CHECK_THAT(report.out,
             Contains("How long?") && Contains("not complete") && Contains(", of 6 that it needs"));
}

TEST_CASE("sweep: gates of the study and of --expect end it with 1, and name what was missed") {
  const Folder folder;
  const std::string gate = "[gates]\nexpect = [\"latency.insert.p50 < 1ms\"]\n";
  const Ran ran = run_program({"sweep", study(folder, gate)});
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, Contains("gate missed: latency.insert.p50 < 1ms"));
  const Ran met = run_program({"sweep", study(folder, ""), "--expect", "load.mean_batch > 0.5"});
  CHECK(met.code == 0);
}

TEST_CASE("--expect of run and fuzz: 1 if a figure misses it, 2 for what is no figure") {
  const Ran missed = run_program(short_run({"--expect", "latency.total.p50 < 1ms"}));
  CHECK(missed.code == 1);
  CHECK_THAT(missed.err, Contains("`latency.total.p50 < 1ms` is not met: latency.total.p50 is"));
  CHECK(run_program(short_run({"--expect", "latency.total.p50 < 1h"})).code == 0);
  const Ran torn = run_program(
      short_run({"--expect", "latency.total.p50 > 8s", "--expect", "latency.total.p99 < 5s"}));
  CHECK(torn.code == 2);
  CHECK(torn.out.empty());
  CHECK_THAT(torn.err, Contains("latency.total.p50 never exceeds latency.total.p99"));
  const Ran unknown = run_program(short_run({"--expect", "latency.totl.p50 < 1h"}));
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("there is no metric 'latency.totl.p50'"));
  const Arguments campaign{
      "fuzz",  "scenarios/registry/quiet.toml", "--seeds", "1..3", "--set", "run.duration=6s",
      "--set", "workload.registry.rate=20",     "--expect"};
  const Ran fuzzed = run_program(with(campaign, {"load.mean_batch > 1000"}));
  CHECK(fuzzed.code == 1);
  CHECK_THAT(fuzzed.err, Contains("3 of 3 runs missed a gate; the first, seed 1"));
  CHECK_THAT(fuzzed.out,
             Contains("GATE load.mean_batch > 1000: missed by 3 runs, first seed 1\n") &&
                 Contains("No violation or failed check in 3 runs"));
  CHECK(run_program(with(campaign, {"load.mean_batch > 0"})).code == 0);
}

TEST_CASE("plan: a scenario is no study, and is not refused key by key") {
  const Ran ran = run_program({"plan", "scenarios/healthy.toml"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, Contains("this is a scenario, not a study") && !Contains("has no key"));
}

TEST_CASE("plan: warnings of points that differ in numbers only are said once") {
  const Ran ran = run_program({"plan", "scenarios/studies/deployment.toml"});
  CHECK(ran.code == 0);
  const auto first = ran.err.find("warning: ");
  REQUIRE(first != std::string::npos);
  CHECK(ran.err.find("warning: ", first + 1) == std::string::npos);
  CHECK_THAT(ran.err, Contains(" (and so, with other numbers, 3 more points)\n"));
}

TEST_CASE("--expect of fuzz: the command in JUnit runs the seed again, and it misses the gate") {
  const Folder folder;
  const std::string junit = folder.file("junit.xml");
  REQUIRE(run_program({"fuzz", "scenarios/registry/quiet.toml", "--seeds", "1..2", "--set",
                       "run.duration=6s", "--set", "workload.registry.rate=20", "--expect",
                       "load.mean_batch > 1000", "--junit", junit})
              .code == 1);
  const std::string report = text_of(junit);
  const std::string_view program = "photonsim run ";
  const std::size_t begin = report.find(program) + program.size();
  const std::string command = report.substr(begin, report.find_first_of("\n<", begin) - begin);
  const std::string_view gate = " --expect 'load.mean_batch &gt; 1000'";
  CAPTURE(command);
  REQUIRE(command.ends_with(gate));
  std::istringstream words(command.substr(0, command.size() - gate.size()));
  Arguments again{"run"};
  for (std::string word; words >> word;) again.push_back(word);
  CHECK_THAT(again, Catch::VectorContains(std::string("--seed")));
  again.insert(again.end(), {"--expect", "load.mean_batch > 1000"});
  const Ran ran = run_program(again);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.err, Contains("`load.mean_batch > 1000` is not met: load.mean_batch is"));
}

TEST_CASE("above saturation no gate on a latency is met, and fuzz says that runs are") {
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(),
                 {"scenarios/registry/quiet.toml", "--set", "run.duration=20s", "--set",
                  "workload.registry.rate=800", "--set", "registry.max_batch_operations=16"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Ran gated = run_program(with({"run"}, {"--expect", "latency.insert.p99 < 1000s"}));
  CHECK(gated.code == 1);
  CHECK_THAT(gated.err, Contains("is undecided, because the run is not stationary"));
  CHECK(run_program(with({"run"}, {"--expect", "load.mean_batch > 1"})).code == 0);
  const Ran fuzzed = run_program(with({"fuzz"}, {"--seeds", "1..2"}));
  CHECK_THAT(fuzzed.out, Contains("2 runs NOT STATIONARY, the first bound by "
                                  "registry.max_batch_operations"));
}

TEST_CASE("sweep: points at the price of the answer that meet its terms too are marked") {
  const Folder folder;
  const std::string study = folder.write(
      "ties.toml", "base = \"" +
                       std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
                       "\"\n[set]\n\"run.duration\" = \"15s\"\n"
                       "[grid]\n\"registry.max_batch_operations\" = [16, 64]\n"
                       "\"run.sample_interval\" = [\"250ms\", \"500ms\"]\n"
                       "[replications]\nmin = 3\nmax = 3\n"
                       "[answer]\nsubject_to = [\"latency.insert.mean < 1s\"]\n"
                       "least = [\"registry.max_batch_operations\"]\n");
  const Ran ran = run_program({"sweep", study});
  CAPTURE(ran.out, ran.err);
  CHECK_THAT(ran.out,
             Contains("  1 point more at the same price meets the terms:\n    registry."
                      "max_batch_operations=16, run.sample_interval=500ms; latency.insert.") &&
                 Contains("\n*  16") && Contains("\n~  16") && Contains("\n   64"));
}

TEST_CASE("sweep: the text has a row for each point, the answer's price, and theory beside it") {
  const Folder folder;
  const std::string study = folder.write(
      "prices.toml",
      "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
          "\"\n[set]\n\"run.duration\" = \"15s\"\n\"workload.registry.rate\" = 300\n"
          "[grid]\n\"registry.max_batch_operations\" = [4, 16, 64]\n"
          "[replications]\nmin = 3\nmax = 3\n"
          "[answer]\nsubject_to = [\"latency.insert.mean < 1s\"]\n"
          "least = [\"registry.max_batch_operations\"]\nmetrics = [\"latency.insert.mean\"]\n");
  const Ran ran = run_program({"sweep", study});
  CAPTURE(ran.out, ran.err);
  CHECK_THAT(ran.out, Contains("answer: registry.max_batch_operations=16\n") &&
                          Contains("the next cheaper, registry.max_batch_operations=4, is "
                                   "overloaded: bound by registry.max_batch_operations"));
  CHECK_THAT(ran.out, Contains("   max_batch_operations  n  latency.insert.mean"));
  CHECK_THAT(ran.out, Contains("theory\n   4                     3  NOT STATIONARY: bound by"));
  CHECK_THAT(ran.out, Contains("\n*  16                    3  "));
  CHECK_THAT(ran.out, Contains("\n   64                    3  ") && Contains(", in theory "));
  const Ran json = run_program({"sweep", study, "--json"});
  const json::array points = object_of(json.out).at("points").as_array();
  // Above saturation there is no steady state to predict.
  CHECK(points.at(0).at("theory").as_object().empty());
  const double theory = points.at(2).at("theory").at("latency.insert.mean").to_number<double>();
  const double mean =
      points.at(2).at("metrics").at("latency.insert.mean").at("mean").to_number<double>();
  CHECK(mean == Approx(theory).epsilon(0.03));
}

TEST_CASE("sweep: common seeds make the difference of two batch limits five times as sure",
          "[sweep]") {
  const Folder folder;
  const std::string study = folder.write(
      "limits.toml",
      "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
          "\"\n[set]\n\"run.duration\" = \"35s\"\n\"workload.registry.rate\" = 600\n"
          "[grid]\n\"registry.max_batch_operations\" = [28, 64]\n"
          "[replications]\nmin = 20\nmax = 20\n[answer]\nbest = \"latency.insert.mean\"\n");
  const Ran ran = run_program({"sweep", study, "--json", "--jobs", "2"});
  REQUIRE(ran.code == 0);
  const json::object saving = object_of(ran.out).at("saving").as_object();
  CHECK(saving.at("than") == "registry.max_batch_operations=28");
  CHECK(saving.at("n") == 20);
  CHECK(saving.at("low").to_number<double>() > 0);
  CHECK(saving.at("variance_ratio").to_number<double>() > 5);
}

TEST_CASE(
    "run: an overloaded deployment is said before the run and in the first line of its report") {
  const Arguments overloaded{
      "run",   "scenarios/registry/quiet.toml", "--set", "run.duration=12s",
      "--set", "workload.registry.rate=100",    "--set", "registry.max_batch_operations=1"};
  const Ran ran = run_program(overloaded);
  CHECK_THAT(ran.err, Contains("this deployment cannot keep up"));
  CHECK_THAT(ran.out,
             Catch::StartsWith("NOT STATIONARY: ") &&
                 Contains("bound by registry.max_batch_operations in us-east1/registry/0"));
  const Ran json = run_program(with(overloaded, {"--json"}));
  const json::object capacity = object_of(json.out).at("capacity").as_object();
  CHECK(capacity.at("stationary") == false);
  CHECK(capacity.at("offered_per_second").to_number<double>() == Approx(100).epsilon(0.2));
  for (const char* name : {"name", "where", "utilisation", "queue_mean", "queue_max"}) {
    CAPTURE(name);
    CHECK(capacity.at("resources").as_array().front().as_object().contains(name));
  }
}

}  // namespace photonsim::cli::testing
