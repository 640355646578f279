// A driver inside a Node, alone and among three, on fake contexts: for tests of the driver.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core_impl/paxos/replica_driver.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/trace/consensus.h"
#include "tests/paxos/ledger.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::paxos::testing {

using namespace std::chrono_literals;
using photon::testing::FakeContext;
using photon::testing::FakeDisk;

inline constexpr VolumeId kDisk{1};
inline constexpr TimerKind kTimer = 3;

inline DriverOptions options_of(ReplicaIndex self, std::uint32_t replicas) {
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
  using Inbox = ReplicaDriver::Inbox;

  explicit Server(DriverOptions options) : driver(std::move(options), *this) {}

  void on_start(Context& context) override { driver.on_start(context); }
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context& context, NodeId from, const Envelope& message) {
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
  void snapshot(Bytes& bytes) const override {
    Encoder encode(bytes);
    encode(hash);
    for (const std::string& text : applied) {
      encode.raw(std::as_bytes(std::span(text.data(), text.size())));
      bytes.push_back(static_cast<std::byte>('\n'));
    }
  }
  bool restore(Context&, Slot slot, std::span<const std::byte> snapshot) override {
    ++restored;
    if (snapshot.size() < sizeof(hash)) return false;
    Decoder decode(snapshot);
    decode(hash);
    std::istringstream lines(
        std::string(reinterpret_cast<const char*>(snapshot.data()) + sizeof(hash),
                    snapshot.size() - sizeof(hash)));
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

inline std::string text(const FileName& name) { return {name.data(), name.size()}; }

inline void format_disk(FakeContext& context, ReplicaIndex self) {
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

// Three servers, and a network that loses the messages that the test selects.
struct Three {
  std::vector<std::unique_ptr<FakeContext>> contexts;
  std::vector<std::unique_ptr<Server>> servers;
  std::function<bool(std::size_t from, std::size_t to, const Body& body)> lost;
  std::function<bool()> stop;  // ends settle, checked after every write
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
  // Delivers everything and completes all writes until nothing is in progress.
  void settle() {
    for (bool busy = true; busy;) {
      busy = false;
      for (std::size_t i = 0; i < 3; ++i) {
        if (!servers[i]) continue;
        busy = busy || !contexts[i]->pending.empty();
        while (!contexts[i]->pending.empty()) {
          contexts[i]->complete(*servers[i]);
          if (stop && stop()) return;
        }
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
  // Advances all clocks by `by`, timers included.
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

}  // namespace photon::paxos::testing
