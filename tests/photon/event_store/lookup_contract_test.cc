// The joiner's contract with an EventStore: which query has this id?
#include <set>

#include "tests/photon/event_store/event_store_world.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace photon::testing;
using namespace std::chrono_literals;

TEST_CASE("E-01 a look-up returns the query with exactly this id, or that there is none") {
  LogShape shape;
  shape.events = 400;
  shape.disorder = 50ms;
  const PrimaryLog log = make_log(shape);
  std::set<EventId> present;
  for (const Written& event : log.events) present.insert(event.id);
  EventStoreWorld::Options options;
  options.cache_bytes = 8U << 10U;  // some answers come from the cache, some from the logs
  EventStoreWorld world(options);
  world.logs() = log.disk();
  world.run_for(60s);
  std::set<QueryTier> tiers;
  for (const EventId& id : present) {
    const auto found = world.lookup_now(id);
    REQUIRE(found.status == QueryStatus::found);
    CHECK(found.query == id);
    CHECK(found.payload == payload_of(id));
    tiers.insert(found.tier);
    for (const EventId& near : {EventId{id.server, id.process, id.stamp + Duration(1)},
                                EventId{id.server, id.process, id.stamp - Duration(1)},
                                EventId{id.server, id.process + 77, id.stamp},
                                EventId{id.server + 1, id.process, id.stamp}}) {
      if (present.contains(near)) continue;
      const auto missed = world.lookup_now(near);
      REQUIRE(missed.status == QueryStatus::not_found);
      CHECK(missed.payload.size() == 0);
    }
  }
  CHECK(tiers.size() == 2);
}

}  // namespace
}  // namespace photon
