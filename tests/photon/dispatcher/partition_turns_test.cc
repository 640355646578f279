// The partitions of a worker take turns: none waits for another that has much to do.

#include <algorithm>
#include <cstdint>
#include <map>

#include "tests/photon/dispatcher/dispatcher_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

TEST_CASE("C-33 partitions take turns, however few look-ups or sends there may be at a time") {
  constexpr std::uint32_t kEach = 20;
  // With five partitions, the logs of these servers fill three; two have nothing to start.
  constexpr std::uint16_t kServers[] = {1, 2, 4};
  for (const bool by_sends : {false, true}) {
    CAPTURE(by_sends);
    DispatcherWorld world;
    world.config.partitions = 5;
    world.config.max_outstanding_lookups = by_sends ? 100 : 1;
    world.config.max_outstanding_sends = by_sends ? 1 : 100;
    std::map<EventId, std::uint16_t> server_of;
    for (const std::uint16_t server : kServers) {
      for (std::uint32_t i = 0; i < kEach; ++i) {
        const std::uint32_t number = 100U * server + i;
        world.write_click(server, 0, click_id(number), query_id(number));
        server_of[click_id(number)] = server;
      }
    }
    world.start();
    world.harness.run_for(20s);
    REQUIRE(world.finished.size() == server_of.size());
    std::map<std::uint16_t, std::size_t> sent;  // so far
    for (const std::uint16_t server : kServers) sent[server] = 0;
    std::size_t furthest = 0;  // apart
    for (const DispatcherWorld::Sent& each : world.sent) {
      ++sent[server_of.at(each.click)];
      const auto [least, most] = std::ranges::minmax_element(
          sent, {}, &std::map<std::uint16_t, std::size_t>::value_type::second);
      furthest = std::max(furthest, most->second - least->second);
    }
    CHECK(furthest == 1);
  }
}
