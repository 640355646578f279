// Whole registry shards: replicas on real PaxosDB, real clients, faults chosen by hand.
#include "core_impl/photon/registry/registry_server.h"

#include <algorithm>
#include <optional>
#include <set>

#include "tests/photon/registry/registry_cases.h"

namespace photon {
namespace {

using namespace testing;

TEST_CASE("B-03 B-20 an insert is committed and answered, a look-up sees it") {
  RegistryCluster cluster({});
  CHECK(cluster.wait(0, cluster.lookup(0, kId)).code == RegistryCode::not_found);
  const RegistryCompletion done = cluster.wait(0, cluster.insert(0, kId, kT1));
  CHECK(done.code == RegistryCode::inserted);
  CHECK(done.slot > 0);
  CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::already_exists);
  CHECK(cluster.wait(1, cluster.lookup(1, kId)).code == RegistryCode::exists);
  cluster.world().run_for(2s);
  for (std::uint32_t replica = 0; replica < cluster.replicas(); ++replica) {
    REQUIRE(cluster.server(replica).store().token_of(kId) != nullptr);  // B-10
    CHECK(*cluster.server(replica).store().token_of(kId) == kT1);
  }
  check_sound(cluster);
}

TEST_CASE("B-20 B-72 a server counts what it proposes, serves and refuses") {
  RegistryCluster cluster({});
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(1s);
  const RegistryServer::Statistics before = cluster.server(master).statistics();
  RegistryRequest request;
  request.request = 1;
  for (std::uint32_t number = 1; number < 4; ++number) {
    request.items.push_back({id_number(number), kT1, RegistryOperation::insert});
  }
  request.items.push_back({kId, {}, RegistryOperation::lookup});
  const std::uint32_t follower = (master + 1) % 3;
  for (const std::uint32_t replica : {master, follower}) {
    cluster.world().deliver(
        {cluster.user_id(0), cluster.server_id(replica), Body::make(RegistryRequest{request})},
        1ms);
  }
  cluster.world().run_for(1s);
  const RegistryServer::Statistics& after = cluster.server(master).statistics();
  CHECK(after.transactions == before.transactions + 1);
  CHECK(after.operations == before.operations + 4);
  CHECK(after.refused == 0);
  CHECK(after.collections == 0);
  CHECK(after.aside == 0);
  CHECK(after.future == 0);
  CHECK(cluster.server(follower).statistics().refused == 1);
  CHECK(cluster.server(follower).statistics().transactions == 0);
  CHECK(cluster.server(follower).statistics().operations == 0);
  CHECK(cluster.server(follower).overloaded() == 0);
  check_sound(cluster);
}

TEST_CASE("B-22 M-40 a lone request starts its transaction at once, alone") {
  RegistryCluster cluster({});
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(5s);
  std::optional<MonotonicTime> received;
  cluster.world().on_send = [&](const Sent& sent) {
    if (sent.body.type() == RegistryRequest::kType) received = cluster.world().now();
  };
  cluster.world().decisions.clear();
  const std::uint64_t tag = cluster.insert(0, kId, kT1);
  REQUIRE(cluster.world().run_until([&] { return cluster.user(0).result(tag) != nullptr; }, 1s));
  std::size_t batches = 0;
  for (const trace::Record& record : cluster.world().decisions) {
    if (record.header.kind != trace::Kind::batch_proposed) continue;
    ++batches;
    CHECK(record.header.node == cluster.server_id(master));
    CHECK(record.as<trace::BatchProposed>().operations == 1);
    const auto at = MonotonicTime(record.header.at.time_since_epoch());
    CHECK(at - *received <= 1500us);  // one way, and no longer
  }
  CHECK(batches == 1);
}

TEST_CASE("B-24 BC-04 an id in two batches: the second is decided when the first is chosen") {
  RegistryCluster cluster({});
  static_cast<void>(cluster.wait_for_master());
  cluster.world().run_for(1s);
  cluster.world().drop = is_accept;  // the first batch stays in flight
  const std::uint64_t first = cluster.insert(0, kId, kT1);
  wait_for_batch(cluster, 1);
  const std::uint64_t second = cluster.insert(1, kId, kT2);
  const std::uint64_t lookup = cluster.lookup(1, kId);
  cluster.world().run_for(500ms);
  CHECK(cluster.user(0).result(first) == nullptr);
  CHECK(cluster.user(1).result(second) == nullptr);
  CHECK(cluster.user(1).result(lookup) == nullptr);
  cluster.world().drop = nullptr;
  const RegistryCompletion winner = cluster.wait(0, first);
  const RegistryCompletion loser = cluster.wait(1, second);
  CHECK(winner.code == RegistryCode::inserted);
  CHECK(loser.code == RegistryCode::already_exists);
  CHECK(winner.slot < loser.slot);
  CHECK(cluster.wait(1, lookup).code == RegistryCode::exists);
  check_sound(cluster);
}

TEST_CASE("B-21 B-24 the next batch waits for the one in flight and takes all that arrived") {
  RegistryCluster cluster({});
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(1s);
  cluster.world().decisions.clear();
  std::uint64_t last = cluster.insert(0, kId, kT1);
  wait_for_batch(cluster, 1);
  for (std::uint32_t item = 0; item < 50; ++item) {
    last = cluster.insert(item % 2, item == 0 ? kId : id_number(100 + item), kT2);
  }
  static_cast<void>(cluster.wait(1, last));
  std::vector<std::uint32_t> batches;
  std::uint64_t open = 0;
  for (const trace::Record& record : cluster.world().decisions) {
    if (record.header.node != cluster.server_id(master)) continue;
    if (record.header.kind == trace::Kind::batch_proposed) {
      CHECK(open == 0);
      open = record.as<trace::BatchProposed>().slot;
      batches.push_back(record.as<trace::BatchProposed>().operations);
    } else if (record.header.kind == trace::Kind::slot_applied) {
      if (record.as<trace::SlotApplied>().slot == open) open = 0;
    }
  }
  REQUIRE(batches.size() >= 2);
  CHECK(batches.size() <= 5);
  CHECK(batches[0] == 1);
  CHECK(*std::max_element(batches.begin(), batches.end()) > 10);  // group commit (B-21)
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT2)).code == RegistryCode::already_exists);
}

TEST_CASE("BC-06 committed, the reply is lost, the same token is retried at the same master") {
  RegistryCluster cluster({});
  static_cast<void>(cluster.wait_for_master());
  int lost = 0;
  cluster.world().drop = [&](const Sent& sent) { return is_reply(sent) && lost++ == 0; };
  const RegistryCompletion done = cluster.wait(0, cluster.insert(0, kId, kT1));
  CHECK(done.code == RegistryCode::inserted);
  CHECK(lost >= 2);
  CHECK(cluster.server(0).store().size() == 1);
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 1);
}

TEST_CASE("BC-07 committed, the reply is lost, the same token is retried at a new master") {
  RegistryCluster cluster({});
  const std::uint32_t master = cluster.wait_for_master();
  const NodeId old = cluster.server_id(master);
  cluster.world().drop = [&](const Sent& sent) { return is_reply(sent) && sent.from == old; };
  const std::uint64_t tag = cluster.insert(0, kId, kT1);
  REQUIRE(
      cluster.world().run_until([&] { return cluster.server(master).store().size() == 1; }, 1s));
  cluster.world().crash(old);
  CHECK(cluster.wait(0, tag).code == RegistryCode::inserted);
  CHECK(cluster.wait_for_master() != master);
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 1);
}

// The master's proposal reaches `reached` of four followers, then it dies, its outcome unknown. Its
// acceptance stays on its own disk.
std::uint64_t master_dies_with_proposal(RegistryCluster& cluster, std::uint32_t reached) {
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(1s);
  std::uint32_t delivered = 0;
  cluster.world().drop = [&](const Sent& sent) {
    if (sent.from != cluster.server_id(master) || !is_accept(sent)) return false;
    return delivered++ >= reached;
  };
  const std::uint64_t first = cluster.insert(0, kId, kT1);
  wait_for_batch(cluster, 1);
  cluster.world().run_for(2ms);
  cluster.world().crash(cluster.server_id(master));
  CHECK(cluster.user(0).result(first) == nullptr);
  cluster.world().drop = nullptr;
  return first;
}

// The old master comes back, with its acceptance of the old proposal on disk.
void check_one_registration(RegistryCluster& cluster) {
  for (std::uint32_t i = 0; i < 5; ++i) {
    if (!cluster.world().alive(cluster.server_id(i))) cluster.restart(i);
  }
  cluster.world().run_for(10s);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(cluster.server(i).store().size() == 1);
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 1);
}

// The slots in which an insert of that id with that token was applied, whatever its result.
std::size_t slots_with(RegistryCluster& cluster, const EventId& id, const Token& token) {
  std::set<std::uint64_t> slots;
  for (const trace::Record& record : cluster.world().decisions) {
    if (record.header.kind != trace::Kind::operation_applied) continue;
    const auto& applied = record.as<trace::OperationApplied>();
    if (applied.id == id && applied.token == token) slots.insert(applied.slot);
  }
  return slots.size();
}

TEST_CASE("B-15 BC-08 a proposal of unknown outcome at failover, retried at the new master") {
  for (const std::uint32_t reached : {0U, 1U, 2U}) {
    INFO("accepts delivered to " << reached << " followers");
    RegistryCluster cluster({.replicas = 5});
    const std::uint64_t tag = master_dies_with_proposal(cluster, reached);
    CHECK(cluster.wait(0, tag).code == RegistryCode::inserted);
    check_one_registration(cluster);
    // With two of four every new majority knows the old proposal: it surfaces before the retry.
    if (reached == 2) CHECK(slots_with(cluster, kId, kT1) == 2);
    if (reached == 0) CHECK(slots_with(cluster, kId, kT1) == 1);
  }
}

TEST_CASE("B-15 BC-09 the same with another joiner registering in between") {
  for (const std::uint32_t reached : {0U, 1U, 2U}) {
    INFO("accepts delivered to " << reached << " followers");
    RegistryCluster cluster({.replicas = 5});
    const std::uint64_t tag = master_dies_with_proposal(cluster, reached);
    cluster.world().drop = [&](const Sent& sent) { return sent.from == cluster.user_id(0); };
    const RegistryCompletion rival = cluster.wait(1, cluster.insert(1, kId, kT2));
    cluster.world().drop = nullptr;
    const RegistryCompletion mine = cluster.wait(0, tag);
    // The one applied first has won; the other one is answered so in the end.
    const bool surfaced = reached == 2 || (reached == 1 && mine.code == RegistryCode::inserted);
    CHECK(mine.code == (surfaced ? RegistryCode::inserted : RegistryCode::already_exists));
    CHECK(rival.code == (surfaced ? RegistryCode::already_exists : RegistryCode::inserted));
    CHECK(cluster.server(cluster.wait_for_master()).store().token_of(kId)->address ==
          (surfaced ? kT1 : kT2).address);
    check_one_registration(cluster);
  }
}

TEST_CASE(
    "B-17 B-27 BC-23 the majority is lost in the middle of a batch: no client gets an answer") {
  RegistryCluster cluster({});
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().run_for(1s);
  const std::uint64_t first = cluster.insert(0, kId, kT1);
  const std::uint64_t second = cluster.insert(1, kId, kT2);
  std::vector<std::uint64_t> lookups;
  cluster.world().drop = [&](const Sent& sent) { return is_accept(sent); };
  wait_for_batch(cluster, 1);
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    if (replica != master) cluster.world().crash(cluster.server_id(replica));
  }
  cluster.world().drop = nullptr;
  lookups.push_back(cluster.lookup(0, kId));
  cluster.world().run_for(1min);
  CHECK(cluster.user(0).result(first) == nullptr);
  CHECK(cluster.user(1).result(second) == nullptr);
  CHECK(cluster.wait(0, lookups[0]).code == RegistryCode::unavailable);
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    if (replica != master) cluster.restart(replica);
  }
  const RegistryCompletion mine = cluster.wait(0, first);
  const RegistryCompletion other = cluster.wait(1, second);
  CHECK((mine.code == RegistryCode::inserted) != (other.code == RegistryCode::inserted));
  check_sound(cluster);
  CHECK(cluster.fresh_inserts(kId) == 1);
}

TEST_CASE("B-04 BC-24 a region with the master and one more replica is lost: service continues") {
  RegistryCluster cluster({.replicas = 5});
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT1)).code == RegistryCode::inserted);
  const std::uint32_t master = cluster.wait_for_master();
  cluster.world().crash(cluster.server_id(master));
  cluster.world().crash(cluster.server_id((master + 1) % 5));
  CHECK(cluster.wait(1, cluster.insert(1, id_number(2), kT2)).code == RegistryCode::inserted);
  CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::already_exists);
  check_sound(cluster);
}

TEST_CASE("BC-25 the network delivers an insert again an hour later: the same answer") {
  RegistryCluster cluster({});
  const NodeId master = cluster.server_id(cluster.wait_for_master());
  std::optional<Sent> request;
  cluster.world().drop = [&](const Sent& sent) {
    if (sent.body.type() == RegistryRequest::kType && sent.to == master) request = sent;
    return false;
  };
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT1)).code == RegistryCode::inserted);
  REQUIRE(request.has_value());
  std::size_t replies = 0;
  cluster.world().drop = [&](const Sent& sent) {
    if (!is_reply(sent)) return false;
    CHECK(sent.body.as<RegistryReply>().results.at(0).code == RegistryCode::inserted);
    ++replies;
    return false;
  };
  cluster.world().deliver(*request, 1h);
  cluster.world().run_for(2h);
  CHECK(replies == 1);
  CHECK(cluster.fresh_inserts(kId) == 1);
  check_sound(cluster);
}

TEST_CASE("B-14 M-04 a deposed master with a stale store does not answer from it") {
  RegistryCluster cluster({});
  const std::uint32_t old = cluster.wait_for_master();
  // It receives from its clients, but from no other replica.
  cluster.world().drop = [&](const Sent& sent) {
    const bool both_servers =
        sent.from.value() < cluster.replicas() && sent.to.value() < cluster.replicas();
    return both_servers &&
           (sent.from == cluster.server_id(old) || sent.to == cluster.server_id(old));
  };
  CHECK(cluster.wait(0, cluster.insert(0, kId, kT1)).code == RegistryCode::inserted);
  CHECK(cluster.server(old).store().lookup(kId) == RegistryCode::not_found);
  // User 1 still asks the old master.
  CHECK(cluster.wait(1, cluster.lookup(1, kId)).code == RegistryCode::exists);
  CHECK(cluster.wait(1, cluster.insert(1, kId, kT2)).code == RegistryCode::already_exists);
  check_sound(cluster);
}

enum class Mixed : std::uint8_t { queued, in_flight };

// The mixed batch's place when the master dies: still queued after another one, or proposed, and
// then accepted by `reached` of four followers.
void mixed_batch_fails_over(Mixed state, std::uint32_t reached) {
  INFO("accepts delivered to " << reached << " followers");
  ClusterOptions options = short_memory();
  options.replicas = 5;
  RegistryCluster cluster(options);
  const std::uint32_t master = cluster.wait_for_master();
  const EventId stored = id_now(cluster, 1);
  CHECK(cluster.wait(0, cluster.insert(0, stored, kT1)).code == RegistryCode::inserted);
  cluster.world().run_for(1s);
  const EventId old = id_number(5, 900);
  const EventId fresh = id_now(cluster, 2);
  std::uint64_t blocked_from = 0;  // slots from here on reach no more than `reached`
  std::uint32_t delivered = 0;
  cluster.world().drop = [&](const Sent& sent) {
    if (!is_accept(sent) || sent.from != cluster.server_id(master)) return false;
    if (payload_in<paxos::Accept>(sent.body)->first_slot < blocked_from) return false;
    return blocked_from == 0 || delivered++ >= reached;
  };
  const std::uint64_t blocker = cluster.insert(0, id_now(cluster, 3), kT1);
  wait_for_batch(cluster, 1);
  const std::uint64_t blocker_slot =
      cluster.world().decisions.back().as<trace::BatchProposed>().slot;
  const std::uint64_t too_old = cluster.insert(0, old, kT1);
  const std::uint64_t duplicate = cluster.insert(1, stored, kT2);
  const std::uint64_t same = cluster.insert(0, stored, kT1);
  const std::uint64_t new_one = cluster.insert(1, fresh, kT2);
  cluster.world().run_for(5ms);
  if (state == Mixed::in_flight) {
    blocked_from = blocker_slot + 1;
    wait_for_batch(cluster, 4);
    cluster.world().run_for(2ms);
  }
  CHECK(cluster.user(0).result(too_old) == nullptr);
  CHECK(cluster.user(1).result(duplicate) == nullptr);
  CHECK(cluster.user(0).result(same) == nullptr);
  CHECK(cluster.user(1).result(new_one) == nullptr);
  cluster.world().crash(cluster.server_id(master));
  cluster.world().drop = nullptr;
  CHECK(cluster.wait(0, blocker).code == RegistryCode::inserted);
  CHECK(cluster.wait(0, too_old).code == RegistryCode::too_old);
  CHECK(cluster.wait(1, duplicate).code == RegistryCode::already_exists);
  CHECK(cluster.wait(0, same).code == RegistryCode::inserted);
  CHECK(cluster.wait(1, new_one).code == RegistryCode::inserted);
  CHECK(cluster.fresh_inserts(stored) == 1);
  CHECK(cluster.fresh_inserts(fresh) == 1);
  CHECK(cluster.fresh_inserts(old) == 0);
  // With two of four the batch surfaces at the new master, and the retries follow it.
  CHECK(slots_with(cluster, fresh, kT2) == (reached == 2 ? 2 : 1));
  check_sound(cluster);
}

TEST_CASE("B-28 BC-32 a mixed batch fails over before it is chosen: each retry gets its own code") {
  mixed_batch_fails_over(Mixed::queued, 0);
  mixed_batch_fails_over(Mixed::in_flight, 0);
  mixed_batch_fails_over(Mixed::in_flight, 2);
}

TEST_CASE("B-72 an id of another shard is refused, never stored") {
  ClusterOptions options;
  options.shards = 2;
  RegistryCluster cluster(options);
  std::uint32_t number = 0;
  while (ShardMap(2).shard_of(id_number(number)) == ShardId(0)) ++number;
  static_cast<void>(cluster.wait_for_master());
  const std::uint64_t tag = cluster.insert(0, id_number(number), kT1);
  cluster.world().run_for(10s);
  CHECK(cluster.user(0).result(tag) == nullptr);  // not definitive: the client continues
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    CHECK(cluster.server(replica).store().size() == 0);
  }
}

// The codes with which the master answers one request with these items; empty: no answer.
std::vector<RegistryCode> answer_to(RegistryCluster& cluster,
                                    const std::vector<RegistryItem>& items,
                                    LookupMode mode = LookupMode::queue_ordered) {
  const std::uint32_t master = cluster.wait_for_master();
  std::vector<RegistryCode> codes;
  cluster.world().on_send = [&](const Sent& sent) {
    if (!is_reply(sent)) return;
    for (const RegistryResult& result : sent.body.as<RegistryReply>().results) {
      codes.push_back(result.code);
      CHECK((result.slot != 0) == trace::is_definitive(result.code));
    }
  };
  RegistryRequest request;
  request.request = 1;
  request.lookups = mode;
  request.items.assign(items.begin(), items.end());
  cluster.world().deliver(
      {cluster.user_id(0), cluster.server_id(master), Body::make(std::move(request))}, 1ms);
  cluster.world().run_for(2s);
  return codes;
}

TEST_CASE("B-45 a request with an item that no client sends gets no answer and has no effect") {
  RegistryCluster cluster({});
  using Operation = RegistryOperation;
  const RegistryItem good{id_number(2), kT1, Operation::insert};
  for (const RegistryItem& wrong :
       {RegistryItem{kId, kT1, Operation::lookup}, RegistryItem{kId, kT1, Operation::read_token},
        RegistryItem{kId, {}, Operation::insert}, RegistryItem{kId, {}, Operation::clear},
        RegistryItem{kId, {}, Operation::remove}, RegistryItem{kId, {}, Operation::move_boundary},
        RegistryItem{kId, kT1, Operation::collect}}) {
    CHECK(answer_to(cluster, {good, wrong}).empty());
  }
  // A replica answers look-ups alone.
  CHECK(answer_to(cluster, {good}, LookupMode::replica).empty());
  CHECK(answer_to(cluster, {{kId, {}, Operation::read_token}}, LookupMode::replica).empty());
  CHECK(cluster.server(cluster.wait_for_master()).store().size() == 0);
  CHECK(answer_to(cluster, {good}) == std::vector{RegistryCode::inserted});
}

TEST_CASE("B-72 B-60f foreign ids and ids from the future are refused alone, each for its reason") {
  ClusterOptions options;
  options.shards = 2;
  options.server.future_ids = FutureIds::rejected;
  RegistryCluster cluster(options);
  // An id of that shard, from now or from an hour ahead.
  const auto id = [](std::uint32_t shard, std::int64_t seconds) {
    std::uint32_t number = 0;
    while (ShardMap(2).shard_of(id_number(number, seconds)) != ShardId(shard)) ++number;
    return id_number(number, seconds);
  };
  constexpr auto kWrong = RegistryCode::wrong_shard;
  const auto insert = [](const EventId& each) {
    return RegistryItem{each, kT1, RegistryOperation::insert};
  };
  CHECK(answer_to(cluster, {insert(id(1, 1000)), insert(id(0, 1000)), insert(id(1, 9000)),
                            insert(id(0, 9000)), insert(id(1, 1000))}) ==
        std::vector{kWrong, RegistryCode::inserted, kWrong, RegistryCode::future, kWrong});
  const auto lookup = [](const EventId& each) {
    return RegistryItem{each, {}, RegistryOperation::lookup};
  };
  CHECK(answer_to(cluster, {lookup(id(1, 1000)), lookup(id(0, 1000)), lookup(id(1, 1001))},
                  LookupMode::replica) == std::vector{kWrong, RegistryCode::exists, kWrong});
}

TEST_CASE("B-18 a restarted replica rebuilds its store from its log") {
  RegistryCluster cluster({});
  for (std::uint32_t item = 0; item < 20; ++item) {
    const EventId id = id_number(item);
    CHECK(cluster.wait(0, cluster.insert(0, id, kT1)).code == RegistryCode::inserted);
  }
  for (std::uint32_t replica = 0; replica < 3; ++replica) cluster.restart(replica);
  CHECK(cluster.wait(1, cluster.insert(1, id_number(3), kT2)).code == RegistryCode::already_exists);
  cluster.world().run_for(5s);
  for (std::uint32_t replica = 0; replica < 3; ++replica) {
    CHECK(cluster.server(replica).store().size() == 20);
  }
  check_sound(cluster);
}

}  // namespace
}  // namespace photon
