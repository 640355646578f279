// The points of studies: parameters are keys of scenarios, by the names that --set takes.
#include "campaigns/runs/points.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "campaigns/swarm/swarm.h"
#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

using photon::analysis::Parameter;
using photon::analysis::Point;
using photon::analysis::PointKind;

std::string value_of(const Point& point, const std::string& name) {
  const auto found = std::ranges::find(point.parameters, name, &Parameter::name);
  return found == point.parameters.end() ? "(none)" : found->value;
}

}  // namespace

TEST_CASE("a scenario's parameters make it again with --set, whatever set them first") {
  for (const std::uint64_t seed : {3U, 17U, 40U}) {
    const scenarios::Config config = scenarios::swarm::scenario({}, seed);
    const Point point = point_of("x.toml", config);
    CHECK(point.kind == PointKind::scenario);
    CHECK(point.text == point_of("y.toml", config).text);
    std::set<std::string> names;
    std::vector<std::string> set;
    for (const Parameter& each : point.parameters) {
      CHECK(names.insert(each.name).second);
      set.push_back(each.name + "=" + each.value);
    }
    CHECK_FALSE(names.contains("run.seed"));
    REQUIRE(names.contains("registry.shards"));
    // Elements of lists have no default: they must be there before a key of them is set.
    const auto again = scenarios::load_text(scenarios::to_brief_toml(config), "x.toml", set);
    if (!again) FAIL(scenarios::format(again.diagnostics()));
    CHECK(scenarios::config_hash(again.config()) == scenarios::config_hash(config));
  }
}

TEST_CASE("a parameter has the value of its key, also in a list, and the seed is none") {
  const auto loaded = scenarios::load_text(
      "[run]\nseed = 7\nduration = \"90s\"\n[[faults.outage]]\ndatacenter = \"us-east4\"\nat = "
      "\"3s\"\n"
      "for = \"1s\"\n[[faults.outage]]\ndatacenter = \"us-west1\"\nat = \"5s\"\nfor = \"2s\"\n",
      "x.toml");
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  const Point point = point_of("x.toml", loaded.config());
  CHECK(value_of(point, "run.duration") == "90s");
  CHECK(value_of(point, "faults.outage.0.at") == "3s");
  CHECK(value_of(point, "faults.outage.1.datacenter") == "us-west1");
  CHECK(value_of(point, "faults.outage.2.at") == "(none)");
  scenarios::Config other = loaded.config();
  other.run.seed = 8;
  CHECK(point_of("x.toml", other) == point);
}

TEST_CASE("the options of a swarm are the parameters of its point and the words of its command") {
  CHECK(point_of(scenarios::swarm::Options{}).parameters.empty());
  const scenarios::swarm::Options options{scenarios::swarm::Profile::deep, scenarios::Tier::kOver,
                                          5000};
  const Point point = point_of(options);
  CHECK(point.kind == PointKind::generated);
  CHECK(value_of(point, "profile") == "deep");
  CHECK(value_of(point, "tier") == "over");
  CHECK(value_of(point, "most-events") == "5000");
  CHECK(point.text == " --profile deep --tier over --most-events 5000");
}

}  // namespace photonsim::campaigns
