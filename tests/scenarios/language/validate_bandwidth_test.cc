#include "scenarios/language/schema.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

namespace {

void refused_with(const std::vector<std::string>& set, std::string_view message) {
  CAPTURE(set);
  CHECK(has(must_fail("", set), {message, 0, 0, {}}));
}

std::string bandwidth_fault(const std::string& body) { return "faults.bandwidth=[{" + body + "}]"; }

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
