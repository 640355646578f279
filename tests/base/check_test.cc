#include "core_impl/base/check.h"

#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

class Recording final : public CheckSink {
 public:
  [[noreturn]] void check_failed(const CheckSite& site, std::string_view message) override {
    line = site.line;
    file = site.file;
    throw testing::CheckFailed(std::string(message));
  }
  int line = 0;
  std::string file;
};

TEST_CASE(
    "DESIGN-8 a failed check reports its place to the sink of this thread and does not go on") {
  Recording sink;
  const ScopedCheckSink scope(sink);
  bool went_on = false;
  const int here = __LINE__ + 2;
  const auto broken = [&] {
    PHOTON_CHECK(1 + 1 == 3, "arithmetic");
    went_on = true;
  };
  REQUIRE_THROWS_WITH(broken(), "arithmetic");
  CHECK_FALSE(went_on);
  CHECK(sink.line == here);
  CHECK(sink.file.find("check_test.cc") != std::string::npos);
}

TEST_CASE("a check that holds evaluates its condition once and reports nothing") {
  const testing::ChecksThrow checks;
  int evaluated = 0;
  PHOTON_CHECK(++evaluated == 1, "evaluated once");
  CHECK(evaluated == 1);
}

TEST_CASE("check sinks nest: leaving the inner scope brings the outer sink back") {
  Recording outer;
  const ScopedCheckSink outer_scope(outer);
  {
    const testing::ChecksThrow inner;
    REQUIRE_THROWS_AS([] { PHOTON_CHECK(false, "inner"); }(), testing::CheckFailed);
    CHECK(outer.line == 0);
  }
  REQUIRE_THROWS_AS([] { PHOTON_CHECK(false, "outer"); }(), testing::CheckFailed);
  CHECK(outer.line != 0);
}

}  // namespace
}  // namespace photon
