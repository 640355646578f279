// The state store alone, one volume request at a time: the steps of a take-over, and the lease.
#include <string>
#include <vector>

#include "core_impl/photon/intake/state_store.h"
#include "core_impl/runtime/file_name.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace store_steps {
namespace {

constexpr VolumeId kCell{2};
constexpr TimerKind kJournalTimer = 3;
constexpr std::uint64_t kEpoch = 5;
constexpr Duration kRetry = 200ms;

// Publishes an empty snapshot; the test does the rest.
struct Owner final : public Node {
  void on_start(Context&) override {}
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override { store.on_timer(context); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    events.push_back(store.on_io(context, ticket, result));
    if (events.back() == StateStore::Event::recovered) store.publish(context, Bytes{});
  }

  StateStore store{StateStore::Options{
      .cell = kCell, .lease = 9s, .retry_delay = kRetry, .timer = kJournalTimer}};
  std::vector<StateStore::Event> events;
};

struct Bench {
  void take_over() {
    owner.store.start(context, kEpoch);
    context.complete_all(owner);
    REQUIRE(owner.events.back() == StateStore::Event::ready);
  }
  void append() {
    append_journal(RemovedRecord{}, owner.store.pending());
    owner.store.flush(context);
  }
  bool held(Duration at) const { return owner.store.lease_held(MonotonicTime(at)); }

  FakeContext context{NodeId(10)};
  Owner owner;
};

}  // namespace

TEST_CASE("C-30 C-06 a step of a take-over that the cell refuses is repeated after a pause") {
  Bench bench;
  const auto refused = GENERATE(0, 1, 2);  // the look, the fence, the reading
  CAPTURE(refused);
  if (refused == 0) {
    bench.owner.store.look(bench.context);
  } else {
    bench.owner.store.start(bench.context, kEpoch);
    if (refused == 2) bench.context.complete(bench.owner);
  }
  for (int attempt = 0; attempt < 3; ++attempt) {
    REQUIRE(bench.context.pending.size() == 1);
    CHECK(bench.context.pending.front().request.operation ==
          (refused == 1 ? VolumeOperation::fence : VolumeOperation::read));
    bench.owner.store.on_timer(bench.context);  // nothing waits for it
    REQUIRE(bench.context.pending.size() == 1);
    bench.context.complete(bench.owner, IoStatus::unavailable);
    CHECK(bench.context.pending.empty());
    REQUIRE(bench.context.timer(kJournalTimer) == bench.context.now() + kRetry);
    bench.context.fire(bench.owner, kJournalTimer);
  }
  bench.context.complete_all(bench.owner);
  CHECK(bench.owner.events.back() ==
        (refused == 0 ? StateStore::Event::looked : StateStore::Event::ready));
}

TEST_CASE("C-06 a journal written under the same or a later epoch is not taken over") {
  Bench bench;
  const std::uint64_t written = GENERATE(kEpoch - 1, kEpoch, kEpoch + 1);
  CAPTURE(written);
  bench.owner.store.start(bench.context, kEpoch);
  bench.context.complete(bench.owner);  // the fence
  // Another worker takes over between the fence and the reading.
  REQUIRE(bench.context.pending.size() == 1);
  const FileName journal = bench.context.pending.front().request.file;
  append_journal(OwnershipRecord{NodeId(11), written, {}, 9s},
                 bench.context.disks[kCell][std::string(view_of(journal))]);
  bench.context.complete_all(bench.owner);
  if (written < kEpoch) {
    CHECK(bench.owner.events.back() == StateStore::Event::ready);
    CHECK(bench.held(1s));
  } else {
    using enum StateStore::Event;
    CHECK(bench.owner.events == std::vector{none, fenced});  // it is not restored either
    CHECK_FALSE(bench.held(1s));
  }
}

TEST_CASE("C-06 the lease is extended by a claim that is durable, not by a write before it") {
  Bench bench;
  bench.take_over();
  CHECK(bench.held(9s - 1ns));
  CHECK_FALSE(bench.held(9s));
  bench.context.advance(4s);
  bench.append();
  bench.owner.store.renew_if_due(bench.context);
  REQUIRE(bench.context.pending.size() == 1);
  bench.context.complete(bench.owner);  // the write before the claim
  CHECK(bench.owner.events.back() == StateStore::Event::durable);
  CHECK(bench.held(9s - 1ns));
  CHECK_FALSE(bench.held(9s));
  bench.owner.store.flush(bench.context);
  bench.context.advance(4s);
  bench.owner.store.renew_if_due(bench.context);  // one claim at a time
  CHECK(bench.owner.store.pending().empty());
  bench.context.complete(bench.owner);  // the claim, of four seconds ago
  CHECK(bench.held(13s - 1ns));
  CHECK_FALSE(bench.held(13s));
  // A later write extends nothing.
  bench.append();
  bench.context.complete(bench.owner);
  CHECK(bench.held(13s - 1ns));
  CHECK_FALSE(bench.held(13s));
}

}  // namespace store_steps
