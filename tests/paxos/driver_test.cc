// The driver inside a Node: log file, recovery, torn writes, refusals, decisions.
#include <cstring>

#include "core_impl/paxos/log_frame.h"
#include "tests/paxos/driver_bench.h"

namespace photon::paxos::testing {

TEST_CASE("B-12 a command is applied only when its record is durable; decisions are traced") {
  Single single;
  single.start();
  single.become_master();
  Server& server = *single.server;
  CHECK(server.driver.has_authority(single.context));
  CHECK(server.driver.master_hint() == NodeId(100));
  REQUIRE(server.driver.propose(single.context, command("a")) == 1);
  CHECK(server.driver.propose(single.context, command("b")) == 0);  // pipeline depth 1
  CHECK(server.applied.empty());
  REQUIRE(single.context.pending.size() == 1);
  CHECK(single.context.pending.front().request.durability == Durability::synced);
  single.context.complete(server);
  CHECK(server.applied == std::vector<std::string>{"a"});
  const auto applied = single.context.decided<trace::SlotApplied>();
  REQUIRE(applied.size() == 1);
  CHECK(applied[0].state_hash == server.hash);
  CHECK(applied[0].value_hash == value("a").hash());
  CHECK(single.context.decided<trace::MasterElected>().size() == 1);
  const auto leases = single.context.decided<trace::LeaseExtended>();
  REQUIRE(!leases.empty());
  CHECK(leases[0].remaining_nanoseconds <= Duration(1500ms).count());
  CHECK(single.context.sent.empty());
}

TEST_CASE("a state machine may propose from inside apply") {
  Single single;
  single.start();
  single.become_master();
  single.server->chain = 3;
  REQUIRE(single.server->driver.propose(single.context, command("first")) == 1);
  single.context.complete_all(*single.server);
  CHECK(single.server->applied.size() == 4);
}

TEST_CASE("B-12 B-18 an append torn at any byte is recovered, and nothing after it is ever lost") {
  // The length of the append under test, which carries an acceptance and a commit record.
  std::size_t length = 1;
  for (std::size_t kept = 0; kept <= length; ++kept) {
    INFO("kept " << kept);
    Single single;
    single.start();
    single.become_master();
    single.server->driver.propose(single.context, command("a"));
    single.context.complete_all(*single.server);
    single.server->driver.propose(single.context, command("b"));
    REQUIRE(single.context.pending.size() == 1);
    length = single.context.pending.front().request.data.size();
    single.crash(kept);
    for (int life = 0; life < 3; ++life) {
      single.start();
      REQUIRE(single.server->driver.health() == Health::working);
      single.become_master();
      REQUIRE(single.server->applied.size() >= 1U + static_cast<std::size_t>(life));
      CHECK(single.server->applied[0] == "a");
      const auto text = fmt::format("life {}", life);
      REQUIRE(single.server->driver.propose(single.context, command(text)) != 0);
      single.context.complete_all(*single.server);
      REQUIRE(single.server->applied.back() == text);
      single.crash(0);
    }
    single.start();
    CHECK(single.server->applied.size() >= 3);  // all but what only a commit record would show
  }
}

TEST_CASE("B-12 the creation of a segment may be torn at any byte") {
  std::size_t length = 1;
  for (std::size_t kept = 0; kept <= length; ++kept) {
    INFO("kept " << kept);
    Single single;
    single.server = std::make_unique<Server>(options_of(0, 1));
    single.server->on_start(single.context);
    // An empty disk: it stands for election as soon as it has read all three files.
    for (int i = 0; i < 3; ++i) single.context.complete(*single.server);
    REQUIRE(single.context.pending.size() == 1);
    length = single.context.pending.front().request.data.size();
    single.crash(kept);
    single.start();
    REQUIRE(single.server->driver.health() == Health::working);
    single.become_master();
    single.server->driver.propose(single.context, command("a"));
    single.context.complete_all(*single.server);
    CHECK(single.server->applied == std::vector<std::string>{"a"});
  }
}

TEST_CASE("refused and unanswered writes are repeated without doubling or losing records") {
  for (const int fault : {0, 1, 2, 3}) {
    INFO("fault " << fault);
    Single single;
    single.start();
    single.become_master();
    Server& server = *single.server;
    server.driver.propose(single.context, command("a"));
    if (fault == 0) single.context.complete(server, IoStatus::full);
    if (fault == 1) single.context.complete(server, IoStatus::unavailable);
    if (fault >= 2) single.context.complete_unanswered(server);  // took effect, unconfirmed
    CHECK(server.applied.empty());
    CHECK(single.context.pending.empty());
    if (fault == 3) {
      // The process dies before the retry.
      single.crash(0);
      single.start();
      single.become_master();
      CHECK(single.server->applied == std::vector<std::string>{"a"});
      continue;
    }
    for (int i = 0; i < 5 && single.context.pending.empty(); ++i) {
      single.context.fire(server, kTimer);
    }
    single.context.complete_all(server);
    REQUIRE(server.applied == std::vector<std::string>{"a"});
    server.driver.propose(single.context, command("b"));
    single.context.complete_all(server);
    single.crash(0);
    single.start();
    single.become_master();
    CHECK(single.server->applied == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("B-18 a log that has lost acknowledged records stops the replica for good") {
  enum class Harm { flip, shorten, remove };
  for (const Harm harm : {Harm::flip, Harm::shorten, Harm::remove}) {
    Single single;
    for (int life = 0; life < 2; ++life) {
      single.start();
      single.become_master();
      single.server->driver.propose(single.context, command("a"));
      single.context.complete_all(*single.server);
      single.crash(0);
    }
    FakeDisk& disk = single.context.disks[kDisk];
    REQUIRE(disk.size() == 3);  // one segment per life, and the format
    Bytes& first = disk.begin()->second;
    if (harm == Harm::flip) first[first.size() / 2] ^= std::byte{1};
    if (harm == Harm::shorten) first.resize(first.size() - 1);
    if (harm == Harm::remove) disk.erase(disk.begin());
    single.start();
    CHECK(single.server->driver.health() == Health::damaged);
    CHECK(single.context.pending.empty());
    CHECK(!single.server->driver.can_propose(single.context));
  }
}

TEST_CASE("B-18 a recovery that meets an unavailable disk waits for it") {
  Single single;
  const int unavailable = GENERATE(0, 1, 2);  // format, snapshot, log
  single.server = std::make_unique<Server>(options_of(0, 1));
  single.server->on_start(single.context);
  for (int i = 0; i < 3; ++i) {
    if (i == unavailable) single.context.complete(*single.server, IoStatus::unavailable);
    if (i != unavailable) single.context.complete(*single.server);
  }
  CHECK(single.server->driver.health() == Health::recovering);
  single.context.fire(*single.server, kTimer);
  single.context.complete_all(*single.server);
  CHECK(single.server->driver.health() == Health::working);
}

TEST_CASE("B-18 requests refused one after the other are each repeated in time") {
  Single single;
  FakeContext& context = single.context;
  single.server = std::make_unique<Server>(single.options);
  Server& server = *single.server;
  server.on_start(context);
  const MonotonicTime first = context.now() + single.options.retry_delay;
  context.complete(server, IoStatus::unavailable);  // the format
  context.complete(server);                         // the snapshot
  context.advance(20ms);
  context.complete(server, IoStatus::unavailable);  // the log
  CHECK(context.timer(kTimer) == first);
  context.fire(server, kTimer);
  CHECK(context.pending.size() == 1);
  // The disk does not answer meanwhile.
  REQUIRE(context.timer(kTimer) == first + 20ms);
  context.fire(server, kTimer);
  CHECK(context.pending.size() == 2);
  context.complete_all(server);
  CHECK(server.driver.health() == Health::working);
}

TEST_CASE("a driver takes no completion of a request that is not its own") {
  Single single;
  single.server = std::make_unique<Server>(single.options);
  ReplicaDriver& driver = single.server->driver;
  driver.on_start(single.context);
  IoResult result;
  REQUIRE_FALSE(driver.on_io(single.context, Ticket(999), result));
  single.context.complete_all(*single.server);
  REQUIRE(driver.health() == Health::working);
  CHECK_FALSE(driver.on_io(single.context, Ticket(999), result));
}

TEST_CASE("B-13 a driver follows its master idly, and no other node") {
  Three three;
  for (ReplicaIndex i = 0; i < 3; ++i) three.start(i);
  const ReplicaIndex master = three.master().driver.replica().config().self;
  three.pass(1s);
  for (ReplicaIndex i = 0; i < 3; ++i) {
    CAPTURE(i);
    const ReplicaDriver& driver = three.servers[i]->driver;
    for (ReplicaIndex leader = 0; leader < 3; ++leader) {
      CHECK(driver.follows(NodeId(100U + leader)) == (i != master && leader == master));
    }
    CHECK_FALSE(driver.follows(NodeId(999)));
    CHECK_FALSE(driver.follows(kNoNode));
  }
}

TEST_CASE(
    "B-10 three drivers: one body per broadcast, other processes ignored, restart from the log") {
  std::vector<std::unique_ptr<FakeContext>> contexts;
  std::vector<std::unique_ptr<Server>> servers;
  for (ReplicaIndex i = 0; i < 3; ++i) {
    contexts.push_back(std::make_unique<FakeContext>(NodeId(100U + i)));
    format_disk(*contexts.back(), i);
    servers.push_back(std::make_unique<Server>(options_of(i, 3)));
    servers[i]->on_start(*contexts[i]);
  }
  // Delivers everything and completes all writes until nothing is in progress.
  const auto settle = [&] {
    for (bool busy = true; busy;) {
      busy = false;
      for (std::size_t i = 0; i < 3; ++i) {
        if (!contexts[i]->pending.empty()) busy = true;
        contexts[i]->complete_all(*servers[i]);
        auto sent = std::move(contexts[i]->sent);
        contexts[i]->sent.clear();
        for (const auto& one : sent) {
          busy = true;
          const std::size_t to = one.to.value() - 100;
          servers[to]->on_message(*contexts[to], contexts[i]->self(), one.body);
        }
      }
    }
  };
  settle();
  contexts[0]->fire(*servers[0], kTimer);
  settle();
  REQUIRE(servers[0]->gained == 1);
  REQUIRE(servers[0]->driver.propose(*contexts[0], command("a")) == 1);
  REQUIRE(contexts[0]->sent.size() == 2);
  CHECK(contexts[0]->sent[0].body.message() == contexts[0]->sent[1].body.message());
  settle();
  servers[0]->driver.propose(*contexts[0], command("b"));
  settle();
  contexts[0]->fire(*servers[0], kTimer);  // the heartbeat that carries the commit index
  settle();
  for (const auto& server : servers) CHECK(server->applied == std::vector<std::string>{"a", "b"});
  CHECK(servers[1]->driver.master_hint() == NodeId(100));

  const Body stray = envelope(Heartbeat{ShardId(5), make_ballot(9, 2), 0, {}});
  servers[1]->on_message(*contexts[1], NodeId(999), stray);
  CHECK(contexts[1]->pending.empty());
  const Body foreign = envelope(Heartbeat{ShardId(6), make_ballot(9, 2), 0, {}});
  servers[1]->on_message(*contexts[1], NodeId(102), foreign);
  CHECK(contexts[1]->pending.empty());

  servers[1].reset();
  contexts[1]->crash();
  servers[1] = std::make_unique<Server>(options_of(1, 3));
  servers[1]->on_start(*contexts[1]);
  settle();
  CHECK(servers[1]->applied == std::vector<std::string>{"a"});  // its log knows slot 1 as chosen
  contexts[0]->fire(*servers[0], kTimer);
  settle();
  CHECK(servers[1]->applied == std::vector<std::string>{"a", "b"});
}

TEST_CASE("the log's bytes give the tap segments, promises and acceptances (J-S6)") {
  class Facts final : public trace::FactSink {
   public:
    std::vector<trace::Kind> kinds;
    std::vector<trace::PaxosLogWritten> appends;

   private:
    void raw_fact(trace::Kind kind, const void* payload, std::size_t size) override {
      kinds.push_back(kind);
      if (kind != trace::Kind::paxos_log_written) return;
      std::memcpy(&appends.emplace_back(), payload, size);
    }
  };
  using enum trace::Kind;
  Single single;
  single.start();
  single.become_master();
  single.server->driver.propose(single.context, command("a"));
  single.context.complete_all(*single.server);
  const auto& [name, bytes] = *single.context.disks[kDisk].begin();
  CHECK(name == "paxos/00005/00000001");
  SECTION("a whole segment") {
    Facts facts;
    segment_facts(name, 0, bytes, facts);
    CHECK(facts.kinds == std::vector{paxos_log_written, paxos_promise, paxos_accepted});
    CHECK(facts.appends.at(0).group == ShardId(5));
    CHECK(facts.appends.at(0).segment == 1);
    CHECK(facts.appends.at(0).previous == 0);
  }
  SECTION("torn: nothing inside the header, after it the whole records") {
    const std::size_t header = view_frame(bytes, {ShardId(5), 1, 0}).size;
    Facts nothing;
    segment_facts(name, 0, std::span(bytes).first(header - 1), nothing);
    CHECK(nothing.kinds.empty());
    Facts torn;
    segment_facts(name, 0, std::span(bytes).first(bytes.size() - 1), torn);
    CHECK(torn.kinds == std::vector{paxos_log_written, paxos_promise});
  }
  SECTION("a wrong byte of the header: nothing") {
    const std::size_t header = view_frame(bytes, {ShardId(5), 1, 0}).size;
    for (std::size_t at = 0; at < header; ++at) {
      CAPTURE(at);
      Bytes wrong = bytes;
      wrong[at] ^= std::byte{2};
      Facts nothing;
      segment_facts(name, 0, wrong, nothing);
      CHECK(nothing.kinds.empty());
    }
  }
  SECTION("a later append has no header") {
    const std::size_t header = view_frame(bytes, {ShardId(5), 1, 0}).size;
    Facts facts;
    segment_facts(name, header, std::span(bytes).subspan(header), facts);
    CHECK(facts.kinds == std::vector{paxos_log_written, paxos_promise, paxos_accepted});
    CHECK(facts.appends.at(0).offset == header);
  }
}

}  // namespace photon::paxos::testing
