#include "core_impl/base/narrow.h"

#include <cstdint>
#include <limits>

#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon {

TEST_CASE("a narrowed number is the same number, or a failed check") {
  const testing::ChecksThrow checks_throw;
  CHECK(narrow<std::uint8_t>(255) == 255);
  CHECK(narrow<std::int8_t>(-128L) == -128);
  CHECK(narrow<std::uint32_t>(std::size_t{0xffffffff}) == 0xffffffff);
  CHECK_THROWS_AS(narrow<std::uint8_t>(256), testing::CheckFailed);
  CHECK_THROWS_AS(narrow<std::uint32_t>(std::size_t{1} << 32U), testing::CheckFailed);
  CHECK_THROWS_AS(narrow<std::uint16_t>(-1), testing::CheckFailed);
  CHECK_THROWS_AS(narrow<std::int32_t>(std::numeric_limits<std::uint32_t>::max()),
                  testing::CheckFailed);
}

static_assert(narrow<std::uint16_t>(65535U) == 65535);

}  // namespace photon
