#include <span>

#include "core_impl/base/hash.h"
#include "scenarios/faults/process.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

constexpr std::string_view kOneCrash =
    "[[faults.crash]]\nprocess = \"us-east1/joiner/0\"\nat = \"1min\"\n";

}  // namespace

TEST_CASE("the including file overrides, later includes override earlier ones") {
  const TemporaryFolder d;
  d.write("a.toml", "[registry]\nshards = 2\nmax_queue = 10\n[joiner]\ncount = 2\n");
  d.write("b.toml", "[registry]\nmax_queue = 20\n[joiner]\ncount = 3\n");
  const auto top = d.write("top.toml", "include = [\"a.toml\", \"b.toml\"]\n[joiner]\ncount = 4\n");
  const LoadResult result = load(top);
  REQUIRE(result.ok());
  CHECK(result.config().registry.shards == 2);
  CHECK(result.config().registry.max_queue == 20);
  CHECK(result.config().joiner.count == 4);
}

TEST_CASE("[[lists]] add to included ones, list = [...] replaces them") {
  const TemporaryFolder d;
  d.write("base.toml", kOneCrash);
  const auto more = d.write("more.toml", "include = [\"base.toml\"]\n" + std::string{kOneCrash});
  CHECK(load(more).config().faults.of<CrashFault>().size() == 2);
  const auto none = d.write("none.toml", "include = [\"base.toml\"]\nfaults.crash = []\n");
  CHECK(load(none).config().faults.of<CrashFault>().empty());
  const auto other = d.write("other.toml",
                             "include = [\"base.toml\"]\nfaults.crash = [{process = "
                             "\"us-west1/joiner/1\", at = \"2min\"}]\n");
  REQUIRE(load(other).config().faults.of<CrashFault>().size() == 1);
  CHECK(load(other).config().faults.of<CrashFault>()[0].process == "us-west1/joiner/1");
}

TEST_CASE("a file reached by two paths counts once") {
  const TemporaryFolder d;
  d.write("base.toml", kOneCrash);
  d.write("a.toml", "include = [\"base.toml\"]\n");
  d.write("b.toml", "include = [\"./base.toml\"]\n");
  const auto top = d.write("top.toml", "include = [\"a.toml\", \"b.toml\"]\n");
  CHECK(load(top).config().faults.of<CrashFault>().size() == 1);
}

TEST_CASE("circles, missing files and directories are errors at the include") {
  const TemporaryFolder d;
  d.write("a.toml", "include = [\"b.toml\"]\n");
  const auto b = d.write("b.toml", "include = [\"a.toml\"]\n");
  CHECK(has(load(b).diagnostics(), {"includes itself", 1, 12, "circle"}));
  const auto self = d.write("self.toml", "include = [\"self.toml\"]\n");
  CHECK(has(load(self).diagnostics(), {"includes itself", 1, 12}));
  const auto missing = d.write("m.toml", "include = [\n  \"nowhere.toml\",\n  \".\"]\n");
  CHECK(has(load(missing).diagnostics(), {"no such file", 2, 3, "relative"}));
  CHECK(has(load(missing).diagnostics(), {"directory", 3, 3}));
}

TEST_CASE("includes may be nested, up to a limit") {
  const TemporaryFolder d;
  const std::string last = "[registry]\nshards = 7\n";
  for (int i = 0; i < 40; ++i) {
    d.write(std::to_string(i) + ".toml", "include = [\"" + std::to_string(i + 1) + ".toml\"]\n");
  }
  d.write("40.toml", last);
  CHECK(load(d.path() / "30.toml").config().registry.shards == 7);
  CHECK(has(load(d.path() / "0.toml").diagnostics(), {"too deeply"}));
}

TEST_CASE("errors in an included file name that file") {
  const TemporaryFolder d;
  d.write("base.toml", "\n[registry]\nshards = \"four\"\n");
  const auto top = d.write("top.toml", "include = [\"base.toml\"]\n[joiner]\ncont = 1\n");
  const auto problems = load(top).diagnostics();
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].file == top);
  CHECK(problems[1].file == (d.path() / "base.toml").string());
  CHECK(problems[1].line == 3);
  CHECK(problems[1].source_line == "shards = \"four\"");
  // A value that is overridden is not an error any more.
  const auto fixed = d.write("fixed.toml", "include = [\"base.toml\"]\nregistry.shards = 4\n");
  CHECK(load(fixed).ok());
}

TEST_CASE("files named in a scenario are relative to that scenario") {
  const TemporaryFolder d;
  std::filesystem::create_directory(d.path() / "sub");
  d.write("sub/q.csv", "query_id,t_ms\n1,1\n");
  d.write("sub/c.csv", "click_id,query_id,t_ms\n1,1,2\n");
  d.write("sub/t.toml",
          "[run]\nduration = \"auto\"\n[workload]\nkind = \"trace\"\nprimary.file = "
          "\"q.csv\"\nforeign.file = \"../sub/c.csv\"\n");
  const LoadResult result = load(d.write("top.toml", "include = [\"sub/t.toml\"]\n"));
  REQUIRE(result.ok());
  CHECK(result.config().workload.primary.files.at(0) == (d.path() / "sub/q.csv").string());
  CHECK(result.config().workload.foreign.files.at(0) == (d.path() / "sub/c.csv").string());
  CHECK_FALSE(result.config().run.duration);
  CHECK(result.config().workload.primary.digest ==
        photon::hash_bytes(std::as_bytes(std::span(std::string_view("query_id,t_ms\n1,1\n")))));
}
