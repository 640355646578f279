#include "core_impl/base/jitter.h"

#include <cstdlib>
#include <limits>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST_CASE("C-21 C-02 a jittered pause reaches both ends of its range and never leaves it") {
  CHECK(jittered(1s, 500, 0) == 500ms);
  CHECK(jittered(1s, 500, kMost) == 1500ms);
  CHECK(jittered(1s, 500, kMost / 2) == 1s);
  CHECK(jittered(10s, 1000, 0) == 0s);
  CHECK(jittered(3s, 0, 0) == 3s);
  CHECK(jittered(3s, 0, kMost) == 3s);
  // The remainder of the division by a thousand counts as well.
  CHECK(jittered(1999ns, 500, kMost) == 2998ns);
}

TEST_CASE("C-02 jittered pauses of one stream spread evenly around the base") {
  const RandomStream stream(1, Purpose::test, 1);
  constexpr int kDraws = 10'000;
  Duration sum{};
  int below = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Duration pause = jittered(1s, 500, stream.word(static_cast<std::uint64_t>(i)));
    sum += pause;
    if (pause < 750ms) ++below;
  }
  CHECK(std::abs((sum / kDraws - 1s).count()) < Duration(15ms).count());  // 5 sigma
  CHECK(std::abs(below - kDraws / 4) < 220);                              // 5 sigma
}

}  // namespace
}  // namespace photon
