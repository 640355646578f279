#include "core_impl/base/time.h"

#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;

TEST_CASE("A-11 sums and differences of stamps saturate at the ends of time") {
  CHECK(shifted(Stamp(5s), 2s) == Stamp(7s));
  CHECK(shifted(Stamp(5s), -7s) == Stamp(-2s));
  CHECK(shifted(Stamp::max() - 1s, 2s) == Stamp::max());
  CHECK(shifted(Stamp::min() + 1s, -2s) == Stamp::min());
  CHECK(shifted(Stamp::max(), Duration(-1)) == Stamp::max() - Duration(1));
  CHECK(between(Stamp(5s), Stamp(7s)) == 2s);
  CHECK(between(Stamp(7s), Stamp(5s)) == -2s);
  CHECK(between(Stamp::min(), Stamp(1s)) == Duration::max());
  CHECK(between(Stamp(1s), Stamp::min()) == Duration::min());
  CHECK(between(Stamp::max(), Stamp::max()) == 0s);
}

}  // namespace
}  // namespace photon
