// The division of partitions among workers, and the numbers under which they write.

#include "core_impl/photon/leases/worker_group.h"

#include <algorithm>
#include <map>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/leases/lease_epoch.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

// A process that only takes part in the group; those named in `shown` give signs of life.
class Member final : public Node {
 public:
  static constexpr TimerKind kTick = 0;
  explicit Member(WorkerGroup::Options options) : group(std::move(options)) {}

  void on_start(Context& context) override {
    group.start(context);
    on_timer(context, kTick);
  }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override {
    group.tick(context);
    context.set_timer(kTick, context.now() + 1s);
  }
  void on_io(Context&, Ticket ticket, IoResult& result) override {
    REQUIRE(group.on_io(ticket, result));
  }

  WorkerGroup group;
};

struct Fixture {
  std::shared_ptr<HarnessVolumes> volumes = std::make_shared<HarnessVolumes>();
  std::vector<std::unique_ptr<Harness>> harnesses;
  std::vector<Member*> members;
  WorkerGroup::Options options{VolumeId(1), "signs/", {}};

  explicit Fixture(std::uint32_t workers) {
    for (std::uint32_t i = 0; i < workers; ++i) options.workers.push_back(NodeId(10 + i));
    members.resize(workers);
    for (std::uint32_t i = 0; i < workers; ++i) {
      harnesses.push_back(std::make_unique<Harness>(NodeId(10 + i), 1, volumes));
    }
  }
  void start(std::uint32_t worker) {
    harnesses[worker]->start([&, worker] {
      auto node = std::make_unique<Member>(options);
      members[worker] = node.get();
      return node;
    });
  }
  void run(std::initializer_list<std::uint32_t> alive, int seconds) {
    for (int i = 0; i < 10 * seconds; ++i) {
      for (const std::uint32_t worker : alive) harnesses[worker]->run_for(100ms);
    }
  }
  std::map<NodeId, std::uint32_t> division(std::uint32_t seen_by, std::uint32_t partitions) {
    std::map<NodeId, std::uint32_t> shares;
    for (std::uint32_t p = 0; p < partitions; ++p) {
      ++shares[members[seen_by]->group.owner_of(p)];
    }
    return shares;
  }
};

}  // namespace

TEST_CASE("C-06 a worker without a sign of life for four reads counts as gone, and may return") {
  Fixture fixture(3);
  for (std::uint32_t i = 0; i < 3; ++i) fixture.start(i);
  fixture.run({0, 1, 2}, 10);
  const auto alive = [&](std::uint32_t worker) {
    return fixture.members[0]->group.is_alive(NodeId(10 + worker));
  };
  CHECK((alive(0) && alive(1) && alive(2)));
  fixture.run({0, 1}, 2);
  CHECK(alive(2));
  fixture.run({0, 1}, 3);
  CHECK_FALSE(alive(2));
  CHECK(alive(1));
  CHECK_FALSE(alive(77));
  fixture.run({0, 1, 2}, 2);
  CHECK(alive(2));
}

TEST_CASE("C-06 a worker is gone after four equal reads in a row; an unreadable one begins anew") {
  FakeContext context(NodeId(10));
  Member member({VolumeId(1), "signs/", {NodeId(10), NodeId(11)}});
  const FileName name = signs_of_life_file("signs/", NodeId(11));
  const std::string file(name.data(), name.size());
  FakeDisk& disk = context.disks[VolumeId(1)];
  const auto alive = [&] { return member.group.is_alive(NodeId(11)); };
  const auto read = [&](std::optional<IoStatus> status = std::nullopt) {
    context.fire(member, Member::kTick);
    REQUIRE(context.pending.size() == 2);
    context.complete(member);  // its own sign
    context.complete(member, status);
  };
  member.group.start(context);
  context.set_timer(Member::kTick, context.now() + 1s);
  const bool shown = GENERATE(false, true);  // a worker that never showed a sign is gone, too
  if (shown) {
    disk[file] = Bytes(3, std::byte{1});
    read();
  }
  for (int same = 1; same <= 3; ++same) read();
  CHECK(alive());
  read(IoStatus::unavailable);
  for (int same = 1; same <= 3; ++same) read();
  CHECK(alive());
  CHECK(member.group.owner_of(1) == NodeId(11));
  read();
  CHECK_FALSE(alive());
  CHECK(member.group.owner_of(1) == NodeId(10));
  for (int same = 1; same <= 3; ++same) read();
  CHECK_FALSE(alive());
  disk[file] = Bytes(3, std::byte{2});
  read();
  CHECK(alive());
  for (int same = 1; same <= 3; ++same) read();
  CHECK(alive());
  disk.erase(file);  // that is a change as well
  read();
  CHECK(alive());
}

TEST_CASE("C-06 one request at a time for each sign, also when the cell does not answer") {
  FakeContext context(NodeId(10));
  Member member({VolumeId(1), "signs/", {NodeId(10), NodeId(11), NodeId(12)}});
  member.on_start(context);
  REQUIRE(context.pending.size() == 3);
  for (int tick = 0; tick < 3; ++tick) context.fire(member, Member::kTick);
  CHECK(context.pending.size() == 3);
  context.complete(member);
  context.fire(member, Member::kTick);
  REQUIRE(context.pending.size() == 3);
  CHECK(context.pending.back().request.operation == VolumeOperation::replace);
  context.complete(member);
  context.fire(member, Member::kTick);
  REQUIRE(context.pending.size() == 3);
  CHECK(context.pending.back().request.operation == VolumeOperation::read);
  IoResult none;
  CHECK_FALSE(member.group.on_io(Ticket(999), none));
}

TEST_CASE("C-06 partitions of absent workers are redistributed, the others stay") {
  Fixture fixture(4);
  for (std::uint32_t i = 0; i < 4; ++i) fixture.start(i);
  fixture.run({0, 1, 2, 3}, 5);
  for (const auto& [node, share] : fixture.division(0, 16)) CHECK(share == 4);
  std::map<std::uint32_t, NodeId> before;
  for (std::uint32_t p = 0; p < 16; ++p) {
    before[p] = fixture.members[0]->group.owner_of(p);
  }
  fixture.run({0, 1, 2}, 6);
  const auto shares = fixture.division(0, 16);
  CHECK(shares.size() == 3);
  for (const auto& [node, share] : shares) CHECK((share == 5 || share == 6));
  for (std::uint32_t p = 0; p < 16; ++p) {
    if (before[p] == NodeId(13)) continue;
    CHECK(fixture.members[0]->group.owner_of(p) == before[p]);
  }
  // All present workers agree.
  CHECK(fixture.division(1, 16) == shares);
  CHECK(fixture.division(2, 16) == shares);
}

TEST_CASE("C-06 epochs order by round, and no two lives of no two workers share one") {
  std::vector<std::uint64_t> epochs;
  for (const std::uint32_t round : {1U, 2U, 77U}) {
    for (const std::uint32_t worker : {0U, 1U, 1023U}) {
      for (const std::uint32_t life : {1U, 2U, (1U << 24U) - 1}) {
        const LeaseEpoch epoch(round, worker, Incarnation(life));
        CHECK(LeaseEpoch(epoch.value()).round() == round);
        CHECK(LeaseEpoch(epoch.value()).worker() == worker);
        CHECK(LeaseEpoch(epoch.value()).life() == Incarnation(life));
        epochs.push_back(epoch.value());
      }
    }
  }
  CHECK(std::ranges::is_sorted(epochs));
  CHECK(std::ranges::adjacent_find(epochs) == epochs.end());
}
