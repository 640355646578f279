#include "analysis/reports/report_text.h"

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

TEST_CASE("report text: a figure is spelled as its unit asks") {
  CHECK(value_text(Unit::seconds, 0.0123) == "12.3 ms");
  CHECK(value_text(Unit::bytes, 0) == "0 B");
  CHECK(value_text(Unit::bytes, 412) == "412 B");
  CHECK(value_text(Unit::bytes, 999.6) == "1.00 kB");
  CHECK(value_text(Unit::bytes, 6.297e6) == "6.30 MB");
  CHECK(value_text(Unit::bytes, -12'345) == "-12.3 kB");
  CHECK(value_text(Unit::bytes, 999'700'000) == "1.00 GB");
  CHECK(value_text(Unit::bytes, 5.2e15) == "5200 TB");
  CHECK(value_text(Unit::count, 1.5321) == "1.532");
  CHECK(value_text(Unit::count, 9999.4) == "9999");
  CHECK(value_text(Unit::count, 9999.5) == "10,000");
  CHECK(value_text(Unit::count, -123'456.4) == "-123,456");
  CHECK(value_text(Unit::count, 2.5e18) == "2.5e+18");
}

}  // namespace
}  // namespace photon::analysis
