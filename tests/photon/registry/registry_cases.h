// Shared by tests of whole shards: two tokens, one id, the relevant messages, the last check.
#pragma once

#include <chrono>
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

inline void check_sound(RegistryCluster& cluster) {
  for (const std::string& finding : cluster.findings()) FAIL_CHECK(finding);
}

}  // namespace photon::testing
