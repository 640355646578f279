#include "scenarios/world/master_placement.h"

#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

namespace {

std::vector<photon::paxos::ReplicaIndex> placed(const std::vector<std::string>& set) {
  std::vector<std::string> all{
      "registry.shards=7",
      R"(registry.replicas=["us-east1","us-east4","us-central1","us-west1","us-west2"])"};
  all.insert(all.end(), set.begin(), set.end());
  const LoadResult loaded = load("scenarios/healthy.toml", all);
  if (!loaded) FAIL(format(loaded.diagnostics()));
  return preferred_masters(loaded.config(), deploy(loaded.config()));
}

std::vector<photon::paxos::ReplicaIndex> around(const std::string& datacenter) {
  const LoadResult loaded = load("scenarios/healthy.toml", {});
  if (!loaded) FAIL(format(loaded.diagnostics()));
  return replicas_by_distance(loaded.config(), datacenter);
}

using Indices = std::vector<photon::paxos::ReplicaIndex>;

}  // namespace

TEST_CASE("B-19 G-09 spread: the shards' masters alternate over the replicas") {
  CHECK(placed({R"(registry.master_placement="spread")"}) == Indices{0, 1, 2, 3, 4, 0, 1});
}

TEST_CASE("B-19 G-09 pinned: all in the datacenter that is named") {
  CHECK(placed({R"(registry.master_placement="pinned")",
                R"(registry.pinned_datacenter="us-west1")"}) == Indices(7, 3));
}

TEST_CASE("B-19 G-03 G-09 nearest: where the nearest two others are nearest") {
  // Of the five American regions the eastern pair and the middle one are close to one another.
  const Indices measured = placed({R"(registry.master_placement="nearest")"});
  CHECK(measured == Indices(7, measured[0]));
  CHECK(measured[0] <= 2);
  // A stated link overrides the measured one: the two western ones and the middle one become
  // neighbours, in either direction of writing.
  CHECK(placed({R"(registry.master_placement="nearest")",
                R"(network.link=[{from="us-west1",to="us-west2",rtt="1ms"},)"
                R"({from="us-central1",to="us-west2",rtt="1ms"}])"}) == Indices(7, 4));
}

TEST_CASE("B-07 the nearest replica is the one next door, then by round trip") {
  const LoadResult loaded = load("scenarios/healthy.toml", {});
  const auto& replicas = loaded.config().registry.replicas;
  for (const std::string home : {"us-east1", "us-west2"}) {
    const Indices order = around(home);
    REQUIRE(order.size() == replicas.size());
    CHECK(replicas[order.front()] == home);
    const std::string& second = replicas[order[1]];
    CHECK(second.substr(0, 7) == home.substr(0, 7));  // the other one of the same region
  }
}
