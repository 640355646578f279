// The durable log alone: segments over several lives, torn tails, late writes, losses.
#include "core_impl/paxos/replica_log.h"

#include <memory>

#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::paxos {
namespace {

using namespace std::chrono_literals;

constexpr VolumeId kDisk{1};
constexpr ShardId kGroup{5};

class LogNode final : public Node {
 public:
  explicit LogNode(const ReplicaLog::Options& options) : log(options) {}
  void on_start(Context& context) override { log.start(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override { log.on_timer(context); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    REQUIRE(log.owns(ticket));
    progress = log.on_io(context, result);
  }
  ReplicaLog log;
  LogProgress progress = LogProgress::waiting;
};

struct Bench {
  Bench() { boot(); }

  // A new life on the same disk; what is left of the old one's writes is the disk's business.
  void boot() {
    node = std::make_unique<LogNode>(
        ReplicaLog::Options{kDisk, kGroup, 2, 50ms, std::uint64_t{segment_bytes}});
    node->on_start(context);
    context.complete_all(*node);
    if (node->progress == LogProgress::recovered) known = node->log.take_recovered();
  }
  void restart(std::size_t kept = 0) {
    context.crash(kept);
    boot();
  }
  void accept(Slot slot, std::uint64_t ballot) {
    Bytes value(20, std::byte(slot));
    node->log.add(LogRecord::accept(slot, Ballot(ballot), SharedBytes(value)), ++mark);
  }
  void write() {
    node->log.flush(context);
    context.complete_all(*node);
    CHECK(node->progress == LogProgress::persisted);
    CHECK(node->log.durable_mark() == mark);
  }
  photon::testing::FakeDisk& disk() { return context.disks[kDisk]; }
  std::string name(std::uint64_t segment) const {
    const FileName file = segment_name(kGroup, segment);
    return {file.data(), file.size()};
  }

  std::uint64_t segment_bytes = 4096;
  std::uint64_t mark = 0;
  photon::testing::FakeContext context{NodeId(1)};
  std::unique_ptr<LogNode> node{};
  Recovered known{};
};

TEST_CASE("B-12 what was durable is known to the next life, which writes into its own segment") {
  Bench bench;
  CHECK(bench.known.is_fresh());
  bench.accept(1, 3);
  bench.accept(2, 3);
  bench.write();
  bench.node->log.add(LogRecord::commit(2), ++bench.mark);
  bench.write();
  bench.restart();
  CHECK(bench.known.commit == 2);
  CHECK(bench.known.promised == Ballot(3));
  REQUIRE(bench.known.entries.size() == 2);
  const Bytes before = bench.disk().at(bench.name(1));
  bench.mark = 0;
  bench.accept(3, 4);
  bench.write();
  CHECK(bench.disk().size() == 2);
  CHECK(bench.disk().at(bench.name(1)) == before);
  bench.restart();
  REQUIRE(bench.known.entries.size() == 3);
  CHECK(bench.known.entries[2].ballot == Ballot(4));
}

TEST_CASE("A-23 B-12 a tail torn anywhere costs what was not acknowledged, and never the log") {
  // Long enough for the header, one record and most of a second one.
  for (std::size_t kept = 0; kept < 160; ++kept) {
    CAPTURE(kept);
    Bench bench;
    bench.accept(1, 3);
    bench.write();
    bench.accept(2, 3);
    bench.accept(3, 3);
    bench.node->log.flush(bench.context);
    bench.restart(kept);
    REQUIRE(bench.node->progress == LogProgress::recovered);
    const std::size_t recovered = bench.known.entries.size();
    REQUIRE(recovered >= 1);
    REQUIRE(recovered <= 3);
    // The next life goes on, and what it writes is found behind the torn tail.
    bench.mark = 0;
    bench.accept(9, 5);
    bench.write();
    bench.restart();
    REQUIRE(bench.node->progress == LogProgress::recovered);
    REQUIRE(bench.known.entries.size() == 9);
    for (Slot slot = 2; slot <= 3; ++slot) {
      CHECK((bench.known.entries[slot - 1].ballot != Ballot{}) == (slot <= recovered));
    }
  }
}

TEST_CASE("B-12 an append of a dead life that takes effect late is void") {
  Bench bench;
  bench.accept(1, 3);
  bench.write();
  Bench late = {};  // the same first life, with a second append under way
  late.accept(1, 3);
  late.write();
  late.accept(2, 3);
  late.write();
  const Bytes longer = late.disk().at(late.name(1));
  bench.restart();
  bench.mark = 0;
  bench.accept(2, 8);
  bench.write();
  bench.disk()[bench.name(1)] = longer;  // now it arrives
  bench.restart();
  REQUIRE(bench.node->progress == LogProgress::recovered);
  REQUIRE(bench.known.entries.size() == 2);
  CHECK(bench.known.entries[1].ballot == Ballot(8));
}

TEST_CASE("B-18 acknowledged records that are gone stop the replica") {
  Bench bench;
  for (const std::uint64_t life : {1U, 2U, 3U}) {
    bench.mark = 0;
    bench.accept(life, life);
    bench.write();
    bench.restart();
  }
  REQUIRE(bench.disk().size() == 3);
  SECTION("a segment is missing") { bench.disk().erase(bench.name(2)); }
  SECTION("a segment is shorter than its successor says") {
    bench.disk().at(bench.name(2)).pop_back();
  }
  SECTION("a byte is wrong") { bench.disk().at(bench.name(1)).back() ^= std::byte{1}; }
  SECTION("the newest header is wrong") { bench.disk().at(bench.name(3)).at(20) ^= std::byte{1}; }
  SECTION("two segments have changed places") {
    std::swap(bench.disk().at(bench.name(1)), bench.disk().at(bench.name(2)));
  }
  bench.restart();
  CHECK(bench.node->progress == LogProgress::damaged);
}

TEST_CASE(
    "B-12 a refused append is asked again, one whose outcome is unknown is written elsewhere") {
  Bench bench;
  bench.accept(1, 3);
  bench.node->log.flush(bench.context);
  bench.context.complete(*bench.node, IoStatus::full);
  CHECK(bench.node->progress == LogProgress::waiting);
  CHECK(bench.node->log.retry_due() == bench.context.now() + 50ms);
  bench.context.advance(50ms);
  bench.node->on_timer(bench.context, 0);
  bench.context.complete_unanswered(*bench.node);  // it took effect, and nobody said so
  bench.context.advance(50ms);
  bench.node->on_timer(bench.context, 0);
  bench.context.complete_all(*bench.node);
  CHECK(bench.node->progress == LogProgress::persisted);
  CHECK(bench.disk().size() == 2);
  bench.restart();
  REQUIRE(bench.node->progress == LogProgress::recovered);
  CHECK(bench.known.entries.size() == 1);
}

TEST_CASE("B-12 a segment that is large enough is followed by the next, and both are read") {
  Bench bench;
  for (Slot slot = 1; slot <= 200; ++slot) {
    bench.accept(slot, 1);
    bench.write();
  }
  CHECK(bench.disk().size() > 2);
  CHECK(bench.disk().at(bench.name(1)).size() < 4096 + 100);
  bench.restart();
  CHECK(bench.known.entries.size() == 200);
}

}  // namespace
}  // namespace photon::paxos
