// Shared by tests of whole shards: two tokens, ids, the relevant messages and moments, the last
// check.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "core_impl/photon/registry/registry_server.h"
#include "tests/photon/registry/registry_cluster.h"
#include "tests/support/catch.h"
#include "tests/support/paxos_payload.h"

namespace photon::testing {

using namespace std::chrono_literals;

inline constexpr Token kT1{1, 1, 1};
inline constexpr Token kT2{2, 1, 1};
inline const EventId kId = id_number(1);

inline bool is_reply(const Sent& sent) { return sent.body.type() == RegistryReply::kType; }
inline bool is_accept(const Sent& sent) { return payload_in<paxos::Accept>(sent.body) != nullptr; }

// Runs until the master has proposed a batch of at least `operations` client operations.
inline void wait_for_batch(RegistryCluster& cluster, std::uint32_t operations) {
  const auto& decisions = cluster.world().decisions;
  const std::size_t before = decisions.size();
  const bool proposed = cluster.world().run_until(
      [&] {
        return std::any_of(decisions.begin() + static_cast<std::ptrdiff_t>(before), decisions.end(),
                           [&](const trace::Record& record) {
                             return record.header.kind == trace::Kind::batch_proposed &&
                                    record.as<trace::BatchProposed>().operations >= operations;
                           });
      },
      10s);
  REQUIRE(proposed);
}

// Ids are too old after ten seconds, and are collected a few at a time.
inline ClusterOptions short_memory() {
  ClusterOptions options;
  options.server.gc_age = 10s;
  options.server.boundary_period = 1s;
  options.server.collect_period = 1s;
  options.server.collect_slice = 1s;
  options.server.collect_limit = 7;
  return options;
}

// An id of this moment.
inline EventId id_now(RegistryCluster& cluster, std::uint32_t number) {
  return EventId{7, number, Stamp(cluster.world().now().time_since_epoch())};
}

inline void check_sound(RegistryCluster& cluster) {
  for (const std::string& finding : cluster.findings()) FAIL_CHECK(finding);
}

}  // namespace photon::testing
