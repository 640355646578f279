// The client against servers whose answers the test writes itself.
#include "core_impl/photon/registry_client/registry_client.h"

#include <map>
#include <set>
#include <vector>

#include "core_impl/photon/registry_client/token_source.h"
#include "core_impl/runtime/accepts.h"
#include "tests/photon/registry/registry_world.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;
using testing::Sent;
using testing::World;
using testing::WorldOptions;

// Owns a client and only keeps the completions. While it is paused everything waits; then messages
// are handled before the timer.
class ClientNode final : public Node {
 public:
  using Inbox = Accepts<RegistryReply>;
  explicit ClientNode(RegistryClientOptions options) : client(std::move(options)) {}
  void on_start(Context& /*context*/) override {}
  void on_message(Context& context, NodeId from, const Body& body) override {
    if (paused) return waiting.push_back(Sent{from, context.self(), body});
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context& context, NodeId from, const RegistryReply& reply) {
    client.on_reply(context, from, reply);
    drain();
  }
  void on_timer(Context& context, TimerKind kind) override {
    CHECK(kind == 2);
    timer_waits = paused;
    if (paused) return;
    client.on_timer(context);
    drain();
  }
  void resume(Context& context) {
    paused = false;
    for (const Sent& each : waiting) on_message(context, each.from, each.body);
    if (timer_waits) on_timer(context, 2);
  }
  void on_io(Context& /*c*/, Ticket /*ticket*/, IoResult& /*result*/) override {}
  void drain() {
    while (const auto done = client.next()) completed.push_back(*done);
  }

  RegistryClient client;
  std::vector<RegistryCompletion> completed;
  bool paused = false;
  std::vector<Sent> waiting;
  bool timer_waits = false;
};

// Keeps requests; the test answers them.
class ScriptedServer final : public Node {
 public:
  using Inbox = Accepts<RegistryRequest>;
  void on_start(Context& /*context*/) override {}
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context& /*context*/, NodeId from, const RegistryRequest& request) {
    client = from;
    requests.push_back(request);
  }
  void on_timer(Context& /*context*/, TimerKind /*kind*/) override {}
  void on_io(Context& /*c*/, Ticket /*ticket*/, IoResult& /*result*/) override {}

  std::vector<RegistryRequest> requests;
  NodeId client{};
};

struct ClientBench {
  explicit ClientBench(std::uint32_t shards = 1, std::uint32_t replicas = 2)
      : world(WorldOptions{}) {
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      options.replicas.emplace_back();
      for (std::uint32_t replica = 0; replica < replicas; ++replica) {
        const NodeId server = world.add([] { return std::make_unique<ScriptedServer>(); });
        servers.push_back(server);
        options.replicas.back().push_back(server);
        world.start(server);
      }
    }
    options.timer = 2;
    options.shards = ShardMap(shards);
    client_id = world.add([this] { return std::make_unique<ClientNode>(options); });
    world.start(client_id);
  }
  RegistryClient& client() { return world.node<ClientNode>(client_id).client; }
  std::vector<RegistryCompletion>& completed() {
    return world.node<ClientNode>(client_id).completed;
  }
  std::vector<RegistryRequest>& requests(std::size_t server) {
    return world.node<ScriptedServer>(servers[server]).requests;
  }
  void flush() { client().flush(world.context(client_id)); }
  void answer(std::size_t server, const RegistryRequest& request, RegistryCode code,
              NodeId hint = kNoNode) {
    RegistryReply reply;
    reply.request = request.request;
    reply.shard = request.shard;
    reply.master_hint = hint;
    for (const RegistryItem& item : request.items) {
      reply.results.push_back({item.id, item.token, 1, item.operation, code});
    }
    world.context(servers[server]).send(client_id, Body::make(std::move(reply)));
  }

  World world;
  RegistryClientOptions options;
  std::vector<NodeId> servers;
  NodeId client_id{};
};

EventId id_stamped(std::int64_t stamp, std::uint32_t process = 1) {
  return EventId{1, process, from_nanoseconds<Stamp>(stamp)};
}

TEST_CASE("B-30 BC-27 what is asked in one turn travels in one request per shard, never across") {
  ClientBench bench(4, 1);
  for (int item = 0; item < 100; ++item) {
    bench.client().lookup(id_stamped(item), static_cast<std::uint64_t>(item));
    bench.client().insert(id_stamped(1000 + item),
                          Token{1, 1, static_cast<std::uint64_t>(item) + 1}, 7);
  }
  CHECK(bench.client().outstanding_lookups() == 100);
  CHECK(bench.client().outstanding_inserts() == 100);
  bench.flush();
  bench.world.run_for(5ms);
  std::size_t items = 0;
  const ShardMap map(4);
  for (std::uint32_t shard = 0; shard < 4; ++shard) {
    REQUIRE(bench.requests(shard).size() == 1);
    CHECK(bench.requests(shard)[0].shard == ShardId(shard));
    for (const RegistryItem& item : bench.requests(shard)[0].items) {
      CHECK(map.shard_of(item.id) == ShardId(shard));
      ++items;
    }
  }
  CHECK(items == 200);
}

TEST_CASE("D-11 D-12 M-11 M-16 an insert is retried with the same token until a definitive code") {
  ClientBench bench(1, 2);
  const Token token{9, 1, 33};
  bench.client().insert(id_stamped(5), token, 42);
  bench.flush();
  bench.world.run_for(1h);           // the shard is silent for an hour
  CHECK(bench.completed().empty());  // silence is neither success nor failure
  CHECK(bench.client().outstanding_inserts() == 1);
  const std::size_t attempts = bench.requests(0).size() + bench.requests(1).size();
  CHECK(attempts > 200);  // it never stops ...
  CHECK(attempts < 400);  // ... but does not flood a silent shard either
  for (std::size_t server = 0; server < 2; ++server) {
    CHECK(bench.requests(server).size() > 100);  // both replicas are tried
    for (const RegistryRequest& request : bench.requests(server)) {
      CHECK(request.items.size() == 1);
      CHECK(request.items[0].token == token);
    }
  }
  for (const RegistryCode code :
       {RegistryCode::overloaded, RegistryCode::unavailable, RegistryCode::wrong_shard}) {
    bench.answer(0, bench.requests(0).back(), code);
    bench.world.run_for(3s);
    CHECK(bench.completed().empty());
  }
  bench.answer(0, bench.requests(0).back(), RegistryCode::inserted);
  bench.world.run_for(5ms);
  REQUIRE(bench.completed().size() == 1);
  CHECK(bench.completed()[0].tag == 42);
  CHECK(bench.completed()[0].code == RegistryCode::inserted);
  CHECK(bench.completed()[0].token == token);
  CHECK(bench.client().outstanding() == 0);
}

TEST_CASE("B-73 M-33 a look-up without an answer ends as unknown at its deadline, not as exists") {
  ClientBench bench;
  bench.client().lookup(id_stamped(5), 1);
  bench.client().insert(id_stamped(6), Token{1, 1, 1}, 2);
  bench.flush();
  bench.world.run_for(1999ms);
  CHECK(bench.completed().empty());
  bench.world.run_for(1ms);
  REQUIRE(bench.completed().size() == 1);
  CHECK(bench.completed()[0].tag == 1);
  CHECK(bench.completed()[0].code == RegistryCode::unavailable);
  CHECK_FALSE(trace::is_definitive(bench.completed()[0].code));
  // The insert that shared its request continues alone.
  CHECK(bench.client().outstanding_inserts() == 1);
  bench.world.run_for(1s);
  const auto& latest =
      bench.requests(0).size() > bench.requests(1).size() ? bench.requests(0) : bench.requests(1);
  CHECK(latest.back().items.size() == 1);
}

// A paused process handles answers before its timer: then a hint meets an overdue look-up.
TEST_CASE("B-73 C-33 J-S12 a look-up past its deadline is not repeated, whatever an answer hints") {
  ClientBench bench;
  bench.client().lookup(id_stamped(5), 1);
  bench.client().insert(id_stamped(6), Token{1, 1, 1}, 2);
  bench.flush();
  bench.client().lookup(id_stamped(7), 3);
  bench.flush();
  bench.world.run_for(500ms);
  REQUIRE(bench.requests(0).size() == 2);
  auto& node = bench.world.node<ClientNode>(bench.client_id);
  node.paused = true;
  bench.answer(0, bench.requests(0)[0], RegistryCode::not_master, bench.servers[1]);
  bench.answer(0, bench.requests(0)[1], RegistryCode::not_master, bench.servers[1]);
  bench.world.run_for(5s);
  REQUIRE(bench.requests(1).empty());
  REQUIRE(node.timer_waits);
  node.resume(bench.world.context(bench.client_id));
  bench.world.run_for(100ms);
  REQUIRE(bench.requests(1).size() == 1);  // nothing is left of the second request
  REQUIRE(bench.requests(1)[0].items.size() == 1);
  CHECK(bench.requests(1)[0].items[0].operation == RegistryOperation::insert);
  REQUIRE(bench.completed().size() == 2);
  for (const RegistryCompletion& each : bench.completed()) {
    CHECK(each.code == RegistryCode::unavailable);
  }
  CHECK(bench.client().outstanding_lookups() == 0);
  CHECK(bench.client().outstanding_inserts() == 1);
}

TEST_CASE("BC-28 an answer to an earlier attempt counts, a second one is ignored") {
  ClientBench bench;
  bench.client().insert(id_stamped(5), Token{1, 1, 1}, 1);
  bench.flush();
  bench.world.run_for(3500ms);  // several attempts, no answer yet
  REQUIRE(bench.requests(0).size() >= 2);
  const RegistryRequest first = bench.requests(0).front();
  const RegistryRequest last = bench.requests(0).back();
  bench.answer(0, first, RegistryCode::inserted);
  bench.answer(0, last, RegistryCode::already_exists);  // cannot happen for one token, yet
  bench.world.run_for(1min);
  REQUIRE(bench.completed().size() == 1);
  CHECK(bench.completed()[0].code == RegistryCode::inserted);
  const std::size_t attempts = bench.requests(0).size() + bench.requests(1).size();
  bench.world.run_for(1min);
  CHECK(bench.requests(0).size() + bench.requests(1).size() == attempts);  // it is over
}

TEST_CASE("B-72 a hint is followed at once, two replicas naming each other cause no flood") {
  ClientBench bench;
  bench.client().insert(id_stamped(5), Token{1, 1, 1}, 1);
  bench.flush();
  bench.world.run_for(2ms);
  bench.answer(0, bench.requests(0).back(), RegistryCode::not_master, bench.servers[1]);
  bench.world.run_for(4ms);
  REQUIRE(bench.requests(1).size() == 1);  // long before the time-out of a second
  // From here on each refuses and names the other.
  std::size_t answered[2] = {1, 0};
  for (int step = 0; step < 1000; ++step) {
    for (std::size_t server = 0; server < 2; ++server) {
      while (answered[server] < bench.requests(server).size()) {
        bench.answer(server, bench.requests(server)[answered[server]++], RegistryCode::not_master,
                     bench.servers[1 - server]);
      }
    }
    bench.world.run_for(1ms);
  }
  CHECK(bench.requests(0).size() + bench.requests(1).size() < 25);
  CHECK(bench.requests(0).size() + bench.requests(1).size() > 10);
}

TEST_CASE("B-72 copies of a refusal do not end the pause before the next attempt") {
  ClientBench bench;
  bench.client().insert(id_stamped(5), Token{1, 1, 1}, 1);
  bench.flush();
  // Neither replica is master and each names the other. The network makes four of each answer.
  std::size_t answered[2] = {0, 0};
  for (int step = 0; step < 1000; ++step) {
    for (std::size_t server = 0; server < 2; ++server) {
      while (answered[server] < bench.requests(server).size()) {
        const RegistryRequest request = bench.requests(server)[answered[server]++];
        for (int copy = 0; copy < 4; ++copy) {
          bench.answer(server, request, RegistryCode::not_master, bench.servers[1 - server]);
        }
      }
    }
    bench.world.run_for(1ms);
  }
  CHECK(bench.requests(0).size() + bench.requests(1).size() < 25);  // as without copies
  CHECK(bench.requests(0).size() + bench.requests(1).size() > 10);
}

TEST_CASE("B-30 results of a partly answered request complete, the rest is asked again alone") {
  ClientBench bench(1, 1);
  for (std::uint64_t item = 0; item < 3; ++item) {
    bench.client().insert(id_stamped(static_cast<std::int64_t>(item)), Token{1, 1, item + 1}, item);
  }
  bench.flush();
  bench.world.run_for(2ms);
  RegistryRequest request = bench.requests(0).back();
  RegistryReply reply;
  reply.request = request.request;
  for (const RegistryItem& item : request.items) {
    const bool middle = item.token.sequence == 2;
    reply.results.push_back({item.id, item.token, 1, item.operation,
                             middle ? RegistryCode::overloaded : RegistryCode::inserted});
  }
  bench.world.context(bench.servers[0]).send(bench.client_id, Body::make(std::move(reply)));
  bench.world.run_for(100ms);
  REQUIRE(bench.completed().size() == 2);
  REQUIRE(bench.requests(0).size() == 2);
  REQUIRE(bench.requests(0)[1].items.size() == 1);
  CHECK(bench.requests(0)[1].items[0].token.sequence == 2);
}

TEST_CASE("BC-02 B-30 the same request made twice in one turn is answered twice") {
  ClientBench bench(1, 1);
  bench.client().lookup(id_stamped(5), 1);
  bench.client().lookup(id_stamped(5), 2);
  bench.flush();
  bench.world.run_for(2ms);
  RegistryReply reply;
  reply.request = bench.requests(0).back().request;
  reply.results.push_back(
      {id_stamped(5), {}, 1, RegistryOperation::lookup, RegistryCode::not_found});
  reply.results.push_back(
      {id_stamped(5), {}, 0, RegistryOperation::lookup, RegistryCode::overloaded});
  bench.world.context(bench.servers[0]).send(bench.client_id, Body::make(std::move(reply)));
  bench.world.run_for(100ms);
  REQUIRE(bench.requests(0).size() == 2);
  REQUIRE(bench.requests(0)[1].items.size() == 1);
  bench.answer(0, bench.requests(0)[1], RegistryCode::exists);
  bench.world.run_for(100ms);
  REQUIRE(bench.completed().size() == 2);
  CHECK(bench.completed()[0].tag == 1);
  CHECK(bench.completed()[1].tag == 2);
  CHECK(bench.completed()[1].code == RegistryCode::exists);
}

TEST_CASE("BC-28 an answer meant for an earlier life of the process is ignored") {
  ClientBench bench(1, 1);
  bench.client().lookup(id_stamped(5), 1);
  bench.flush();
  bench.world.run_for(2ms);
  const RegistryRequest old = bench.requests(0).back();
  bench.world.crash(bench.client_id);
  bench.world.start(bench.client_id);
  bench.client().lookup(id_stamped(5), 2);
  bench.flush();
  bench.answer(0, old, RegistryCode::not_found);
  bench.world.run_for(5ms);
  CHECK(bench.completed().empty());
  bench.answer(0, bench.requests(0).back(), RegistryCode::exists);
  bench.world.run_for(5ms);
  REQUIRE(bench.completed().size() == 1);
  CHECK(bench.completed()[0].code == RegistryCode::exists);
}

TEST_CASE("B-75 outstanding counts from the request to the draining") {
  ClientBench bench(1, 1);
  bench.client().lookup(id_stamped(5), 1);
  CHECK(bench.client().outstanding() == 1);
  bench.flush();
  bench.world.run_for(2ms);
  CHECK(bench.client().outstanding() == 1);
  bench.answer(0, bench.requests(0).back(), RegistryCode::not_found);
  bench.world.run_for(2ms);
  CHECK(bench.client().outstanding() == 0);
}

TEST_CASE("B-40 B-43 M-12 J-S10 tokens: strictly increasing in a life, different over lives") {
  std::set<Token> seen;
  for (const std::uint32_t incarnation : {1U, 2U, 3U}) {
    TokenSource source(7, incarnation);
    Token previous{};
    for (int attempt = 0; attempt < 1000; ++attempt) {  // all in the same tick
      const Token token = source.next();
      CHECK(token > previous);
      CHECK_FALSE(token.is_empty());
      CHECK(seen.insert(token).second);
      previous = token;
    }
  }
}

}  // namespace
}  // namespace photon
