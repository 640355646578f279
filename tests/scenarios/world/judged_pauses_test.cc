// The judge's own pauses and time-outs, beside the numbers of SPEC and beside the system's.
#include "scenarios/world/judged_pauses.h"

#include <algorithm>

#include "core_impl/base/jitter.h"
#include "core_impl/paxos/replica_driver.h"
#include "core_impl/photon/event_store/options.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "core_impl/photon/verification/verifier.h"
#include "scenarios/world/backoff.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

namespace {

Dispatcher with_backoff(Duration initial, double factor, Duration cap, double jitter) {
  Dispatcher dispatcher;
  dispatcher.backoff_initial = initial;
  dispatcher.backoff_factor = factor;
  dispatcher.backoff_cap = cap;
  dispatcher.backoff_jitter = jitter;
  return dispatcher;
}

Duration after(const std::vector<Duration>& pauses, std::size_t failures) {
  return pauses[std::min(failures, pauses.size()) - 1];
}

}  // namespace

TEST_CASE("C-21 the judge's pauses double up to the cap, a tenth shorter or longer") {
  const Dispatcher dispatcher = with_backoff(1s, 2, 5s, 0.1);
  const std::vector<Duration> longest = longest_pauses(dispatcher);
  const std::vector<Duration> shortest = shortest_pauses(dispatcher);
  REQUIRE(longest.size() == 4);
  REQUIRE(shortest.size() == 4);
  const Duration exact[] = {1s, 2s, 4s, 5s};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(longest[i] >= exact[i] / 10 * 11);
    CHECK(longest[i] < exact[i] / 10 * 11 + 1us);
    CHECK(shortest[i] <= exact[i] / 10 * 9);
    CHECK(shortest[i] > exact[i] / 10 * 9 - 1us);
  }
  // A first pause at the cap, and one that never grows, are the only ones.
  CHECK(longest_pauses(with_backoff(9s, 2, 5s, 0)).size() == 1);
  CHECK(shortest_pauses(with_backoff(1s, 1, 5s, 0)).size() == 1);
}

TEST_CASE("C-21 the system's pauses are within the judge's, and reach nearly to both ends") {
  const Dispatcher dispatcher =
      GENERATE(with_backoff(1s, 2, 300s, 0.1), with_backoff(777ns, 1.5, 1ms, 0.5),
               with_backoff(100ms, 1.001, 60s, 0.02), with_backoff(3s, 1, 60s, 0.25),
               with_backoff(5s, 4, 5s, 0), with_backoff(250ms, 1.333, 20s, 0.999));
  const photon::Backoff backoff = backoff_of(dispatcher);
  const std::vector<Duration> longest = longest_pauses(dispatcher);
  const std::vector<Duration> shortest = shortest_pauses(dispatcher);
  for (std::uint32_t failures = 1; failures <= 130; ++failures) {
    const Duration least = backoff.delay(failures, 0);
    const Duration most = backoff.delay(failures, ~std::uint64_t{0});
    INFO(failures << " failures: " << least.count() << " to " << most.count() << " ns");
    CHECK(after(shortest, failures) <= least);
    CHECK(after(longest, failures) >= most);
    if (failures >= std::min(longest.size(), shortest.size())) continue;
    CHECK((least - after(shortest, failures)) * 100 <= least + 1us);
    CHECK((after(longest, failures) - most) * 100 <= most + 1us);
  }
}

TEST_CASE("the judge's time-outs are those of the system that no scenario states") {
  CHECK(kRequestPause == photon::RegistryClientOptions{}.retry_delay);
  CHECK(kCacheTimeout == photon::EventStoreClientOptions{}.cache_timeout);
  CHECK(kVerifierLease == photon::VerifierOptions{}.lease);
  CHECK(kFetchTimeout == photon::paxos::DriverOptions{}.fetch_timeout);
  CHECK(kMostTimeouts == photon::RegistryClient::kLongestDetour);
}

TEST_CASE("C-02 the judge's longest pause between two scans is the system's") {
  Dispatcher dispatcher;
  dispatcher.scan_period = 1s + 7ns;
  dispatcher.scan_jitter = GENERATE(0.0, 0.05, 0.3);
  const Duration most =
      photon::jittered(dispatcher.scan_period, permille(dispatcher.scan_jitter), ~std::uint64_t{0});
  CHECK(longest_scan_pause(dispatcher) >= most);
  CHECK(longest_scan_pause(dispatcher) < most + 1us);
}
