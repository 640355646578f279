#include "scenarios/language/schema.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

void refused_with(const std::vector<std::string>& set, std::string_view message,
                  std::string_view hint = {}) {
  CAPTURE(set);
  CHECK(has(must_fail("", set), {message, 0, 0, hint}));
}

std::string entry(const std::string& table, const std::string& body) {
  return "faults." + table + "=[{" + body + "}]";
}

std::string bandwidth_fault(const std::string& body) { return entry("bandwidth", body); }

}  // namespace

TEST_CASE("validate: a link of limited bandwidth joins parties that exist, and transmits") {
  const auto bandwidth = [](const std::string& body) {
    return bandwidth_fault(body + ",at=\"100s\",for=\"5s\"");
  };
  const std::string good = "from=[\"us-east1/joiner\"],to=[\"registry/2\"],rate=\"64KiB\"";
  CHECK(to_toml(must_load("", {bandwidth(good)})).find("[[faults.bandwidth]]") !=
        std::string::npos);
  refused_with({bandwidth("from=[],rate=\"64KiB\"")}, "concerns nobody");
  refused_with({bandwidth("to=[\"mars\"],rate=\"64KiB\"")}, "no process is called \"mars\"");
  refused_with({bandwidth("rate=\"0B\"")}, "rate");
  refused_with({bandwidth("from=[\"any\"]")}, "rate");
  refused_with({bandwidth_fault("rate=\"64KiB\",at=\"10000s\",for=\"5s\"")}, "begins at");
}

TEST_CASE("E-08 BC-18 lost caches and late configurations concern what a configuration has") {
  refused_with({entry("cache_loss", R"(process="us-east1/joiner/0",at="1s")")},
               "a joiner is no cache", "cache/0");
  refused_with({entry("cache_loss", R"(process="us-east1/cache/9",at="1s")")},
               "there is no cache 9");
  refused_with({entry("cache_loss", R"(process="us-east1/cache/0",at="20min")")},
               "begins at 20min");
  const std::string drawn = R"(kind="cache_loss",mean_interval="1min")";
  refused_with({"workload.kind=registry", entry("random", drawn)}, "there are no caches",
               "synthetic");
  refused_with({entry("random", drawn + ",datacenter=\"us-west2\"")}, "runs no pipeline");
  refused_with({entry("random", drawn + ",target=\"joiner\"")}, "target has no effect");
  refused_with({entry("random", drawn + ",restart_after=\"1s\"")}, "restart_after has no effect");
  refused_with({entry("random", drawn + ",mean_duration=\"1s\"")}, "mean_duration has no effect");
  CHECK(must_load("", {entry("random", drawn)}).faults.of<RandomFault>().size() == 1);

  const std::string dynamic = "registry.sharding=dynamic";
  const std::string late = R"(at="1s",for="9s")";
  refused_with({entry("late_configuration", late)}, "no configuration to learn", "dynamic");
  refused_with({dynamic, entry("late_configuration", late + ",who=[]")}, "concerns nobody");
  refused_with({dynamic, entry("late_configuration", late + R"(,who=["us-east9"])")},
               "no process is called");
  refused_with({dynamic, entry("late_configuration", R"(at="20min",for="9s")")}, "begins at 20min");
  CHECK(must_load("", {dynamic, entry("late_configuration", late)})
            .faults.of<LateConfigurationFault>()[0] == LateConfigurationFault{{"any"}, 1s, 9s});
  const std::string often = R"(kind="late_configuration",mean_interval="1min")";
  refused_with({entry("random", often)}, "no configuration to learn", "dynamic");
  refused_with({dynamic, entry("random", often + ",restart_after=\"1s\"")},
               "restart_after has no effect");
  CHECK(must_load("", {dynamic, entry("random", often + R"(,datacenter="us-west2")")})
            .faults.of<RandomFault>()
            .size() == 1);
}
