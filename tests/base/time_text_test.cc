#include "core_impl/base/time_text.h"

#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

TEST_CASE("times as text are exact and end with their last significant digit") {
  CHECK(in_seconds(0s) == "0s");
  CHECK(in_seconds(180s) == "180s");
  CHECK(in_seconds(250ms) == "0.25s");
  CHECK(in_seconds(-62398000001ns) == "-62.398000001s");
  CHECK(in_seconds(1ns) == "0.000000001s");
  CHECK(in_seconds(Duration::max()) == "9223372036.854775807s");
  CHECK(in_seconds(Duration::min()) == "-9223372036.854775808s");
}

}  // namespace
}  // namespace photon
