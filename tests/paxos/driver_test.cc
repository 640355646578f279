// The driver inside a Node: log file, recovery, torn writes, refusals, decisions.
#include <cstring>
#include <functional>
#include <set>
#include <sstream>

#include "core_impl/paxos/replica_driver.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/trace/consensus.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::paxos::testing {
namespace {

using namespace std::chrono_literals;
using photon::testing::FakeContext;
using photon::testing::FakeDisk;

constexpr VolumeId kDisk{1};
constexpr TimerKind kTimer = 3;

DriverOptions options_of(ReplicaIndex self, std::uint32_t replicas) {
  DriverOptions options;
  options.config.group = ShardId(5);
  options.config.self = self;
  options.config.replicas = replicas;
  for (std::uint32_t i = 0; i < replicas; ++i) options.members.push_back(NodeId(100 + i));
  options.volume = kDisk;
  options.timer = kTimer;
  return options;
}

class Server final : public Node, public StateMachine {
 public:
  using Inbox = Accepts<Prepare, Promise, Accept, Accepted, Heartbeat, HeartbeatAck, Reject,
                        SnapshotOffer, SnapshotFetch, SnapshotChunk>;

  explicit Server(DriverOptions options) : driver(std::move(options), *this) {}

  void on_start(Context& context) override { driver.on_start(context); }
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  template <class M>
  void on(Context& context, NodeId from, const M& message) {
    driver.on(context, from, message);
  }
  void on_timer(Context& context, TimerKind kind) override { driver.on_timer(context, kind); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    CHECK(driver.on_io(context, ticket, result));
  }

  std::uint32_t apply(Context& context, Slot slot, std::span<const std::byte> command) override {
    CHECK(slot == applied.size() + 1);
    applied.emplace_back(reinterpret_cast<const char*>(command.data()), command.size());
    hash = combine(hash, hash_bytes(command));
    if (chain > 0 && driver.can_propose(context)) {
      --chain;
      CHECK(driver.propose(context, testing::command("chained")) == slot + 1);
    }
    return command.empty() ? 0 : 1;
  }
  std::uint64_t state_hash() const override { return hash; }
  // One line per slot.
  Bytes snapshot() const override {
    Bytes bytes;
    Encoder encode(bytes);
    encode(hash);
    for (const std::string& text : applied) {
      encode.raw(std::as_bytes(std::span(text.data(), text.size())));
      bytes.push_back(static_cast<std::byte>('\n'));
    }
    return bytes;
  }
  bool restore(Context&, Slot slot, std::span<const std::byte> snapshot) override {
    ++restored;
    if (snapshot.size() < sizeof(hash)) return false;
    Decoder decode(snapshot);
    decode(hash);
    std::istringstream lines(std::string(
        reinterpret_cast<const char*>(snapshot.data()) + sizeof(hash), snapshot.size() - sizeof(hash)));
    applied.clear();
    for (std::string line; std::getline(lines, line);) applied.push_back(line);
    return applied.size() == slot;
  }
  void became_master(Context&, Ballot, Slot slot) override {
    CHECK(slot == applied.size());
    ++gained;
  }
  void lost_mastership(Context&) override { ++lost; }

  ReplicaDriver driver;
  std::vector<std::string> applied;
  std::uint64_t hash = 0;
  int chain = 0;  // commands to propose from inside apply
  int gained = 0;
  int lost = 0;
  int restored = 0;
};

std::string text(const FileName& name) { return {name.data(), name.size()}; }

void format_disk(FakeContext& context, ReplicaIndex self) {
  context.disks[kDisk][text(format_name(ShardId(5)))] = format_of_new_group(ShardId(5), self);
}

// A group of one: everything depends on its log alone.
struct Single {
  FakeContext context{NodeId(100)};
  std::unique_ptr<Server> server;
  DriverOptions options = options_of(0, 1);

  Single() { format_disk(context, 0); }
  void start() {
    server = std::make_unique<Server>(options);
    server->on_start(context);
    context.complete_all(*server);
  }
  void become_master() {
    for (int i = 0; i < 20 && server->gained == 0; ++i) {
      context.fire(*server, kTimer);
      context.complete_all(*server);
    }
    REQUIRE(server->gained == 1);
  }
  void crash(std::size_t kept) {
    server.reset();
    context.crash(kept);
  }
};

}  // namespace

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

TEST_CASE("B-12 B-18 an append torn at any byte is recovered, and nothing behind it is ever lost") {
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
    CHECK(single.server->applied.size() >= 3);  // all but what only a commit record would tell
  }
}

TEST_CASE("B-12 the creation of a segment may be torn at any byte") {
  std::size_t length = 1;
  for (std::size_t kept = 0; kept <= length; ++kept) {
    INFO("kept " << kept);
    Single single;
    single.server = std::make_unique<Server>(options_of(0, 1));
    single.server->on_start(single.context);
    // An empty disk: it stands for election as soon as it has looked at all three files.
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
    if (fault >= 2) single.context.complete_unanswered(server);  // took effect, nobody knows
    CHECK(server.applied.empty());
    CHECK(single.context.pending.empty());
    if (fault == 3) {
      // The process dies before it tries again.
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

TEST_CASE("B-10 three drivers: one body per broadcast, strangers ignored, restart from the log") {
  std::vector<std::unique_ptr<FakeContext>> contexts;
  std::vector<std::unique_ptr<Server>> servers;
  for (ReplicaIndex i = 0; i < 3; ++i) {
    contexts.push_back(std::make_unique<FakeContext>(NodeId(100U + i)));
    format_disk(*contexts.back(), i);
    servers.push_back(std::make_unique<Server>(options_of(i, 3)));
    servers[i]->on_start(*contexts[i]);
  }
  // Delivers everything and completes all writes until nothing is under way.
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

  const Body stray = Body::make(Heartbeat{ShardId(5), make_ballot(9, 2), 0, {}});
  servers[1]->on_message(*contexts[1], NodeId(999), stray);
  CHECK(contexts[1]->pending.empty());
  const Body foreign = Body::make(Heartbeat{ShardId(6), make_ballot(9, 2), 0, {}});
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

TEST_CASE("B-18 the log is cut by snapshots; a crash at any step and byte loses nothing") {
  // How far the tenth command's consequences get: requests completed, bytes of the next one.
  for (int completed = 0; completed < 8; ++completed) {
    for (std::size_t kept = 0; kept < 400; kept += 1 + kept / 8) {
      INFO("completed " << completed << ", kept " << kept);
      Single single;
      single.options.snapshot_min_bytes = 500;
      single.start();
      single.become_master();
      std::vector<std::string> expected;
      const auto propose = [&] {
        expected.push_back(fmt::format("command {}", expected.size()));
        REQUIRE(single.server->driver.propose(single.context, command(expected.back())) != 0);
      };
      while (single.server->driver.statistics().snapshots == 0) {
        REQUIRE(expected.size() < 100);
        propose();
        for (int i = 0; i < 20 && !single.context.pending.empty(); ++i) {
          if (single.server->driver.statistics().snapshots != 0) break;
          single.context.complete(*single.server);
        }
      }
      // The snapshot is being written: go on with commands, and crash.
      propose();
      for (int i = 0; i < completed && !single.context.pending.empty(); ++i) {
        single.context.complete(*single.server);
      }
      const std::size_t sure = single.server->applied.size();
      single.crash(kept);
      single.start();
      REQUIRE(single.server->driver.health() == Health::working);
      single.become_master();
      REQUIRE(single.server->applied.size() >= sure);
      single.server->applied.resize(sure);
      expected.resize(sure);
      REQUIRE(single.server->applied == expected);
      if (completed == 7) {
        CHECK(single.server->restored == 1);
        CHECK(single.server->driver.replica().base() > 0);
      }
    }
  }
}

TEST_CASE("B-18 the disk holds one snapshot and a log of about the bytes allowed") {
  Single single;
  single.options.snapshot_min_bytes = 2000;
  single.options.snapshot_factor = 2;
  single.start();
  single.become_master();
  std::size_t most = 0;
  for (int i = 0; i < 500; ++i) {
    if (!single.server->driver.can_propose(single.context)) {
      single.context.fire(*single.server, kTimer);
      single.context.complete_all(*single.server);
    }
    REQUIRE(single.server->driver.propose(single.context, command("x")) != 0);
    single.context.complete_all(*single.server);
    std::size_t log = 0;
    for (const auto& [name, bytes] : single.context.disks[kDisk]) {
      if (!name.ends_with("snapshot")) log += bytes.size();
    }
    const std::size_t snapshot = single.context.disks[kDisk]["paxos/00005/snapshot"].size();
    most = std::max(most, log);
    REQUIRE(log <= std::max<std::size_t>(2000, 2 * snapshot) + 300);
  }
  CHECK(most > 2000);
  CHECK(single.server->driver.statistics().snapshots >= 10);
  CHECK(single.context.decided<trace::StateRestored>().empty());
  const std::uint64_t hash = single.server->hash;
  single.crash(0);
  single.start();
  REQUIRE(single.context.decided<trace::StateRestored>().size() == 1);
  single.become_master();
  CHECK(single.server->hash == hash);
}

TEST_CASE("B-18 a snapshot that is damaged, lost, or older than the log stops the replica") {
  enum class Harm { flip, lose, older, unformatted };
  for (const Harm harm : {Harm::flip, Harm::lose, Harm::older, Harm::unformatted}) {
    INFO(static_cast<int>(harm));
    Single single;
    single.options.snapshot_min_bytes = 500;
    single.start();
    single.become_master();
    Bytes first;
    while (single.server->driver.statistics().snapshots < 2) {
      single.server->driver.propose(single.context, command("x"));
      single.context.complete_all(*single.server);
      if (first.empty() && single.context.disks[kDisk].contains("paxos/00005/snapshot")) {
        first = single.context.disks[kDisk]["paxos/00005/snapshot"];
      }
    }
    FakeDisk& disk = single.context.disks[kDisk];
    single.crash(0);
    if (harm == Harm::flip) disk.at("paxos/00005/snapshot").back() ^= std::byte{1};
    if (harm == Harm::lose) disk.erase("paxos/00005/snapshot");
    if (harm == Harm::older) disk.at("paxos/00005/snapshot") = first;
    if (harm == Harm::unformatted) disk.erase("paxos/00005/format");
    single.start();
    CHECK(single.server->driver.health() == Health::damaged);
    CHECK(!single.server->driver.can_propose(single.context));
  }
}

namespace {

// Three servers, and a network that loses what the test says.
struct Three {
  std::vector<std::unique_ptr<FakeContext>> contexts;
  std::vector<std::unique_ptr<Server>> servers;
  std::function<bool(std::size_t from, std::size_t to, const Body& body)> lost;
  std::uint64_t snapshot_min_bytes = 500;

  Three() {
    for (ReplicaIndex i = 0; i < 3; ++i) {
      contexts.push_back(std::make_unique<FakeContext>(NodeId(100U + i)));
      format_disk(*contexts.back(), i);
      servers.emplace_back();
    }
  }
  void start(ReplicaIndex i) {
    DriverOptions options = options_of(i, 3);
    options.snapshot_min_bytes = snapshot_min_bytes;
    options.snapshot_chunk_bytes = 64;
    servers[i] = std::make_unique<Server>(options);
    servers[i]->on_start(*contexts[i]);
    contexts[i]->complete_all(*servers[i]);
  }
  void crash(ReplicaIndex i) {
    servers[i].reset();
    contexts[i]->crash();
  }
  // Delivers everything and completes all writes until nothing is under way.
  void settle() {
    for (bool busy = true; busy;) {
      busy = false;
      for (std::size_t i = 0; i < 3; ++i) {
        if (!servers[i]) continue;
        busy = busy || !contexts[i]->pending.empty();
        contexts[i]->complete_all(*servers[i]);
        auto sent = std::exchange(contexts[i]->sent, {});
        for (const auto& one : sent) {
          busy = true;
          const std::size_t to = one.to.value() - 100;
          if (!servers[to] || (lost && lost(i, to, one.body))) continue;
          servers[to]->on_message(*contexts[to], contexts[i]->self(), one.body);
        }
      }
    }
  }
  // Lets `by` pass on all clocks, timers included.
  void pass(Duration by) {
    const MonotonicTime end = contexts[0]->now() + by;
    for (;;) {
      std::size_t next = 3;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto due = contexts[i]->timer(kTimer);
        if (!servers[i] || !due || *due > end) continue;
        if (next == 3 || *due < *contexts[next]->timer(kTimer)) next = i;
      }
      if (next == 3) break;
      const MonotonicTime at = std::max(contexts[next]->now(), *contexts[next]->timer(kTimer));
      for (auto& context : contexts) context->set_now(std::max(context->now(), at));
      contexts[next]->fire(*servers[next], kTimer);
      settle();
    }
    for (auto& context : contexts) context->set_now(end);
  }
  Server& master() {
    for (int i = 0; i < 100; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (servers[k] && servers[k]->driver.can_propose(*contexts[k])) return *servers[k];
      }
      pass(100ms);
    }
    FAIL("no master");
    return *servers[0];
  }
  void propose(std::string_view text) {
    Server& server = master();
    const auto k = static_cast<std::size_t>(server.driver.replica().config().self);
    REQUIRE(server.driver.propose(*contexts[k], command(text)) != 0);
    settle();
  }
};

}  // namespace

TEST_CASE("B-18 a replica that lags behind the log is brought up by the snapshot, piece by piece") {
  Three three;
  for (ReplicaIndex i = 0; i < 3; ++i) three.start(i);
  three.propose("first");
  Server& master = three.master();
  const auto m = master.driver.replica().config().self;
  const auto laggard = static_cast<ReplicaIndex>((m + 1) % 3);
  three.crash(laggard);
  for (int i = 0; i < 40; ++i) three.propose(fmt::format("while away {}", i));
  REQUIRE(master.driver.replica().base() > 10);

  std::size_t chunks = 0;
  bool newer = false;
  SECTION("nothing is lost") {}
  SECTION("every third question or piece is lost") {
    std::size_t pieces = 0;
    three.lost = [&, pieces](std::size_t, std::size_t, const Body& body) mutable {
      const bool piece =
          body.type() == SnapshotFetch::kType || body.type() == SnapshotChunk::kType;
      return piece && ++pieces % 3 == 0;
    };
  }
  SECTION("the sender takes a newer one in the middle") {
    three.lost = [&](std::size_t, std::size_t, const Body& body) {
      chunks += body.type() == SnapshotChunk::kType ? 1 : 0;
      return chunks >= 3 && !newer && body.type() == SnapshotChunk::kType;
    };
  }
  SECTION("the sender dies in the middle, and the next master takes over") {
    three.lost = [&](std::size_t from, std::size_t, const Body& body) {
      chunks += body.type() == SnapshotChunk::kType ? 1 : 0;
      return from == m && chunks >= 3;  // from then on it is mute
    };
  }
  three.start(laggard);
  three.pass(3s);
  if (chunks >= 3 && three.servers[laggard]->restored == 0) {
    const Slot before = master.driver.replica().base();
    newer = true;
    for (int i = 0; i < 60; ++i) three.propose(fmt::format("meanwhile {}", i));
    if (three.master().driver.replica().config().self == m) {
      CHECK(master.driver.replica().base() > before);
    }
  }
  three.pass(40s);
  Server& late = *three.servers[laggard];
  CHECK(late.restored >= 1);
  CHECK(late.driver.statistics().installed >= 1);
  CHECK(late.applied == three.master().applied);
  CHECK(late.driver.replica().base() > 10);
  // And so it starts again.
  const auto applied = late.applied;
  three.crash(laggard);
  three.start(laggard);
  CHECK(three.servers[laggard]->driver.health() == Health::working);
  CHECK(three.servers[laggard]->restored == 1);
  three.pass(2s);
  CHECK(three.servers[laggard]->applied == applied);
}

TEST_CASE("B-18 a lost disk is another acceptor: without a vote until it is admitted, then with one") {
  Three three;
  for (ReplicaIndex i = 0; i < 3; ++i) three.start(i);
  for (int i = 0; i < 30; ++i) three.propose(fmt::format("before {}", i));
  const auto m = three.master().driver.replica().config().self;
  const auto victim = static_cast<ReplicaIndex>((m + 1) % 3);
  const auto other = static_cast<ReplicaIndex>((m + 2) % 3);
  three.crash(victim);
  three.contexts[victim]->disks[kDisk].clear();
  SECTION("alone with the master it decides nothing") {
    three.crash(other);
    three.start(victim);
    Server& master = *three.servers[m];
    const std::size_t before = master.applied.size();
    if (master.driver.can_propose(*three.contexts[m])) {
      master.driver.propose(*three.contexts[m], command("nobody else"));
    }
    three.settle();
    three.pass(20s);
    CHECK(master.applied.size() == before);
    CHECK(!master.driver.has_authority(*three.contexts[m]));
    three.start(other);
  }
  SECTION("all three are there") { three.start(victim); }
  three.pass(10s);
  Server& fresh = *three.servers[victim];
  const Generation generation = fresh.driver.replica().generation();
  CHECK(generation > kFirstGeneration);
  CHECK(three.master().driver.replica().generations().of(victim) == generation);
  CHECK(fresh.driver.replica().generations().of(victim) == generation);
  // Now it makes a majority with one of the others.
  const auto leaving = three.master().driver.replica().config().self;
  three.propose("all together");
  three.crash(leaving);
  three.propose("with the new disk");
  CHECK(fresh.applied.back() == "with the new disk");
  // The disk keeps its generation over restarts.
  three.crash(victim);
  three.start(victim);
  CHECK(three.servers[victim]->driver.replica().generation() == generation);
}

TEST_CASE("B-17 B-18 a majority of disks lost at once: silence for ever, and no wrong answer") {
  Three three;
  for (ReplicaIndex i = 0; i < 3; ++i) three.start(i);
  for (int i = 0; i < 5; ++i) three.propose(fmt::format("before {}", i));
  for (const ReplicaIndex i : {ReplicaIndex{0}, ReplicaIndex{2}}) {
    three.crash(i);
    three.contexts[i]->disks[kDisk].clear();
  }
  for (const ReplicaIndex i : {ReplicaIndex{0}, ReplicaIndex{2}}) three.start(i);
  for (int i = 0; i < 100; ++i) {
    three.pass(500ms);
    // Another master than the survivor's own tenure never appears, and its lease runs out.
    REQUIRE(three.servers[0]->gained == 0);
    REQUIRE(three.servers[2]->gained == 0);
    if (i > 4) REQUIRE(!three.servers[1]->driver.has_authority(*three.contexts[1]));
  }
}

TEST_CASE("the log's bytes state segments, promises and acceptances for the tap (J-S6)") {
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
  SECTION("torn: inside the header nothing, behind it the whole records") {
    const std::size_t header = view_record(bytes).size;
    Facts nothing;
    segment_facts(name, 0, std::span(bytes).first(header - 1), nothing);
    CHECK(nothing.kinds.empty());
    Facts torn;
    segment_facts(name, 0, std::span(bytes).first(bytes.size() - 1), torn);
    CHECK(torn.kinds == std::vector{paxos_log_written, paxos_promise});
  }
  SECTION("an append further behind has no header") {
    const std::size_t header = view_record(bytes).size;
    Facts facts;
    segment_facts(name, header, std::span(bytes).subspan(header), facts);
    CHECK(facts.kinds == std::vector{paxos_log_written, paxos_promise, paxos_accepted});
    CHECK(facts.appends.at(0).offset == header);
  }
}

}  // namespace photon::paxos::testing
