// Every rule of the lint fires on a bad snippet and is silent on the good one beside it.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/lint/rules.h"
#include "tests/support/catch.h"

namespace photonsim::lint {
namespace {

using Check = void (*)(const SourceFile&, Findings&);

// The rules that `check` finds broken in `code`, were it the file `path`.
std::set<std::string> rules_broken(Check check, const std::string& path, std::string_view code) {
  Findings findings;
  check(parse_source(path, code), findings);
  std::set<std::string> rules;
  for (const Finding& finding : findings) rules.insert(finding.rule);
  return rules;
}

std::set<std::string> bans(const std::string& path, std::string_view code) {
  return rules_broken(check_bans, path, code);
}

std::set<std::string> layout(const std::string& path, std::string_view code) {
  return rules_broken(check_layout, path, code);
}

std::set<std::string> iteration(std::string_view code) {
  return rules_broken(
      [](const SourceFile& file, Findings& findings) {
        check_unordered_iteration(file, nullptr, findings);
      },
      "sim/a.cc", code);
}

std::set<std::string> includes(const std::string& path, std::string_view code) {
  return rules_broken(
      [](const SourceFile& file, Findings& findings) {
        std::set<std::string> exists;
        for (const Include& include : file.includes) exists.insert(include.path);
        check_includes(file, exists, findings);
      },
      path, code);
}

using Rules = std::set<std::string>;

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

struct Snippet {
  std::string path;
  std::string code;
};

}  // namespace

TEST_CASE("lint: each ban fires") {
  const std::vector<std::pair<std::string, std::vector<Snippet>>> bad = {
      {"random-device", {{"sim/a.cc", "std::random_device d;"}}},
      {"c-random",
       {{"sim/a.cc", "int x = rand();"},
        {"sim/a.cc", "return std::rand();"},
        {"tests/sim/a.cc", "srand(1);"}}},
      {"std-random",
       {{"sim/a.cc", "#include <random>\n"},
        {"sim/a.cc", "std::mt19937 g;"},
        {"sim/a.cc", "std::exponential_distribution<double> d;"},
        {"sim/a.cc", "std::shuffle(a, b, g);"}}},
      {"std-hash", {{"core_impl/paxos/a.cc", "auto h = std::hash<int>{}(1);"}}},
      {"wall-clock",
       {{"sim/a.cc", "auto t = std::chrono::steady_clock::now();"},
        {"scenarios/a.cc", "using C = std::chrono::system_clock;"},
        {"sim/a.cc", "auto t = time(nullptr);"},
        {"sim/a.cc", "return ::time(0);"},
        {"sim/a.cc", "x = clock();"},
        {"sim/a.cc", "gettimeofday(&tv, nullptr);"}}},
      {"std-unordered",
       {{"sim/a.cc", "std::unordered_map<int, int> m;"},
        {"sim/a.cc", "#include <unordered_set>\n"}}},
      {"getenv", {{"scenarios/a.cc", "auto* p = std::getenv(\"HOME\");"}}},
      {"core-thread",
       {{"core_impl/rpc/a.cc", "#include <mutex>\n"},
        {"core_impl/rpc/a.cc", "std::thread t;"},
        {"core_impl/rpc/a.cc", "thread_local int x;"}}},
      {"core-iostream",
       {{"core_impl/rpc/a.cc", "#include <iostream>\n"},
        {"core_impl/rpc/a.cc", "std::cerr << 1;"},
        {"core_impl/rpc/a.cc", "std::printf(\"x\");"}}},
      {"core-sim-time", {{"core_impl/photon/a.cc", "SimTime t;"}}},
      {"pointer-order",
       {{"sim/a.cc", "std::map<const Host*, int> m;"},
        {"sim/a.cc", "std::set<Host*> s;"},
        {"sim/a.cc", "std::less<Host*> l;"}}},
      {"heavy-header",
       {{"scenarios/a.h", "#include <toml++/toml.h>\n"}, {"cli/a.h", "#include <CLI/CLI.hpp>\n"}}},
      {"catch-door", {{"tests/sim/a.cc", "#include <catch2/catch.hpp>\n"}}},
  };
  for (const auto& [rule, snippets] : bad) {
    for (const Snippet& snippet : snippets) {
      INFO(rule << " in " << snippet.path << ": " << snippet.code);
      CHECK(bans(snippet.path, snippet.code) == Rules{rule});
    }
  }
}

TEST_CASE("lint: bans do not fire on allowed code") {
  const std::vector<Snippet> good = {
      {"sim/a.cc", "// std::random_device, rand() and time(0) in a comment"},
      {"sim/a.cc", "/* std::unordered_map\n std::hash */ int x;"},
      {"sim/a.cc", "const char* s = \"std::random_device\"; char c = '\"'; int y = 1'000;"},
      {"sim/a.cc", "auto s = R\"(std::mt19937 \" )\"; int z;"},
      {"sim/a.cc", "boost::random::exponential_distribution<double> d;"},
      {"sim/a.cc", "boost::unordered_flat_map<int, int> m;"},
      {"sim/a.cc", "const Clock& clock() const; auto t = host.clock(); x->time(0);"},
      {"sim/a.cc", "std::map<int, Host*> m; std::map<std::pair<Host*, int>, int> n;"},
      {"cli/a.cc", "auto t = std::chrono::steady_clock::now(); getenv(\"NO_COLOR\");"},
      {"tests/bench/a.cc", "auto t = std::chrono::steady_clock::now();"},
      {"core_impl/base/time.h", "struct SimTime {};"},
      {"sim/a.cc", "#include <iostream>\n std::thread t; SimTime s;"},
      {"scenarios/a.cc", "#include <toml++/toml.h>\n"},
  };
  for (const Snippet& snippet : good) {
    INFO(snippet.path << ": " << snippet.code);
    CHECK(bans(snippet.path, snippet.code).empty());
  }
}

TEST_CASE("lint: iteration over a hash table needs its reason") {
  const std::string map = "boost::unordered_flat_map<int, std::vector<int>> table_;\n";
  const Rules broken = {"unordered-iteration"};
  CHECK(iteration(map + "for (const auto& [k, v] : table_) f(k);") == broken);
  CHECK(iteration(map + "for (auto& x : state.table_) f(x);") == broken);
  CHECK(iteration(map + "auto it = table_.begin();") == broken);
  CHECK(iteration(map + "// order-free:\nfor (auto& x : table_) f(x);") == broken);
  CHECK(iteration("using T = boost::unordered_flat_set<int>;\nT t;\nfor (int x : t) f(x);") ==
        broken);
  CHECK(iteration("FlatMap<int, int> table_;\nfor (auto& x : table_) f(x);") == broken);
  CHECK(iteration(map + "// order-free: a sum\nfor (auto& x : table_) f(x);").empty());
  CHECK(iteration(map + "for (auto& x : table_) f(x);  // order-free: a sum").empty());
  CHECK(iteration(map + "for (auto& x : other_) f(x);").empty());
  CHECK(iteration(map + "for (int i = 0; i < table_; ++i) f(i);").empty());
  CHECK(iteration(map + "auto it = table_.find(3);").empty());
}

TEST_CASE("lint: members declared in the header of the same name count") {
  const SourceFile header = parse_source("sim/a.h", "boost::unordered_flat_set<int> seen_;");
  const SourceFile source = parse_source("sim/a.cc", "void f() { for (int x : seen_) g(x); }");
  Findings findings;
  check_unordered_iteration(source, &header, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].line == 1);
}

TEST_CASE("lint: the graph of DESIGN section 2 holds for includes") {
  const std::vector<Snippet> bad = {
      {"core_impl/base/a.h", "#include \"core_impl/trace/record.h\"\n"},
      {"core_impl/trace/a.h", "#include \"core_impl/runtime/context.h\"\n"},
      {"core_impl/rpc/a.h", "#include \"core_impl/paxos/paxos.h\"\n"},
      {"core_impl/photon/registry/a.cc", "#include \"sim/kernel.h\"\n"},
      {"core_impl/photon/a.cc", "#include \"models/wan.h\"\n"},
      {"core_impl/photon/a.cc", "#include \"analysis/oracles/oracle.h\"\n"},
      {"sim/a.cc", "#include \"core_impl/photon/registry/server.h\"\n"},
      {"sim/a.cc", "#include \"models/wan.h\"\n"},
      {"analysis/oracles/a.cc", "#include \"sim/kernel.h\"\n"},
      {"analysis/a.cc", "#include \"core_impl/runtime/context.h\"\n"},
      {"models/a.cc", "#include \"core_impl/photon/config.h\"\n"},
      {"notebooks_export/a.cc", "#include \"scenarios/load.h\"\n"},
      {"scenarios/a.cc", "#include \"cli/main.h\"\n"},
      {"cli/a.cc", "#include \"tests/support/catch.h\"\n"},
      // Inside core_impl/photon.
      {"core_impl/photon/joiner/a.h",
       "#include \"core_impl/photon/verification/verification_messages.h\"\n"},
      {"core_impl/photon/messages.h", "#include \"core_impl/photon/joiner/joiner.h\"\n"},
      {"core_impl/photon/no_row/a.h", "#include \"core_impl/base/bytes.h\"\n"},
      // Inside analysis and campaigns.
      {"analysis/evidence/a.h", "#include \"analysis/oracles/oracle.h\"\n"},
      {"analysis/accounting/a.h", "#include \"analysis/oracles/oracle.h\"\n"},
      {"analysis/results/a.h", "#include \"analysis/all.h\"\n"},
      {"analysis/no_row/a.h", "#include \"core_impl/base/bytes.h\"\n"},
      {"campaigns/swarm/a.h", "#include \"campaigns/campaign.h\"\n"},
      {"campaigns/swarm/a.h", "#include \"campaigns/reduce/ddmin.h\"\n"},
      {"scenarios/world/a.h", "#include \"campaigns/campaign.h\"\n"},
  };
  for (const Snippet& snippet : bad) {
    INFO(snippet.path << ": " << snippet.code);
    CHECK(includes(snippet.path, snippet.code) == Rules{"layers"});
  }
  CHECK(includes("core_impl/photon/a.cc", "#include \"core_impl/paxos/paxos.h\"\n").empty());
  CHECK(includes("core_impl/photon/joiner/a.h", "#include \"core_impl/photon/messages.h\"\n")
            .empty());
  CHECK(includes("core_impl/photon/verification/a.h",
                 "#include \"core_impl/photon/joiner/joined_record.h\"\n")
            .empty());
  CHECK(includes("analysis/a.cc", "#include \"analysis/judge/judge.h\"\n").empty());
  CHECK(includes("campaigns/reduce/a.cc", "#include \"campaigns/swarm/swarm.h\"\n").empty());
  CHECK(includes("models/a.cc", "#include \"sim/kernel.h\"\n").empty());
  CHECK(includes("scenarios/a.cc", "#include \"core_impl/photon/config.h\"\n").empty());
  CHECK(includes("tests/sim/a.cc", "#include \"sim/kernel.h\"\n").empty());
}

TEST_CASE(
    "lint: J-H5 what the judge shares with the system is listed, with its users and a reason") {
  const auto check = [](std::string_view table) {
    std::map<std::string, SourceFile> sources;
    for (const std::string path : {"analysis/oracles/a.cc", "analysis/results/b.cc"}) {
      sources.emplace(path, parse_source(path, "#include \"core_impl/base/hash.h\"\n"));
    }
    Findings findings;
    check_shared("list.md", table, sources, findings);
    return findings;
  };
  CHECK(check("| `core_impl/base/hash.h` | all | tables |\n").empty());
  CHECK(check("| `core_impl/base/hash.h` | `analysis/oracles/a.cc` | tables |\n").empty());
  const std::string_view bad[] = {
      "",                                                                  // not listed
      "| `core_impl/base/hash.h` | `analysis/oracles/b.cc` | tables |\n",  // by another
      "| `core_impl/base/hash.h` | all |  |\n",                            // no reason
      "| `core_impl/base/hash.h` | all | tables |\n| `core_impl/base/codec.h` | all | x |\n",
  };
  for (const std::string_view table : bad) {
    INFO(table);
    REQUIRE(!check(table).empty());
    CHECK(check(table)[0].rule == "shared");
  }
}

TEST_CASE("lint: the graph holds for CMake files, and includes name whole paths") {
  Findings findings;
  check_cmake_links("sim/CMakeLists.txt", "photonsim_library(NAME s\n  PUBLIC photon_core)",
                    findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == "layers");
  CHECK(findings[0].line == 2);
  findings.clear();
  check_cmake_links("sim/CMakeLists.txt",
                    "photonsim_library(NAME photonsim_sim # photon_core\n"
                    "  PUBLIC photon_runtime)",
                    findings);
  CHECK(findings.empty());

  check_includes(parse_source("sim/a.cc", "#include \"kernel.h\"\n"), {"sim/kernel.h"}, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == "include-path");
}

TEST_CASE("lint: a source includes its own header first") {
  const std::set<std::string> exists = {"sim/a.h", "sim/a.cc", "sim/b.h", "sim/c.cc"};
  const auto rules = [&](const char* path, const char* code) {
    Findings findings;
    check_own_header_first(parse_source(path, code), exists, findings);
    return findings.size();
  };
  CHECK(rules("sim/a.cc", "#include \"sim/a.h\"\n#include <vector>\n") == 0);
  CHECK(rules("sim/a.cc", "#include <vector>\n#include \"sim/a.h\"\n") == 1);
  CHECK(rules("sim/a.cc", "int x;\n") == 1);
  CHECK(rules("sim/c.cc", "#include <vector>\n") == 0);
  CHECK(rules("sim/b.h", "#include <vector>\n") == 0);
}

TEST_CASE("lint: layout limits") {
  CHECK(layout("sim/a.cc", repeated("int x;\n", 500)).empty());
  CHECK(layout("sim/a.cc", repeated("int x;\n", 501)) == Rules{"file-length"});
  CHECK(layout("sim/a.cc", std::string(100, 'x') + "\n").empty());
  CHECK(layout("sim/a.cc", std::string(101, 'x') + "\n") == Rules{"line-length"});
  CHECK(layout("sim/a.cc", "// " + repeated("\xC3\xA4", 97)).empty());
  CHECK(layout("sim/a.cc", "\tint x;\n") == Rules{"tab"});
  CHECK(layout("sim/a.h", "int x;\n") == Rules{"pragma-once"});
  CHECK(layout("sim/a.h", "#pragma once\nint x;\n").empty());
  CHECK(layout("sim/a.cc", "// TODO: later\n") == Rules{"bare-todo"});
  CHECK(layout("sim/a.cc", "int x; /* FIXME */\n") == Rules{"bare-todo"});
  CHECK(layout("sim/a.cc", "// XXX\n") == Rules{"bare-todo"});
  CHECK(layout("sim/a.cc", "// TODO(issue 3): resharding\n").empty());
  CHECK(layout("sim/a.cc", "") == Rules{"empty-file"});
  CHECK(layout("tests/sim/a_test.cc", "\n  \n") == Rules{"empty-file"});
  CHECK(layout("tests/sim/a_test.cc", "int x;\n") == Rules{"no-test-case"});
  CHECK(layout("tests/sim/a_test.cc", "TEST_CASE(\"a\") {}\n").empty());
  CHECK(layout("tests/sim/support.cc", "int x;\n").empty());
  CHECK(layout("sim/a.cc", "// MASTODON, TODOS\n").empty());

  Findings findings;
  check_script_layout("a.sh", "\techo\n" + std::string(121, '#'), findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].rule == "tab");
  CHECK(findings[1].rule == "line-length");
}

TEST_CASE("lint: function length") {
  const std::string fits = "{\n" + repeated("  a();\n", 68) + "}\n";
  const std::string breaks = "{\n" + repeated("  a();\n", 69) + "}\n";
  const std::vector<std::string> heads = {
      "void f() ",
      "namespace n {\nclass C : public B {\n public:\n  int f(int x) const override ",
      "template <class T>\nauto C<T>::f() -> int ",
      "C::C(int a) : a_(a), b_{a}, c_(g(1)) ",
      "TEST_CASE(\"long\") ",
      "bool operator==(const A& a, const A& b) ",
      "struct alignas(64) A {\n  int x = 1;\n  int y{2};\n  void f() ",
      "constexpr int kTable[] = {1, 2};\nstruct Reply f() ",
      "enum class E { kA, kB };\nextern \"C\" {\nvoid f() noexcept ",
  };
  for (const std::string& head : heads) {
    INFO(head);
    CHECK(layout("sim/a.cc", head + fits).empty());
    CHECK(layout("sim/a.cc", head + breaks) == Rules{"function-length"});
  }
  // Long tables, types and namespaces are no functions.
  CHECK(layout("sim/a.cc", "namespace n {\n" + repeated("int x;\n", 90) + "}\n").empty());
  CHECK(layout("sim/a.cc", "struct S {\n" + repeated("int f();\n", 90) + "};\n").empty());
  CHECK(layout("sim/a.cc", "int kT[] = {\n" + repeated("f(1),\n", 90) + "};\n").empty());
}

TEST_CASE("lint: a document names files that exist") {
  const std::set<std::string> exists = {"sim/kernel.h", "tests/sim/kernel_test.cc",
                                        "tests/sim/README.md"};
  const auto broken = [&](std::string_view text) {
    Findings findings;
    check_named_paths("tests/README.md", text, exists, findings);
    return findings;
  };
  for (const char* const good :
       {"`sim/kernel.h`", "`tests/sim/`", "`sim/kernel_test.cc`", "`sim/`", "`kernel_test.cc`",
        "`out/`", "`../sim/kernel.h`", "`*_test.cc` and `.cc`", "`run --seed 7`",
        "kernal.h, no backticks", "`Kernel` and an open ` kernal.h"}) {
    INFO(good);
    CHECK(broken(good).empty());
  }
  for (const char* const bad : {"a\n`sim/kernal.h`", "a\n`sim` `kernal_test.cc`", "a\n`sym/`",
                                "a\n`kernel.h`", "a\n`../kernel.h`"}) {
    INFO(bad);
    REQUIRE(broken(bad).size() == 1);
    CHECK(broken(bad)[0].rule == "named-path");
    CHECK(broken(bad)[0].line == 2);
  }
}

TEST_CASE("lint: names of hosts, dead files") {
  Findings findings;
  check_hosts("README.md", std::string("a\nhttp://registry.") + "npmjs" + ".example\n", findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == "host-name");
  CHECK(findings[0].line == 2);

  findings.clear();
  std::set<std::string> listed;
  collect_listed("sim/CMakeLists.txt", "photonsim_library(NAME s SOURCES a.h net/b.cc) # c.cc",
                 listed);
  check_dead_file("sim/a.h", listed, findings);
  check_dead_file("sim/net/b.cc", listed, findings);
  CHECK(findings.empty());
  check_dead_file("sim/c.cc", listed, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule == "dead-file");
}

TEST_CASE("lint: marks have one form and unique names") {
  const auto found = [](const std::string& path, const std::vector<std::string>& lines) {
    std::string code;
    for (const std::string& line : lines) code += line + "\n";
    std::map<std::string, std::string> places{{"sim.taken", "sim/b.cc:7"}};
    Findings findings;
    check_marks(parse_source(path, code), places, findings);
    std::string text;
    for (const Finding& finding : findings) {
      text += std::to_string(finding.line) + " " + finding.message + "\n";
    }
    return text;
  };
  CHECK(found("sim/a.cc",
              {"PHOTON_MARK(\"sim.late_reply\");", "if (x) PHOTON_MARK(\"sim.path.more\");"})
            .empty());
  CHECK(found("core_impl/photon/registry/a.cc", {"PHOTON_MARK(\"registry.x\");"}).empty());
  const auto one = [&](const std::string& line) { return found("core_impl/paxos/a.cc", {line}); };
  using Catch::Contains;
  CHECK_THAT(one("PHOTON_MARK(kName);"), Contains("1 a mark is written"));
  CHECK_THAT(one("PHOTON_MARK(\"paxos\");"), Contains("a mark is written"));
  CHECK_THAT(one("PHOTON_MARK(\"paxos.Late\");"), Contains("a mark is written"));
  CHECK_THAT(one("PHOTON_MARK(\"paxos.late\", rare);"), Contains("a mark is written"));
  CHECK_THAT(found("sim/a.cc", {"PHOTON_MARK(", "\"sim.late\");"}),
             Contains("1 a mark is written"));
  CHECK_THAT(one("PHOTON_MARK(\"rpc.late\");"), Contains("does not begin with its folder"));
  CHECK_THAT(found("sim/a.cc", {"", "PHOTON_MARK(\"sim.taken\");"}),
             Contains("2 'sim.taken' is the name of another mark: sim/b.cc:7"));
  CHECK(found("sim/a.cc", {"PHOTON_LIMIT(\"sim.room\", used,", "limit);"}).empty());
  CHECK_THAT(one("PHOTON_LIMIT(kName, a, b);"), Contains("1 a mark is written"));
  CHECK_THAT(found("sim/a.cc", {"PHOTON_LIMIT(\"sim.a\", b, c);", "PHOTON_MARK(\"sim.a.at\");"}),
             Contains("2 'sim.a.at' is the name of another mark: sim/a.cc:1"));
}

TEST_CASE("lint: each mark has a row of rarity, each row a mark, and an exempt one its reason") {
  const auto found = [](const std::string& rows) {
    const std::map<std::string, std::string> places{
        {"sim.a", "sim/a.cc:7"}, {"sim.b", "sim/b.cc:8"}, {"test.c", "tests/sim/c_test.cc:9"}};
    Findings findings;
    check_mark_rows("campaigns/rows.inc", rows, places, findings);
    std::string text;
    for (const Finding& finding : findings) {
      text += std::to_string(finding.line) + " " + finding.message + "\n";
    }
    return text;
  };
  const std::string a = "MARK(\"sim.a\", very_rare, \"\")\n";
  const std::string b = "MARK(\"sim.b\", exempt, \"no simulated disk misdirects writes\")\n";
  CHECK(found(a + b).empty());
  using Catch::Contains;
  CHECK_THAT(found(a), Contains("0 'sim.b' (sim/b.cc:8) has no row") && !Contains("test.c"));
  CHECK_THAT(found(a + b + "MARK(\"sim.d\", rare, \"\")\n"),
             Contains("3 no mark has the name 'sim.d'"));
  CHECK_THAT(found(a + b + a), Contains("3 'sim.a' has a row already"));
  CHECK_THAT(found(a + "MARK(\"sim.b\", exempt, \"so\")\n"),
             Contains("2 'sim.b' is exempt without a reason"));
  CHECK_THAT(found(a + "MARK(\"sim.b\", seldom, \"\")\n"), Contains("2 a row is written"));
}

}  // namespace photonsim::lint
