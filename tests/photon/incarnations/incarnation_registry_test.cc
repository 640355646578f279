#include "core_impl/photon/incarnations/incarnation_registry.h"

#include <map>
#include <optional>
#include <vector>

#include "core_impl/photon/incarnations/incarnation_client.h"
#include "tests/photon/registry/registry_world.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace std::chrono_literals;
using testing::Sent;
using testing::World;
using testing::WorldOptions;

// A process that obtains its incarnation at start and then appends to its own file on request.
class Worker final : public Node {
 public:
  using Inbox = Accepts<IncarnationGrant, IncarnationAnswer>;
  Worker(NodeId registry, VolumeId cell) : cell_(cell), client_({.registry = registry}) {}
  void on_start(Context& context) override { client_.start(context); }
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on(Context& context, NodeId /*from*/, const IncarnationGrant& grant) {
    if (client_.on_grant(context, grant)) ++grants;
  }
  void on(Context& /*context*/, NodeId /*from*/, const IncarnationAnswer& answer) {
    answers.push_back(answer);
  }
  void on_timer(Context& context, TimerKind /*kind*/) override { client_.on_timer(context); }
  void on_io(Context& /*context*/, Ticket /*ticket*/, IoResult& result) override {
    statuses.push_back(result.status);
  }
  void append(Context& context) {
    VolumeRequest request;
    request.volume = cell_;
    request.operation = VolumeOperation::append;
    request.file = FileName("output/worker");
    request.epoch = *client_.granted();
    request.data.resize(3);
    static_cast<void>(context.submit(std::move(request)));
  }
  std::optional<std::uint32_t> granted() const { return client_.granted(); }

  int grants = 0;
  std::vector<IoStatus> statuses;
  std::vector<IncarnationAnswer> answers;

 private:
  VolumeId cell_;
  IncarnationClient client_;
};

struct Bench {
  explicit Bench(const WorldOptions& options = {}) : world(options) {
    cell = world.add_volume();
    IncarnationRegistryOptions settings;
    settings.cell = cell;
    settings.fenced.push_back({.address = 1, .volume = cell, .prefix = FileName("output/worker")});
    settings.fenced.push_back({.address = 1, .volume = cell, .prefix = FileName("state/worker")});
    registry = world.add([settings] { return std::make_unique<IncarnationRegistry>(settings); });
    worker = world.add([this] { return std::make_unique<Worker>(registry, cell); });
    other = world.add([this] { return std::make_unique<Worker>(registry, cell); });
  }
  Worker& the_worker() { return world.node<Worker>(worker); }
  void restart(NodeId node) {
    world.crash(node);
    world.start(node);
  }
  Liveness ask(std::uint32_t incarnation) {
    const std::size_t before = world.node<Worker>(other).answers.size();
    world.context(other).send(registry, Body::make(IncarnationQuery{worker.value(), incarnation}));
    REQUIRE(world.run_until([&] { return world.node<Worker>(other).answers.size() > before; }, 1s));
    const IncarnationAnswer& answer = world.node<Worker>(other).answers.back();
    CHECK(answer.address == worker.value());
    CHECK(answer.incarnation == incarnation);
    return answer.liveness;
  }

  // Zeros in the place of one copy of the table.
  void damage(std::uint32_t copy) {
    VolumeRequest request;
    request.operation = VolumeOperation::replace;
    request.file = incarnation_table_copy(copy);
    request.epoch = ~std::uint64_t{0};
    request.data.resize(40);
    IoResult result;
    world.volume(cell).serve(request, result);
    REQUIRE(result.status == IoStatus::ok);
  }
  bool granted_within(Duration limit) {
    return world.run_until([&] { return the_worker().granted().has_value(); }, limit);
  }

  World world;
  VolumeId cell{};
  NodeId registry{};
  NodeId worker{};
  NodeId other{};
};

TEST_CASE("F-05 each life gets a number of its own, growing") {
  Bench bench;
  bench.world.start(bench.registry);
  bench.world.start(bench.worker);
  bench.world.start(bench.other);
  for (std::uint32_t life = 1; life <= 5; ++life) {
    REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
    CHECK(*bench.the_worker().granted() == life);
    bench.restart(bench.worker);
  }
}

TEST_CASE("F-06 files are fenced before the grant is sent, so a dead life writes no more") {
  Bench bench;
  std::optional<std::uint32_t> epoch_at_grant;
  bench.world.on_send = [&](const Sent& sent) {
    if (sent.body.type() != IncarnationGrant::kType || sent.to != bench.worker) return;
    const auto& grant = sent.body.as<IncarnationGrant>();
    for (const char* file : {"output/worker", "state/worker/7"}) {
      CHECK(bench.world.volume(bench.cell).epoch_of(file) == grant.incarnation);
    }
    epoch_at_grant = grant.incarnation;
  };
  bench.world.start(bench.registry);
  bench.world.start(bench.worker);
  REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
  CHECK(epoch_at_grant == 1U);
  bench.the_worker().append(bench.world.context(bench.worker));
  bench.world.run_for(10ms);
  CHECK(bench.the_worker().statuses == std::vector<IoStatus>{IoStatus::ok});
  // A write of life 1 that reaches the storage only after life 2 was granted.
  bench.restart(bench.worker);
  REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
  VolumeRequest late;
  late.operation = VolumeOperation::append;
  late.file = FileName("output/worker");
  late.expected_length = 3;
  late.epoch = 1;
  IoResult result;
  bench.world.volume(bench.cell).serve(late, result);
  CHECK(result.status == IoStatus::fenced);
}

TEST_CASE("F-03 F-04 unreachable is not dead; a granted and fenced successor is proof") {
  Bench bench;
  bench.world.start(bench.registry);
  bench.world.start(bench.other);
  bench.world.start(bench.worker);
  CHECK(bench.ask(1) == Liveness::maybe_alive);  // nothing was granted yet
  REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
  CHECK(bench.ask(1) == Liveness::maybe_alive);
  bench.world.crash(bench.worker);
  bench.world.run_for(1h);
  CHECK(bench.ask(1) == Liveness::maybe_alive);  // dead, but not proven
  bench.world.start(bench.worker);
  REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
  CHECK(bench.ask(1) == Liveness::dead_and_fenced);
  CHECK(bench.ask(2) == Liveness::maybe_alive);
  CHECK(bench.ask(3) == Liveness::maybe_alive);  // a life that has not begun
}

TEST_CASE(
    "F-05 F-06 a process without files is granted when that is durable, and its dead lives are") {
  Bench bench;
  bench.world.start(bench.registry);
  bench.world.start(bench.worker);
  bench.world.start(bench.other);
  const auto granted = [&] { return bench.world.node<Worker>(bench.other).granted(); };
  const auto is_dead = [&](std::uint32_t incarnation, NodeId process) {
    auto& answers = bench.the_worker().answers;
    answers.clear();
    bench.world.context(bench.worker)
        .send(bench.registry, Body::make(IncarnationQuery{process.value(), incarnation}));
    REQUIRE(bench.world.run_until([&] { return !answers.empty(); }, 1s));
    CHECK(answers[0].address == process.value());
    return answers[0].liveness == Liveness::dead_and_fenced;
  };
  CHECK_FALSE(is_dead(1, NodeId(999)));  // it never asked for a grant
  for (std::uint32_t life = 1; life <= 3; ++life) {
    REQUIRE(bench.world.run_until([&] { return granted().has_value(); }, 5s));
    CHECK(*granted() == life);
    CHECK_FALSE(is_dead(life, bench.other));
    CHECK((life == 1 || is_dead(life - 1, bench.other)));
    bench.restart(bench.registry);
    bench.world.run_for(1s);
    CHECK_FALSE(is_dead(life, bench.other));
    CHECK((life == 1 || is_dead(life - 1, bench.other)));
    bench.restart(bench.other);
  }
}

TEST_CASE("F-06 while a fence is not in place, no grant and no declaration of death") {
  Bench bench;
  bench.world.start(bench.registry);
  bench.world.start(bench.other);
  bench.world.start(bench.worker);
  REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
  bench.restart(bench.worker);
  bench.world.volume(bench.cell).available = false;
  bench.world.run_for(1min);
  CHECK_FALSE(bench.the_worker().granted().has_value());
  CHECK(bench.ask(1) == Liveness::maybe_alive);
  bench.world.volume(bench.cell).available = true;
  REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
  CHECK(*bench.the_worker().granted() == 2);
  CHECK(bench.ask(1) == Liveness::dead_and_fenced);
}

TEST_CASE("F-05 the incarnation registry survives its own crash at any moment") {
  for (int step = 0; step < 40; ++step) {
    INFO("the registry crashes " << step << " x 50 us after the worker's second start");
    WorldOptions options;
    options.seed = static_cast<std::uint64_t>(step) + 1;
    Bench bench(options);
    bench.world.start(bench.registry);
    bench.world.start(bench.other);
    bench.world.start(bench.worker);
    REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
    bench.restart(bench.worker);
    bench.world.run_for(step * 50us);
    bench.restart(bench.registry);
    REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
    CHECK(*bench.the_worker().granted() == 2);  // one grant for one life
    REQUIRE(bench.world.run_until([&] { return bench.ask(1) == Liveness::dead_and_fenced; }, 5s));
    CHECK(bench.ask(2) == Liveness::maybe_alive);
    bench.restart(bench.registry);
    bench.restart(bench.worker);
    REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 5s));
    CHECK(*bench.the_worker().granted() == 3);
  }
}

TEST_CASE("J-S10 duplicated, lost and late requests: one life, one grant, never a number twice") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    WorldOptions options;
    options.seed = seed;
    options.loss_per_mille = 300;
    options.duplicate_per_mille = 500;
    options.delay_most = 3s;  // requests overtake each other and arrive after their senders died
    Bench bench(options);
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> grants;
    bench.world.on_send = [&](const Sent& sent) {
      if (sent.body.type() != IncarnationGrant::kType) return;
      const auto& grant = sent.body.as<IncarnationGrant>();
      const auto [place, fresh] =
          grants.try_emplace({grant.address, grant.request}, grant.incarnation);
      CHECK(place->second == grant.incarnation);
      for (const auto& [key, incarnation] : grants) {
        if (key.first == grant.address && key.second != grant.request) {
          CHECK(incarnation != grant.incarnation);
          CHECK((key.second < grant.request) == (incarnation < grant.incarnation));
        }
      }
    };
    bench.world.start(bench.registry);
    bench.world.start(bench.worker);
    for (int life = 0; life < 6; ++life) {
      bench.world.run_for(Duration(static_cast<std::int64_t>(bench.world.draw(4'000'000'000))));
      bench.restart(bench.worker);
      if (bench.world.draw(2) == 0) bench.restart(bench.registry);
    }
    REQUIRE(bench.world.run_until([&] { return bench.the_worker().granted().has_value(); }, 10min));
    CHECK(bench.the_worker().grants == 1);
    bench.world.run_for(1min);  // whatever is still in flight arrives
    CHECK(bench.the_worker().grants == 1);
    // Its own files are still open to it.
    CHECK(bench.world.volume(bench.cell).epoch_of("output/worker") ==
          *bench.the_worker().granted());
  }
}

TEST_CASE("F-05 B-18 grants continue after damage of one copy of the table, and none repeats") {
  for (std::uint32_t copy = 0; copy < kIncarnationTableCopies; ++copy) {
    Bench bench;
    bench.world.start(bench.registry);
    bench.world.start(bench.other);
    bench.world.start(bench.worker);
    for (std::uint32_t life = 1; life <= 4; ++life) {
      REQUIRE(bench.granted_within(5s));
      CHECK(*bench.the_worker().granted() == life);
      bench.damage(copy);
      bench.restart(bench.registry);
      bench.restart(bench.worker);
    }
    REQUIRE(bench.granted_within(5s));
    CHECK(bench.ask(4) == Liveness::dead_and_fenced);
  }
}

TEST_CASE("F-05 B-18 with both copies of the table damaged nothing is granted, no life is dead") {
  Bench bench;
  bench.world.start(bench.registry);
  bench.world.start(bench.other);
  bench.world.start(bench.worker);
  REQUIRE(bench.granted_within(5s));
  bench.damage(0);
  bench.damage(1);
  bench.restart(bench.registry);
  bench.restart(bench.worker);
  CHECK_FALSE(bench.granted_within(1h));
  CHECK(bench.ask(1) == Liveness::maybe_alive);
  const auto& registry = bench.world.node<IncarnationRegistry>(bench.registry);
  CHECK(registry.table().is_lost());
  CHECK(registry.table().statistics().lost > 10'000);  // it continues to read and to report
}

}  // namespace
}  // namespace photon
