// Ids that the cache cannot tell apart by the tags of its index.
#include "tests/support/twins.h"

#include <map>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/photon/event_store/lru_cache.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using testing::kLowHalf;
using testing::twin_of;

// Eight families of eight ids: within one all tags are equal.
std::vector<EventId> families() {
  std::vector<EventId> ids;
  for (std::uint32_t family = 0; family < 8; ++family) {
    const EventId first{1, family, from_nanoseconds<Stamp>(1000 + family)};
    ids.push_back(first);
    for (std::uint32_t i = 1; i < 8; ++i) {
      ids.push_back(twin_of(first, kLowHalf, i % 3, i / 3, i));
    }
  }
  return ids;
}

}  // namespace

TEST_CASE("E-05 the cache keeps ids apart whose tags are equal") {
  const std::vector<EventId> ids = families();
  LruCache cache(40 * LruCache::charge(4));
  std::map<EventId, Bytes> last;
  const RandomStream random(1, Purpose::test, 0);
  std::size_t hits = 0;
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    const auto word = random.block(step);
    const EventId& id = ids[uniform_below(word[0], ids.size())];
    cache.expect(id);
    const auto found = cache.find(id);
    if (found) REQUIRE(Payload(*found) == last.at(id));
    hits += found ? 1 : 0;
    if (word[1] % 2 == 0) {
      Bytes payload(4);
      for (std::size_t i = 0; i < payload.size(); ++i) {
        payload[i] = static_cast<std::byte>(step >> (8 * i));
      }
      cache.insert(id, PayloadView(payload));
      last[id] = payload;
      REQUIRE(cache.find(id));
    }
    REQUIRE(cache.size() <= 40);
    if (step % 500 == 0) {
      std::size_t present = 0;
      for (const EventId& each : ids) present += cache.find(each) ? 1 : 0;
      REQUIRE(present == cache.size());
    }
  }
  CHECK(cache.size() == 40);
  CHECK(cache.evictions() > 1'000);
  CHECK(hits > 10'000);
}

}  // namespace photon
