// [defaults], and scenarios that state all of them.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "campaigns/swarm/swarm.h"
#include "scenarios/faults/process.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/language/schema.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

// Full names of the keys that a text of `to_lasting_toml` leaves to the program's defaults.
std::set<std::string> left_open(std::string_view text) {
  Sources sources;
  Report problems(sources);
  const Value tree = parse_toml(text, sources.add("text", text), problems);
  REQUIRE(problems.empty());
  const Value* const defaults = find_member(tree, "defaults");
  REQUIRE(defaults != nullptr);
  std::set<std::string> open;
  for (const TableSpec* const table : all_tables()) {
    const Value* stated = &tree;
    std::string_view rest = table->path;
    while (stated != nullptr && !rest.empty()) {
      const std::size_t dot = rest.find('.');
      stated = find_member(*stated, rest.substr(0, dot));
      rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    }
    if (table->repeated && stated == nullptr) continue;
    Value usual;
    if (const Value* const found = find_member(*defaults, table->path)) {
      if (found->type == Value::Type::kTable) merge(usual, *found);
      for (const Value& each : found->items) merge(usual, each);
    }
    for (std::size_t i = 0; i < table->key_count; ++i) {
      const std::string_view name = table->key(i).name;
      if (find_member(usual, name) != nullptr) continue;
      bool everywhere = stated != nullptr && find_member(*stated, name) != nullptr;
      if (table->repeated) {
        everywhere = true;
        for (const Value& each : stated->items) {
          everywhere = everywhere && find_member(each, name) != nullptr;
        }
      }
      if (!everywhere) open.insert(std::string(table->path) + "." + std::string(name));
    }
  }
  return open;
}

}  // namespace

TEST_CASE("[defaults] hold where nothing is stated, in sections and in elements of lists") {
  const Config config = must_load(
      "[registry]\nshards = 3\n"
      "[[faults.crash]]\nprocess = \"us-east1/joiner/0\"\nat = \"1min\"\n"
      "[[faults.crash]]\nprocess = \"us-east1/joiner/0\"\nat = \"9min\"\nrestart_after = \"2s\"\n"
      "[defaults]\n"
      "registry = [{ shards = 7, max_queue = 11 }, { max_bundle = 5 }]\n"
      "\"registry.routing\" = { max_age = \"4s\" }\n"
      "\"faults.crash\" = { restart_after = \"7s\" }\n"
      "\"faults.pause\" = { for = \"7s\" }\n",
      {"registry.max_bundle=6"});
  CHECK(config.registry.shards == 3);
  CHECK(config.registry.max_queue == 11);
  CHECK(config.registry.max_bundle == 6);
  CHECK(config.registry.routing.max_age == 4s);
  REQUIRE(config.faults.of<CrashFault>().size() == 2);
  CHECK(config.faults.of<CrashFault>()[0].restart_after == 7s);
  CHECK(config.faults.of<CrashFault>()[1].restart_after == 2s);
  CHECK(config.faults.of<PauseFault>().empty());
}

TEST_CASE("[defaults] of an including file override those of the included one, not its values") {
  const TemporaryFolder d;
  d.write("base.toml",
          "[joiner]\ncount = 3\n[defaults]\nregistry = { shards = 5, max_queue = 50 }\n");
  const auto top = d.write("top.toml",
                           "include = [\"base.toml\"]\n[dispatcher]\nworkers = 2\n[defaults]\n"
                           "registry = { shards = 6 }\njoiner = { count = 9 }\n");
  const LoadResult result = load(top);
  REQUIRE(result.ok());
  CHECK(result.config().registry.shards == 6);
  CHECK(result.config().registry.max_queue == 50);
  CHECK(result.config().joiner.count == 3);
}

TEST_CASE("[defaults] of a table inside another may be spelled as such") {
  const LoadResult result = load_text(
      "[[faults.crash]]\nprocess = \"us-east1/joiner/0\"\nat = \"5s\"\n"
      "[defaults.registry]\nshards = 2\n"
      "[defaults.registry.routing]\nmax_age = \"777ms\"\n"
      "[[defaults.faults.crash]]\nrestart_after = \"4s\"\n",
      "x.toml");
  if (!result) FAIL(format(result.diagnostics()));
  const Config& config = result.config();
  CHECK(config.registry.shards == 2);
  CHECK(config.registry.routing.max_age == 777ms);
  CHECK(config.faults.of<CrashFault>().at(0).restart_after == 4s);
  CHECK(
      has(must_fail("[defaults.registry.rooting]\nmax_age = \"1s\"\n"),
          {"defaults for \"registry.rooting\", which is no table", 1, 20, "\"registry.routing\""}));
  CHECK(has(must_fail("[defaults.faults]\ncrsh = { restart_after = \"4s\" }\n"),
            {"defaults for \"faults.crsh\", which is no table", 2, 1, "\"faults.crash\""}));
  CHECK(has(must_fail("[defaults.faults]\ncrash = 1\n"), {"must be tables", 2}));
}

TEST_CASE("[defaults] without a meaning are errors with their place") {
  CHECK(has(must_fail("[defaults]\nregistri = { shards = 1 }\n"),
            {"defaults for \"registri\", which is no table", 2, 1, "\"registry\""}));
  CHECK(has(must_fail("[defaults]\nregistry = { shrads = 1 }\n"),
            {"registry has no key \"shrads\"", 2, 14, "take it out"}));
  CHECK(has(must_fail("[defaults]\nregistry = [1]\n"), {"must be tables", 2}));
  CHECK(has(must_fail("[defaults]\nregistry = 1\n"), {"must be tables", 2}));
  CHECK(has(must_fail("defaults = 1\n"), {"defaults must be a table", 1}));
  CHECK(
      has(must_fail("[defaults]\nregistry = { lease = 3 }\n"), {"registry.lease needs a unit", 2}));
  // A conflict with a section is reported as usual.
  CHECK(has(must_fail("registry = 1\n[defaults]\nregistry = { shards = 2 }\n"),
            {"registry is a table, but an integer stands here", 1}));
}

TEST_CASE(
    "the lasting form is the same scenario, and leaves no own key to the program's defaults") {
  for (const Tier tier : {Tier::kWithin, Tier::kOver, Tier::kContract}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      swarm::Options options;
      options.tier = tier;
      const Config config = swarm::scenario(options, seed);
      CAPTURE(seed);
      const std::string text = to_lasting_toml(config);
      CHECK(must_load(text) == config);
      for (const std::string& key : left_open(text)) {
        CAPTURE(key);
        const std::string_view used =
            config.registry_only() ? "workload.registry." : "workload.synthetic.";
        const bool idle = key.starts_with("workload.") && std::ranges::count(key, '.') >= 2 &&
                          !key.starts_with(used);
        CHECK(idle);
      }
    }
  }
}

TEST_CASE("the lasting form of a usual scenario states its datacenters, and is short") {
  const std::string text = to_lasting_toml(Config{});
  CHECK(must_load(text) == Config{});
  CHECK(text.starts_with("[[topology.datacenter]]\nname = \"us-east1\"\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') <= 120);
  // A value of [defaults] decides, not the program's.
  std::string changed = text;
  const std::string_view usual = "max_queue = 100000";
  REQUIRE(changed.find(usual) != std::string::npos);
  changed.replace(changed.find(usual), usual.size(), "max_queue = 77");
  CHECK(must_load(changed).registry.max_queue == 77);
}
