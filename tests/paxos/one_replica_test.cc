// One replica alone, every answer of the others written by the test: limits of messages, of times
// and of what a vote may name.
#include <algorithm>
#include <optional>
#include <vector>

#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {
namespace {

using namespace std::chrono_literals;

Config config_of_three(ReplicaIndex self) {
  Config config;
  config.group = ShardId(5);
  config.self = self;
  config.replicas = 3;
  return config;
}

// Its disk is as quick as `persists` says: what it writes is durable at once, or when told so.
struct One {
  explicit One(const Config& given) : config(given), replica(given, Recovered{}, now) {}

  template <class Event>
  void step(Event event) {
    Output out;
    replica.step(Input{now, std::move(event)}, out);
    std::ranges::move(out.messages, std::back_inserter(sent));
    records += out.records.size();
    mark = out.mark;
    offer = out.offer ? out.offer : offer;
    if (persists && !out.records.empty()) step(Persisted{mark});
  }
  template <class M>
  void receive(ReplicaIndex from, M message) {
    message.group = config.group;
    step(Received{from, Message(std::move(message))});
  }
  // The messages of one type since the last call, with their receivers.
  template <class M>
  std::vector<std::pair<ReplicaSet, M>> take() {
    std::vector<std::pair<ReplicaSet, M>> found;
    for (const Outgoing& each : sent) {
      if (const auto* message = std::get_if<M>(&each.message))
        found.emplace_back(each.to, *message);
    }
    sent.clear();
    return found;
  }
  Ballot ballot() const { return std::get<Master>(replica.role()).ballot; }

  // Elected by a promise of replica 1, which also acknowledges its heartbeat.
  void become_master() {
    step(StandForElection{});
    const Ballot standing = std::get<Candidate>(replica.role()).ballot;
    receive(1, Promise{{}, standing, replica.commit() + 1, 0, kFirstGeneration, {}});
    acknowledge();
    REQUIRE(replica.can_propose(now));
  }
  void acknowledge(ReplicaIndex from = 1, Slot wants_from = 0) {
    receive(from, HeartbeatAck{{}, ballot(), wants_from, now, kFirstGeneration});
  }
  void vote(Slot first, std::size_t count) {
    receive(
        1,
        Accepted{
            {}, ballot(), first, 0, now, kFirstGeneration, PooledVector<std::uint64_t>(count, 0)});
  }
  void choose(std::string_view text) {
    step(Propose{command(text)});
    vote(replica.commit() + 1, 1);
  }

  Config config;
  MonotonicTime now{10s};
  Replica replica;
  bool persists = true;
  std::uint64_t mark = 0;
  std::size_t records = 0;
  std::vector<Outgoing> sent;
  std::optional<Offered> offer;
};

Bytes state_of(const Replica& replica) {
  Bytes bytes;
  Encoder encoder(bytes);
  replica.encode_state(encoder);
  return bytes;
}

}  // namespace

TEST_CASE("B-17 a follower that lags gets chosen slots, no more than the limits of a message") {
  Config config = config_of_three(0);
  config.lease = 0s;
  config.catch_up_slots = 4;
  constexpr Slot kChosen = 10;
  const std::size_t value_bytes = value("x").size();
  std::size_t most = 4;
  SECTION("slots") { config.catch_up_bytes = 1000; }
  SECTION("bytes that are just enough for three") {
    config.catch_up_bytes = narrow<std::uint32_t>(3 * value_bytes);
    most = 3;
  }
  SECTION("bytes that are one too few for three") {
    config.catch_up_bytes = narrow<std::uint32_t>(3 * value_bytes - 1);
    most = 2;
  }
  SECTION("too few bytes for one slot: one is sent all the same") {
    config.catch_up_bytes = 1;
    most = 1;
  }
  One master(config);
  master.become_master();
  for (Slot slot = 1; slot <= kChosen; ++slot) master.choose("x");
  REQUIRE(master.replica.commit() == kChosen);
  for (Slot wanted = 1; wanted <= kChosen + 1; ++wanted) {
    CAPTURE(wanted);
    master.now += config.heartbeat;  // the last message counts as lost from then on
    master.take<Accept>();
    master.acknowledge(2, wanted);
    const auto accepts = master.take<Accept>();
    REQUIRE(accepts.size() == (wanted <= kChosen ? 1 : 0));
    if (accepts.empty()) continue;
    const auto& [to, accept] = accepts.front();
    CHECK(to == ReplicaSet::only(2));
    CHECK(accept.first_slot == wanted);
    CHECK(accept.commit == kChosen);
    CHECK(accept.ballot == master.ballot());
    CHECK(accept.values.size() == std::min<std::size_t>(most, kChosen - wanted + 1));
  }
}

TEST_CASE("B-17 what is on its way to a follower is sent again after a heartbeat, no sooner") {
  Config config = config_of_three(0);
  config.lease = 0s;
  config.catch_up_slots = 2;
  One master(config);
  master.become_master();
  for (int slot = 0; slot < 5; ++slot) master.choose("x");
  const auto first_slots = [&](Slot wanted) {
    master.take<Accept>();
    master.acknowledge(2, wanted);
    std::vector<Slot> slots;
    for (const auto& [to, accept] : master.take<Accept>()) slots.push_back(accept.first_slot);
    return slots;
  };
  CHECK(first_slots(1) == std::vector<Slot>{1});  // slots 1 and 2
  CHECK(first_slots(1).empty());
  CHECK(first_slots(2).empty());
  CHECK(first_slots(3) == std::vector<Slot>{3});  // the next ones are not
  CHECK(first_slots(4).empty());
  master.now += config.heartbeat - 1ns;
  CHECK(first_slots(4).empty());
  master.now += 1ns;
  CHECK(first_slots(4) == std::vector<Slot>{4});
  CHECK(first_slots(0).empty());  // it lacks nothing
}

TEST_CASE("B-18 a follower that lacks removed slots is offered the snapshot, others get slots") {
  Config config = config_of_three(0);
  config.lease = 0s;
  One master(config);
  master.become_master();
  for (int slot = 0; slot < 5; ++slot) master.choose("x");
  master.step(Compact{3});
  master.take<Accept>();
  master.acknowledge(2, 4);
  const auto accepts = master.take<Accept>();
  REQUIRE(accepts.size() == 1);
  CHECK(accepts[0].second.first_slot == 4);
  CHECK(accepts[0].second.values.size() == 2);
  for (int again = 0; again < 2; ++again) {
    master.acknowledge(2, 3);  // slots up to 5 were just sent
    CHECK(master.take<SnapshotOffer>().empty());
    master.now += config.heartbeat;
    master.acknowledge(2, 3);
    const auto offers = master.take<SnapshotOffer>();
    REQUIRE(offers.size() == 1);
    CHECK(offers[0].first == ReplicaSet::only(2));
    CHECK(offers[0].second == SnapshotOffer{config.group, master.ballot(), 3});
  }
}

TEST_CASE("M-05 B-10 a vote for slots that are not open, or of an unknown disk, chooses nothing") {
  Config config = config_of_three(0);
  config.pipeline_depth = 3;
  One master(config);
  master.become_master();
  for (int slot = 0; slot < 3; ++slot) master.step(Propose{command("x")});
  master.vote(4, 1);
  master.vote(Slot{1} << 40U, 2);
  master.vote(~Slot{0}, 1);
  CHECK(master.replica.commit() == 0);
  master.receive(1, Accepted{{}, master.ballot(), 1, 0, master.now, Generation{2}, {0}});
  CHECK(master.replica.commit() == 0);
  master.vote(0, 2);  // slot 0 is none; slot 1 is open
  CHECK(master.replica.commit() == 1);
  master.vote(2, 7);  // and slots beyond
  CHECK(master.replica.commit() == 3);
  master.vote(1, 3);
  CHECK(master.replica.commit() == 3);
}

TEST_CASE("B-11 a master honours its own grant, which its requests renew as heartbeats do") {
  const Config config = config_of_three(0);
  One master(config);
  master.become_master();
  const MonotonicTime elected = master.now;
  master.now = elected + 1000ms;
  master.choose("x");  // replica 1 grants again
  REQUIRE(master.replica.has_authority(elected + config.lease + 900ms));
  const auto promises = [&](MonotonicTime at) {
    master.now = at;
    master.take<Promise>();
    master.receive(2, Prepare{{}, make_ballot(9, 2), 1, Ballot{}});
    return master.take<Promise>().size();
  };
  CHECK(promises(elected + config.lease) == 0);
  CHECK(promises(elected + 1000ms + config.lease - 1ns) == 0);
  CHECK(promises(elected + 1000ms + config.lease) == 1);
}

TEST_CASE("B-11 a master wakes at the end of its lease, or of its time to serve, and steps down") {
  const Config config = config_of_three(0);
  One master(config);
  const bool served = GENERATE(false, true);
  MonotonicTime end = master.now + config.election_timeout;
  if (served) {
    master.become_master();
    end = master.replica.lease_until();
    CHECK(end == master.now + counted_lease(config));
  } else {
    master.step(StandForElection{});
    const Ballot ballot = std::get<Candidate>(master.replica.role()).ballot;
    master.receive(1, Promise{{}, ballot, 1, 0, kFirstGeneration, {}});
  }
  // No answer any more: a heartbeat each period, and then the end, between two of them.
  std::vector<Duration> waits;
  while (std::holds_alternative<Master>(master.replica.role())) {
    REQUIRE(waits.size() < 20);
    const MonotonicTime next = master.replica.next_wakeup();
    waits.push_back(next - master.now);
    master.now = next;
    master.step(Tick{});
  }
  CHECK(master.now == end);
  for (std::size_t i = 0; i + 1 < waits.size(); ++i) CHECK(waits[i] == config.heartbeat);
  CHECK(waits.size() == (served ? 5 : 7));
  CHECK(std::holds_alternative<Follower>(master.replica.role()));
  CHECK_FALSE(master.replica.has_authority(master.now));
}

TEST_CASE("B-13 no round is left out while a follower wants slots, or a record is not durable") {
  const Config config = config_of_three(0);
  One master(config);
  master.become_master();
  master.now = master.replica.next_wakeup();
  master.step(Tick{});
  master.acknowledge(1);
  CHECK_FALSE(master.replica.idle_rounds());  // replica 2 has not answered
  master.acknowledge(2, 1);
  CHECK_FALSE(master.replica.idle_rounds());  // it lacks slot 1
  master.acknowledge(2);
  CHECK(master.replica.idle_rounds());
}

TEST_CASE("B-10 a replica ignores other groups, processes that are no members, and itself") {
  One follower(config_of_three(1));
  const Bytes before = state_of(follower.replica);
  const Heartbeat own{{}, make_ballot(3, 1), 0, follower.now};
  follower.receive(1, own);
  follower.receive(3, Heartbeat{{}, make_ballot(3, 3), 0, follower.now});
  follower.step(Received{0, Heartbeat{ShardId(6), make_ballot(3, 0), 0, follower.now}});
  // Nor does it believe a member that speaks for another one, or of no slot.
  follower.receive(0, Heartbeat{{}, make_ballot(3, 2), 0, follower.now});
  follower.receive(0, Accept{{}, make_ballot(3, 2), 1, 0, follower.now, {value("x")}});
  follower.receive(0, Accept{{}, make_ballot(3, 0), 0, 0, follower.now, {value("x")}});
  follower.receive(0, Prepare{{}, make_ballot(3, 2), 1, Ballot{}});
  follower.receive(0, Transfer{{}, make_ballot(3, 2), 0});
  CHECK(state_of(follower.replica) == before);
  CHECK(follower.records == 0);
  CHECK(follower.sent.empty());
  follower.receive(0, Heartbeat{{}, make_ballot(3, 0), 0, follower.now});
  CHECK(follower.sent.size() == 1);
}

TEST_CASE("B-11 a rejection counts for its own ballot, and only if the promise is above that") {
  const bool master = GENERATE(false, true);
  One one(config_of_three(0));
  one.step(StandForElection{});
  const Ballot ballot = std::get<Candidate>(one.replica.role()).ballot;
  if (master) one.receive(1, Promise{{}, ballot, 1, 0, kFirstGeneration, {}});
  const std::size_t role = one.replica.role().index();
  one.receive(2, Reject{{}, make_ballot(round_of(ballot), 2), make_ballot(7, 2)});
  one.receive(2, Reject{{}, ballot, ballot});
  CHECK(one.replica.role().index() == role);
  CHECK(one.replica.promised() == ballot);
  one.now += one.config.lease;  // the grant to itself, which it would honour
  one.receive(2, Reject{{}, ballot, make_ballot(8, 2)});
  if (master) {
    // It stands again at once, above all that it has heard of.
    CHECK(std::get<Candidate>(one.replica.role()).ballot == make_ballot(9, 0));
  } else {
    CHECK(std::holds_alternative<Follower>(one.replica.role()));
    one.now = one.replica.next_wakeup();
    one.step(Tick{});
    CHECK(std::get<Candidate>(one.replica.role()).ballot == make_ballot(9, 0));
  }
}

TEST_CASE("B-18 an offer counts for a follower that lacks what it covers, and for no other role") {
  One follower(config_of_three(1));
  const Ballot ballot = make_ballot(3, 0);
  follower.receive(0, Accept{{}, ballot, 1, 2, follower.now, {value("x"), value("y")}});
  REQUIRE(follower.replica.commit() == 2);
  follower.receive(0, SnapshotOffer{{}, ballot, 2});
  CHECK_FALSE(follower.offer.has_value());
  follower.receive(0, SnapshotOffer{{}, ballot, 3});
  REQUIRE(follower.offer.has_value());
  CHECK(follower.offer->from == 0);
  CHECK(follower.offer->through == 3);
  One candidate(config_of_three(1));
  candidate.step(StandForElection{});
  candidate.receive(0, SnapshotOffer{{}, ballot, 3});
  CHECK_FALSE(candidate.offer.has_value());
}

TEST_CASE("B-12 B-13 a follower whose promise is not durable does not follow idly yet") {
  One follower(config_of_three(1));
  follower.persists = false;
  const Ballot ballot = make_ballot(3, 0);
  follower.receive(0, Heartbeat{{}, ballot, 0, follower.now});
  CHECK(follower.sent.empty());  // nothing is granted before it is durable
  CHECK_FALSE(follower.replica.follows_idly());
  follower.step(Persisted{follower.mark});
  CHECK(follower.take<HeartbeatAck>().size() == 1);
  CHECK(follower.replica.follows_idly());
  follower.receive(2, Prepare{{}, make_ballot(4, 2), 1, ballot});  // the master handed over
  follower.step(Persisted{follower.mark});
  CHECK_FALSE(follower.replica.follows_idly());
}

TEST_CASE("B-17 a master that is woken early sends nothing, and everything when it is due") {
  One master(config_of_three(0));
  master.become_master();
  master.step(Propose{command("x")});
  master.sent.clear();
  for (int period = 0; period < 2; ++period) {
    const MonotonicTime due = master.now + master.config.heartbeat;
    for (const MonotonicTime early : {master.now, due - 1ns}) {
      master.now = early;
      master.step(Tick{});
      CHECK(master.sent.empty());
    }
    master.now = due;
    master.step(Tick{});
    std::size_t accepts = 0;
    std::size_t heartbeats = 0;
    for (const Outgoing& each : master.sent) {
      CHECK(each.to == master.config.others());
      accepts += std::holds_alternative<Accept>(each.message) ? 1 : 0;
      heartbeats += std::holds_alternative<Heartbeat>(each.message) ? 1 : 0;
    }
    CHECK(accepts == 1);
    CHECK(heartbeats == 1);
    CHECK(master.sent.size() == 2);
    master.sent.clear();
  }
}

TEST_CASE(
    "B-18 a restarted replica counts the disks that its snapshot names, a new one the first") {
  const Config config = config_of_three(0);
  CHECK(Replica(config, Recovered{}, {}).generations() == Generations(3));
  Recovered recovered = Recovered::above(4);
  recovered.base.generations = Generations(3);
  recovered.base.generations.admit({2, Generation{2}});
  const Replica replica(config, recovered, {});
  CHECK(replica.generations() == recovered.base.generations);
}

TEST_CASE("B-18 B-24 no value overtakes an admission that waits for open slots") {
  Config config = config_of_three(0);
  config.pipeline_depth = 3;
  One master(config);
  master.become_master();
  master.step(Propose{command("before")});
  REQUIRE(master.replica.can_propose(master.now));  // two more slots have room
  master.receive(2, HeartbeatAck{{}, master.ballot(), 0, master.now, Generation{2}});
  CHECK_FALSE(master.replica.can_propose(master.now));
  master.take<Accept>();
  master.step(Propose{command("too early")});
  CHECK(master.take<Accept>().empty());
  master.vote(1, 1);
  const auto accepts = master.take<Accept>();
  REQUIRE(accepts.size() == 1);
  CHECK(accepts[0].second.first_slot == 2);
  CHECK(accepts[0].second.values[0] == admission_value({2, Generation{2}}));
  CHECK_FALSE(master.replica.can_propose(master.now));
  master.vote(2, 1);
  CHECK(master.replica.generations().of(2) == Generation{2});
  CHECK(master.replica.can_propose(master.now));
}

TEST_CASE("B-18 a late answer of a disk lost since does not take the place of the newest one") {
  One master(config_of_three(0));
  master.become_master();
  master.step(Propose{command("before")});
  master.take<Accept>();
  for (const std::uint32_t generation : {2U, 4U, 3U}) {
    master.receive(2, HeartbeatAck{{}, master.ballot(), 0, master.now, Generation{generation}});
  }
  master.vote(1, 1);
  const auto accepts = master.take<Accept>();
  REQUIRE(accepts.size() == 1);
  CHECK(accepts[0].second.values[0] == admission_value({2, Generation{4}}));
}

TEST_CASE("B-18 an admission that a snapshot covers is accepted again without a record") {
  One follower(config_of_three(1));
  const Ballot ballot = make_ballot(3, 0);
  const Accept accept{{}, ballot, 1, 0, follower.now, {admission_value({2, Generation{2}})}};
  follower.receive(0, accept);
  follower.receive(0, Heartbeat{{}, ballot, 1, follower.now});
  REQUIRE(follower.replica.commit() == 1);
  follower.step(Compact{1});
  REQUIRE(follower.replica.base() == 1);
  follower.take<Accepted>();
  const std::size_t records = follower.records;
  follower.receive(0, accept);
  CHECK(follower.records == records);
  CHECK(follower.take<Accepted>().size() == 1);
}

}  // namespace photon::paxos::testing
