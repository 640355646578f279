// What is allowed and probably a mistake.
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

std::vector<Diagnostic> warnings(std::string_view text, const std::vector<std::string>& set = {}) {
  const LoadResult loaded = load_text(text, "w.toml", set);
  if (!loaded) {
    FAIL(format(loaded.diagnostics()));
  }
  for (const Diagnostic& each : loaded.warnings()) CHECK(each.severity == Severity::kWarning);
  return loaded.warnings();
}

// Three datacenters in a row, with the long way stated.
std::string row_of_three(std::string_view long_way) {
  return R"(
[topology]
pipelines = ["a", "c"]
datacenter = [{name = "a", region = "ra"}, {name = "b", region = "rb"}, {name = "c", region = "rc"}]
[registry]
replicas = ["a", "b", "c"]
[network]
wan = "links"
[[network.link]]
from = "a"
to = "b"
rtt = "10ms"
[[network.link]]
from = "b"
to = "c"
rtt = "20ms"
[[network.link]]
from = "c"
to = "a"
rtt = ")" +
         std::string{long_way} + "\"\n";
}

}  // namespace

TEST_CASE("the default scenario and every shipped one load without warnings") {
  CHECK(warnings("[scenario]\nname = \"x\"\n").empty());
  for (const std::string& name : shipped()) {
    const LoadResult loaded = load(shipped_path(name));
    REQUIRE(loaded.ok());
    CAPTURE(name, format(loaded.warnings()));
    if (name == "memory") {
      // Its caches are small on purpose: they are full for most of the run.
      REQUIRE(loaded.warnings().size() == 1);
      CHECK_THAT(loaded.warnings().front().message, Catch::StartsWith("the caches of a pipeline"));
    } else {
      CHECK(loaded.warnings().empty());
    }
  }
}

TEST_CASE("a stated round trip longer than a detour gets a warning, at its line") {
  CHECK(warnings(row_of_three("30ms")).empty());
  const auto found = warnings(row_of_three("31ms"));
  REQUIRE(found.size() == 1);
  CHECK(has(found, {"from c to a takes 31.0 ms, and by way of b only 20.0 ms + 10.0 ms", 20, 7}));
}

TEST_CASE("many long round trips are three warnings and a number") {
  std::string datacenters;
  std::string links;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "d" + std::to_string(i);
    datacenters += (i == 0 ? "" : ", ") + ("{name = \"" + name + "\", region = \"r" + name + "\"}");
    for (int j = 0; j < i; ++j) {  // d0 is near to all, which are far from each other
      links += "[[network.link]]\nfrom = \"" + name + "\"\nto = \"d" + std::to_string(j) +
               "\"\nrtt = \"" + (j == 0 ? "1ms" : "50ms") + "\"\n";
    }
  }
  const auto found = warnings("[topology]\npipelines = [\"d0\"]\ndatacenter = [" + datacenters +
                              "]\n[registry]\nreplicas = [\"d0\", \"d1\", \"d2\"]\n"
                              "[network]\nwan = \"links\"\n" +
                              links);
  CHECK(found.size() == 4);
  CHECK(has(found, {"7 more round trips are longer than a detour"}));
}

TEST_CASE("a time-out below the round trip and the commit gets a warning with both times") {
  // a - b 10 ms, b - c 20 ms, a - c 30 ms. From pipeline a to the master in c: 30 ms, and 20 ms
  // until b has it.
  const std::string text = row_of_three("30ms");
  CHECK(warnings(text, {"joiner.registry_timeout=51ms"}).empty());
  const auto short_registry = warnings(text, {"joiner.registry_timeout=50ms"});
  REQUIRE(short_registry.size() == 1);
  CHECK(has(short_registry,
            {"from a to a master in c takes 30.0 ms, plus 20.0 ms", 0, 0, "longer than 50.0 ms"}));
  CHECK(short_registry.front().file == "--set joiner.registry_timeout=50ms");
  // The dispatcher waits for the joiner's registration, and for its own round trip of 500 us.
  CHECK(warnings(text, {"dispatcher.send_timeout=51ms"}).empty());
  const auto short_send = warnings(text, {"dispatcher.send_timeout=50ms"});
  REQUIRE(short_send.size() == 1);
  CHECK(
      has(short_send, {"plus 20.0 ms until a majority of the replicas has it, plus 500 us between "
                       "dispatcher and joiner",
                       0, 0, "longer than 50.5 ms"}));
  // A look-up waits for no commit.
  CHECK(warnings(text, {"dispatcher.lookup_timeout=31ms"}).empty());
  CHECK(has(warnings(text, {"dispatcher.lookup_timeout=30ms"}),
            {"every look-up times out before its answer can arrive"}));
  CHECK(warnings(text, {"dispatcher.lookup_timeout=30ms", "dispatcher.pre_lookup=false"}).empty());
  // All masters in a, the first of those that are 10 ms from a majority: 30 ms from pipeline c.
  const std::string nearest = "registry.master_placement=nearest";
  CHECK(warnings(text, {nearest, "joiner.registry_timeout=41ms"}).empty());
  CHECK(warnings(text, {nearest, "joiner.registry_timeout=40ms"}).size() == 1);
}

TEST_CASE("elections, look-ups and proofs that cannot end in time get a warning") {
  const std::string text = row_of_three("30ms");
  // Replicas in a and b have their quorum after 10 ms; the masters are spread, and one in c has it
  // after 20 ms.
  const auto elections = [&](const std::string& timeout, const std::string& lease) {
    return warnings(text, {"registry.election_timeout=" + timeout, "registry.lease=" + lease,
                           "registry.heartbeat=1ms"});
  };
  CHECK(elections("21ms", "20500us").empty());
  const auto lease = elections("21ms", "20ms");
  REQUIRE(lease.size() == 1);
  CHECK(
      has(lease, {"with registry.lease = 20.0 ms a master loses its lease before it can renew it: "
                  "a majority of the replicas answers one in c after 20.0 ms",
                  0, 0, "longer than 20.0 ms"}));
  CHECK(elections("11ms", "9ms").size() == 1);  // replicas in a and b win elections
  CHECK(has(elections("10ms", "9ms"),
            {"with registry.election_timeout = 10.0 ms no replica wins an election", 0, 0,
             "longer than 10.0 ms"}));
  const std::string slow = "network.intra_datacenter_rtt=2ms";
  CHECK(warnings(text, {slow, "joiner.event_store_timeout=3ms"}).empty());
  CHECK(
      has(warnings(text, {slow, "joiner.event_store_timeout=2ms"}),
          {"every look-up of a query times out: the round trip to the EventStore takes 2.00 ms"}));
  // From pipeline a to pipeline c and back.
  const std::string on = "verification.enabled=true";
  CHECK(warnings(text, {on, "verification.answer_timeout=31ms"}).empty());
  CHECK(has(warnings(text, {on, "verification.answer_timeout=30ms"}),
            {"a verifier in a never hears the auditor in c: the round trip takes 30.0 ms"}));
}

TEST_CASE("a linger counts towards the shortest answer, and lone clients have no rivals") {
  // As above: 40 ms of round trip and quorum.
  const std::string text = row_of_three("30ms");
  const std::string nearest = "registry.master_placement=nearest";
  CHECK(warnings(text, {nearest, "joiner.registry_timeout=46ms", "registry.linger=5ms"}).empty());
  CHECK(has(warnings(text, {nearest, "joiner.registry_timeout=45ms", "registry.linger=5ms"}),
            {"plus registry.linger = 5.00 ms", 0, 0, "longer than 45.0 ms"}));
  const std::string load =
      "[topology]\npipelines = [\"us-east1\"]\n[workload]\nkind = \"registry\"\n"
      "[workload.registry]\nclients = 1\ncontested = 0.5\n[run]\nduration = \"2min\"\n";
  CHECK(has(warnings(load), {"workload.registry.contested = 0.5 has no effect", 7, 13, "raise"}));
  CHECK(warnings(load, {"workload.registry.clients=2"}).empty());
}

TEST_CASE("a pinned datacenter without pinning gets a warning") {
  CHECK(has(warnings("[registry]\npinned_datacenter = \"us-east4\"\n"),
            {"registry.pinned_datacenter = \"us-east4\" has no effect", 2, 21, "leave"}));
  CHECK(warnings("[registry]\npinned_datacenter = \"us-east4\"\nmaster_placement = \"pinned\"\n")
            .empty());
}

TEST_CASE("caches that hold less than a click's delay get a warning with the time that they hold") {
  // 10 clicks a second of 5 queries in 50 of 100 s: 25 queries of 96 + 128 bytes a second.
  const std::string load =
      "[run]\nduration = \"100s\"\nwarm_up = \"50s\"\n[event_store]\ncache_nodes = 1\n"
      "[workload.synthetic]\nrate = 10\nqueries_per_click = 5\nquery_payload = \"128B\"\n"
      "fast_mean = \"8s\"\n[shipping]\ncommon_mean = \"2s\"\n";
  const auto warned = [&](const std::string& bytes) {
    return format(warnings(load, {"event_store.cache_bytes=" + bytes}));
  };
  CHECK_THAT(warned("28000B"), Catch::Contains("the queries of 5 s") &&
                                   Catch::Contains("after 10.0 s on average: many queries"));
  CHECK_THAT(warned("27000B"), Catch::Contains("of 4.82 s") && Catch::Contains("most queries"));
  CHECK(warnings(load, {"event_store.cache_bytes=56001B"}).empty());
}

TEST_CASE("clicks that follow queries get a warning where the load does not change") {
  const std::string load =
      "[run]\nduration = \"100s\"\n[workload.synthetic]\nclicks_follow_queries = true\n";
  CHECK(has(warnings(load), {"it changes nothing", 4, 25, "daily"}));
  CHECK(warnings(load, {"workload.synthetic.daily.amplitude=0.5"}).empty());
}

TEST_CASE("processes that share stamps get a warning where neither time nor stamps are coarse") {
  const std::string load = "[run]\nduration = \"100s\"\n[workload.synthetic]\nprocesses = 3\n";
  CHECK(has(warnings(load), {"it changes nothing", 4, 13, "run.tick"}));
  CHECK(warnings(load, {"run.tick=10ms"}).empty());
  CHECK(warnings(load, {"clocks.stamp_resolution=10ms"}).empty());
  CHECK(warnings(load, {"workload.synthetic.processes=1"}).empty());
}

TEST_CASE("warnings are labelled as such, and not counted as errors") {
  const std::string text = format(warnings("", {"registry.pinned_datacenter=us-east4"}));
  CHECK_THAT(text, Catch::StartsWith("--set registry.pinned_datacenter=us-east4: warning: "));
  CHECK_THAT(text, !Catch::Contains("error"));
}
