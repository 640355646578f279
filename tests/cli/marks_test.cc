// Coverage marks that hardly any configuration of the swarm reaches: scenarios/marks does.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;

namespace {

constexpr const char* kFolder = "scenarios/marks";

// The head of a scenario: "# Reaches, with the seeds A..B: NAME, NAME, ...".
struct Promise {
  std::string scenario{};
  std::string seeds{};
  std::vector<std::string> marks{};
};

std::vector<Promise> promises() {
  const std::string kBegins = "# Reaches, with the seeds ";
  std::vector<Promise> all;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".toml") continue;
    std::istringstream text(text_of(entry.path().string()));
    std::string names;
    Promise promise{entry.path().string(), {}, {}};
    for (std::string line; std::getline(text, line) && line.starts_with('#');) {
      if (line.starts_with(kBegins)) {
        const std::size_t colon = line.find(':');
        REQUIRE(colon != std::string::npos);
        promise.seeds = line.substr(kBegins.size(), colon - kBegins.size());
        names = line.substr(colon + 1);
      } else if (!promise.seeds.empty()) {
        names += line.substr(1);
      }
    }
    std::ranges::replace(names, ',', ' ');
    std::istringstream words(names);
    for (std::string name; words >> name;) promise.marks.push_back(name);
    if (!promise.seeds.empty()) all.push_back(std::move(promise));
  }
  std::ranges::sort(all, {}, &Promise::scenario);
  return all;
}

// By name: how rare it is.
std::map<std::string, std::string> marks_of_the_program() {
  const Ran ran = run_program({"explain", "--marks"});
  REQUIRE(ran.code == 0);
  std::map<std::string, std::string> marks;
  std::istringstream text(ran.out);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("    ")) continue;  // what happens there
    std::istringstream words(line);
    std::string name;
    std::string rarity;
    std::string place;
    REQUIRE(words >> name >> rarity >> place);
    CAPTURE(line);
    CHECK((rarity == "exempt") == line.ends_with(')'));  // its reason
    marks[name] = rarity;
  }
  return marks;
}

// Those that README.md lists as not required: rows that begin with "| `NAME` | why".
std::set<std::string> not_required() {
  std::set<std::string> names;
  std::istringstream text(text_of(std::string(kFolder) + "/README.md"));
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t end = line.find("` | ");
    REQUIRE(end != std::string::npos);
    CHECK(line.size() > end + 20);  // a reason
    CHECK(names.insert(line.substr(3, end - 3)).second);
  }
  return names;
}

}  // namespace

TEST_CASE("DESIGN-6 each very rare mark is required by a scenario, or README.md says why not") {
  const auto marks = marks_of_the_program();
  std::set<std::string> required;
  for (const Promise& promise : promises()) {
    for (const std::string& name : promise.marks) {
      CAPTURE(promise.scenario, name);
      CHECK(marks.contains(name));
      required.insert(name);
    }
  }
  CHECK(required.size() > 20);
  const std::set<std::string> exempt = not_required();
  for (const auto& [name, rarity] : marks) {
    CAPTURE(name, rarity);
    if (rarity == "very_rare") CHECK(required.contains(name) != exempt.contains(name));
  }
  for (const std::string& name : exempt) {
    CAPTURE(name);
    const auto found = marks.find(name);
    REQUIRE(found != marks.end());
    CHECK(found->second == "very_rare");
  }
}

TEST_CASE("DESIGN-6 scenarios/marks reaches the marks that it claims", "[marks]") {
  for (const Promise& promise : promises()) {
    Arguments campaign{"fuzz", promise.scenario, "--seeds", promise.seeds, "--self-check",
                       "0",    "--jobs",         "2"};
    for (const std::string& name : promise.marks) {
      campaign.insert(campaign.end(), {"--require-mark", name});
    }
    const Ran ran = run_program(campaign);
    CAPTURE(promise.scenario, ran.err);
    CHECK(ran.code == 0);
  }
}

TEST_CASE("fuzz: --require-mark requires marks by their names") {
  const Arguments quiet{"fuzz", "scenarios/registry/quiet.toml", "--seeds", "1..2"};
  const Folder folder;
  const std::string junit = folder.file("junit.xml");
  const Ran never = run_program(with(
      quiet, {"--require-mark", "joiner.request.copy,paxos.durable.withheld", "--junit", junit}));
  CHECK(never.code == 7);
  CHECK_THAT(never.err, Contains("never reached: 1 of the required marks") &&
                            Contains("\n  joiner.request.copy ") &&
                            !Contains("paxos.durable.withheld"));
  CHECK_THAT(text_of(junit), Contains("name=\"--require-mark joiner.request.copy\""));
  CHECK(
      run_program({"fuzz", "--require-mark", "paxos.durable.withheld", quiet[1], "--seeds", "1..2"})
          .code == 0);
  const Ran unknown = run_program(with(quiet, {"--require-mark", "joiner.reqest.copy"}));
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("'joiner.reqest.copy' is no mark"));
}

}  // namespace photonsim::cli::testing
