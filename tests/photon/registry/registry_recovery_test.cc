// Clearing and the recovery delete on whole shards: real replicas, real clients, faults by hand.
//
// The verifier decides when to request them (SPEC F); here is the registry's side: conditions at
// apply, on every replica, under any master.
#include <algorithm>
#include <optional>

#include "tests/photon/registry/registry_cases.h"

namespace photon {
namespace {

using namespace testing;

void check_everywhere(RegistryCluster& cluster, RegistryCode code, const Token& token) {
  cluster.world().run_for(5s);
  for (std::uint32_t replica = 0; replica < cluster.replicas(); ++replica) {
    const IdStore::StoredToken stored = cluster.server(replica).store().read_token(kId);
    CHECK(stored.code == code);
    CHECK(stored.token == token);
  }
}

TEST_CASE("B-06 F-12 F-09 clear, remove and read_token, end to end and on every replica") {
  RegistryCluster cluster({});
  CHECK(cluster.wait(0, cluster.read_token(0, kId)).code == RegistryCode::not_found);
  CHECK(cluster.wait(0, cluster.clear(0, kId, kT1)).code == RegistryCode::not_found);
  static_cast<void>(cluster.wait(0, cluster.insert(0, kId, kT1)));
  const RegistryCompletion read = cluster.wait(1, cluster.read_token(1, kId));
  CHECK(read.code == RegistryCode::exists);
  CHECK(read.token == kT1);
  CHECK(cluster.wait(1, cluster.remove(1, kId, kT2)).code == RegistryCode::no_match);
  CHECK(cluster.wait(1, cluster.remove(1, kId, kT1)).code == RegistryCode::removed);
  check_everywhere(cluster, RegistryCode::not_found, Token{});
  CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::inserted);
  CHECK(cluster.wait(0, cluster.clear(0, kId, kT2)).code == RegistryCode::cleared);
  CHECK(cluster.wait(0, cluster.read_token(0, kId)).code == RegistryCode::cleared);
  CHECK(cluster.wait(0, cluster.lookup(0, kId)).code == RegistryCode::exists);
  CHECK(cluster.wait(0, cluster.remove(0, kId, kT2)).code == RegistryCode::no_match);
  check_everywhere(cluster, RegistryCode::cleared, Token{});
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 2);
  CHECK(cluster.removals(kId) == 1);
}

TEST_CASE("BC-10 B-45 the reply is lost, the token is cleared, the retry gets already_exists") {
  RegistryCluster cluster({});
  static_cast<void>(cluster.wait_for_master());
  cluster.world().drop = [&](const Sent& sent) {
    return is_reply(sent) && sent.to == cluster.user_id(0);
  };
  const std::uint64_t tag = cluster.insert(0, kId, kT1);
  cluster.world().run_for(500ms);
  REQUIRE(cluster.user(0).result(tag) == nullptr);
  // Only a durable output clears a token; here its reader requests it.
  CHECK(cluster.wait(1, cluster.clear(1, kId, kT1)).code == RegistryCode::cleared);
  cluster.world().drop = nullptr;
  CHECK(cluster.wait(0, tag).code == RegistryCode::already_exists);
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 1);
}

TEST_CASE("BC-12 B-16 a zombie's insert after the recovery delete: a second pass recovers again") {
  RegistryCluster cluster({});
  const NodeId master = cluster.server_id(cluster.wait_for_master());
  std::optional<Sent> zombie;
  cluster.world().drop = [&](const Sent& sent) {
    const bool request = sent.body.type() == RegistryRequest::kType && sent.to == master;
    if (request && sent.from == cluster.user_id(0) && !zombie) zombie = sent;
    return false;
  };
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT1)).code == RegistryCode::inserted);
  REQUIRE(zombie.has_value());
  cluster.world().crash(cluster.user_id(0));  // the joiner, before its output
  CHECK(cluster.wait(1, cluster.remove(1, kId, kT1)).code == RegistryCode::removed);
  SECTION("before any other joiner: the dead token owns the id again, until the second pass") {
    cluster.world().deliver(*zombie, 10ms);
    cluster.world().run_for(1s);
    const RegistryCompletion read = cluster.wait(1, cluster.read_token(1, kId));
    CHECK(read.code == RegistryCode::exists);
    CHECK(read.token == kT1);
    CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::already_exists);
    CHECK(cluster.wait(1, cluster.remove(1, kId, kT1)).code == RegistryCode::removed);
    CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::inserted);
    CHECK(cluster.fresh_inserts(kId) == 3);
  }
  SECTION("after the click was registered anew: it gets already_exists") {
    CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::inserted);
    cluster.world().deliver(*zombie, 10ms);
    cluster.world().run_for(1s);
    CHECK(cluster.fresh_inserts(kId) == 2);
  }
  CHECK(cluster.wait(1, cluster.read_token(1, kId)).token == kT2);
  check_sound(cluster);
}

TEST_CASE(
    "BC-29 F-09 M-38 two recoveries, a new registration between them: the second does nothing") {
  RegistryCluster cluster({.users = 3});
  static_cast<void>(cluster.wait(0, cluster.insert(0, kId, kT1)));
  // Both verifiers have read the dead token.
  CHECK(cluster.wait(1, cluster.read_token(1, kId)).token == kT1);
  CHECK(cluster.wait(2, cluster.read_token(2, kId)).token == kT1);
  CHECK(cluster.wait(1, cluster.remove(1, kId, kT1)).code == RegistryCode::removed);
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT2)).code == RegistryCode::inserted);
  CHECK(cluster.wait(2, cluster.remove(2, kId, kT1)).code == RegistryCode::no_match);
  check_everywhere(cluster, RegistryCode::exists, kT2);
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 2);
}

// The master proposes the removal, `reached` of four followers accept it, it dies; the verifier
// retries at the new master, and meanwhile perhaps another joiner registers the click anew. The old
// proposal may surface before or after.
void removal_over_a_failover(std::uint32_t reached) {
  INFO("accepts delivered to " << reached << " followers");
  RegistryCluster cluster({.replicas = 5});
  static_cast<void>(cluster.wait(0, cluster.insert(0, kId, kT1)));
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(1s);
  std::uint32_t delivered = 0;
  cluster.world().drop = [&](const Sent& sent) {
    if (sent.from != cluster.server_id(master) || !is_accept(sent)) return false;
    return delivered++ >= reached;
  };
  const std::uint64_t removal = cluster.remove(0, kId, kT1);
  cluster.world().run_for(5ms);
  cluster.world().crash(cluster.server_id(master));
  cluster.world().drop = nullptr;
  const RegistryCode removed = cluster.wait(0, removal).code;
  // A repetition that arrives after the first copy finds nothing (B-16).
  CHECK((removed == RegistryCode::removed || removed == RegistryCode::not_found));
  CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::inserted);
  cluster.restart(master);  // with its acceptance of the old proposal on disk
  CHECK(cluster.wait(0, cluster.remove(0, kId, kT1)).code == RegistryCode::no_match);
  check_everywhere(cluster, RegistryCode::exists, kT2);
  CHECK(cluster.removals(kId) == 1);
  check_sound(cluster);
}

TEST_CASE("B-15 B-16 M-06 a removal of unknown outcome at failover removes the id once") {
  for (const std::uint32_t reached : {0U, 1U, 2U}) removal_over_a_failover(reached);
}

TEST_CASE("B-27 without a majority a removal is not answered, and read_token ends as unknown") {
  RegistryCluster cluster({});
  static_cast<void>(cluster.wait(0, cluster.insert(0, kId, kT1)));
  const std::uint32_t master = cluster.wait_for_master();
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    if (replica != master) cluster.world().crash(cluster.server_id(replica));
  }
  const std::uint64_t removal = cluster.remove(0, kId, kT1);
  const std::uint64_t read = cluster.read_token(1, kId);
  cluster.world().run_for(1min);
  CHECK(cluster.user(0).result(removal) == nullptr);
  CHECK(cluster.wait(1, read).code == RegistryCode::unavailable);
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    if (replica != master) cluster.restart(replica);
  }
  static_cast<void>(cluster.wait(0, removal));
  CHECK(cluster.wait(1, cluster.read_token(1, kId)).code == RegistryCode::not_found);
  check_sound(cluster);
}

}  // namespace
}  // namespace photon
