// The durable log alone: segments over several lives, torn tails, late writes, losses.
#include "core_impl/paxos/replica_log.h"

#include <algorithm>
#include <memory>
#include <vector>

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
    const LogProgress now = log.on_io(context, ticket, result);
    if (now != LogProgress::waiting) progress = now;
  }
  ReplicaLog log;
  LogProgress progress = LogProgress::waiting;  // the last other value
};

struct Bench {
  Bench() { boot(); }

  // A new life on the same disk; the rest of the old one's writes is left to the disk.
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
  void accept(Slot slot, std::uint64_t ballot, std::size_t bytes = 20) {
    Bytes value(bytes, std::byte(slot));
    node->log.add(LogRecord::accept(slot, Ballot(ballot), SharedBytes(value)), ++mark);
  }
  void write() {
    node->progress = LogProgress::waiting;
    node->log.flush(context);
    context.complete_all(*node);
    CHECK(node->progress == LogProgress::persisted);
    CHECK(node->log.durable_mark() == mark);
  }
  // A new chain that stands for `entries` acceptances above slot `base`, as a driver requests it.
  void rewrite(Slot base, Slot last, std::uint64_t ballot) {
    PooledVector<LogRecord> carried;
    for (Slot slot = base + 1; slot <= last; ++slot) {
      Bytes value(20, std::byte(slot));
      carried.push_back(LogRecord::accept(slot, Ballot(ballot), SharedBytes(value)));
    }
    node->log.rewrite(context, base, carried, mark);
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
    // The next life continues, and its records are found after the torn tail.
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
  Bench late = {};  // the same first life, with a second append in flight
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
  SECTION("a segment is shorter than its successor states") {
    bench.disk().at(bench.name(2)).pop_back();
  }
  SECTION("a byte is wrong") { bench.disk().at(bench.name(1)).back() ^= std::byte{1}; }
  SECTION("the newest header is wrong") { bench.disk().at(bench.name(3)).at(20) ^= std::byte{1}; }
  SECTION("two segments are swapped") {
    std::swap(bench.disk().at(bench.name(1)), bench.disk().at(bench.name(2)));
  }
  bench.restart();
  CHECK(bench.node->progress == LogProgress::damaged);
}

TEST_CASE("B-18 no wrong bit of a log costs an acknowledged record undetected") {
  const bool torn_after = GENERATE(false, true);  // the last life died in the middle of a write
  Bench whole;
  for (const std::uint64_t life : {1U, 2U}) {
    whole.mark = 0;
    whole.accept(2 * life - 1, life);
    whole.write();
    whole.accept(2 * life, life);
    whole.write();
    if (torn_after) {
      whole.accept(2 * life + 1, life);
      whole.node->log.flush(whole.context);
    }
    whole.restart(torn_after ? 30 : 0);
  }
  REQUIRE(whole.known.entries.size() == 4);
  std::size_t noticed = 0;
  for (const std::uint64_t segment : {1U, 2U}) {
    const std::size_t bits = whole.disk().at(whole.name(segment)).size() * 8;
    for (std::size_t bit = 0; bit < bits; ++bit) {
      CAPTURE(segment, bit);
      Bench bench;
      bench.disk() = whole.disk();
      bench.disk().at(bench.name(segment)).at(bit / 8) ^= std::byte{1} << static_cast<int>(bit % 8);
      bench.boot();
      if (bench.node->progress == LogProgress::damaged) {
        ++noticed;
        continue;
      }
      REQUIRE(bench.node->progress == LogProgress::recovered);
      REQUIRE(bench.known.entries.size() == 4);
      CHECK(bench.known.entries[3].ballot == Ballot(2));
    }
  }
  CHECK(noticed > 1000);
}

// A misdirected write leaves zeros in its own place and its bytes on stored ones.
TEST_CASE("B-18 no write that lands on a log costs an acknowledged record undetected") {
  Bench whole;
  std::vector<Bytes> appends;
  for (const std::uint64_t life : {1U, 2U}) {
    whole.mark = 0;
    for (const Slot slot : {2 * life - 1, 2 * life}) {
      whole.accept(slot, life, slot == 2 ? 90 : 20);
      whole.write();
      const Bytes& segment = whole.disk().at(whole.name(life));
      std::size_t before = 0;
      if (slot % 2 == 0) before = appends.back().size();
      appends.emplace_back(segment.begin() + static_cast<std::ptrdiff_t>(before), segment.end());
    }
    whole.restart();
  }
  REQUIRE(whole.known.entries.size() == 4);
  std::size_t noticed = 0;
  const auto check = [&](std::uint64_t segment, std::size_t place, const Bytes& landed) {
    CAPTURE(segment, place, landed.size());
    Bench bench;
    bench.disk() = whole.disk();
    Bytes& file = bench.disk().at(bench.name(segment));
    const std::size_t fits = std::min(landed.size(), file.size() - place);
    std::copy_n(landed.begin(), fits, file.begin() + static_cast<std::ptrdiff_t>(place));
    bench.boot();
    if (bench.node->progress == LogProgress::damaged) {
      ++noticed;
      return;
    }
    REQUIRE(bench.node->progress == LogProgress::recovered);
    CHECK(bench.known == whole.known);
  };
  for (std::size_t i = 0; i < appends.size(); ++i) {
    const Bytes nothing(appends[i].size(), std::byte{0});
    check(1 + i / 2, i % 2 == 0 ? 0 : appends[i - 1].size(), nothing);
    for (const std::uint64_t segment : {1U, 2U}) {
      const std::size_t size = whole.disk().at(whole.name(segment)).size();
      for (std::size_t place = 0; place < size; ++place) check(segment, place, appends[i]);
    }
  }
  CHECK(noticed > 1000);
}

TEST_CASE("B-12 a refused append is repeated, one of unknown outcome is written elsewhere") {
  Bench bench;
  bench.accept(1, 3);
  bench.node->progress = LogProgress::waiting;
  bench.node->log.flush(bench.context);
  bench.context.complete(*bench.node, IoStatus::full);
  CHECK(bench.node->progress == LogProgress::waiting);
  CHECK(bench.node->log.retry_due() == bench.context.now() + 50ms);
  bench.context.advance(50ms);
  bench.node->on_timer(bench.context, 0);
  bench.context.complete_unanswered(*bench.node);  // it took effect, unconfirmed
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

TEST_CASE("B-18 a new chain replaces the old one, whose segments are removed") {
  Bench bench;
  for (Slot slot = 1; slot <= 200; ++slot) {
    bench.accept(slot, 1);
    bench.write();
  }
  const std::size_t before = bench.disk().size();
  REQUIRE(before > 2);
  CHECK(bench.node->log.chain_bytes() > 8000);
  bench.rewrite(198, 200, 1);
  CHECK(bench.disk().size() == before);
  CHECK(bench.node->log.chain_bytes() == 0);
  bench.context.complete_all(*bench.node);
  CHECK(bench.disk().size() == 1);
  bench.accept(201, 1);
  bench.write();
  CHECK(bench.disk().size() == 1);
  bench.restart();
  REQUIRE(bench.node->progress == LogProgress::recovered);
  CHECK(bench.known.base.through == 198);
  CHECK(bench.known.commit == 198);
  REQUIRE(bench.known.entries.size() == 3);
  CHECK(bench.known.entries[2].ballot == Ballot(1));
  // The next life continues this chain, and a later one reads both segments.
  bench.mark = 0;
  bench.accept(202, 2);
  bench.write();
  bench.restart();
  CHECK(bench.known.entries.size() == 4);
}

TEST_CASE("A-23 B-18 the creation of a chain may be torn at any byte: then the old one counts") {
  std::size_t length = 1;
  for (std::size_t kept = 0; kept <= length; ++kept) {
    CAPTURE(kept);
    Bench bench;
    for (Slot slot = 1; slot <= 3; ++slot) bench.accept(slot, 3);
    bench.write();
    bench.rewrite(1, 3, 3);
    length = bench.context.pending.front().request.data.size();
    bench.restart(kept);
    REQUIRE(bench.node->progress == LogProgress::recovered);
    CHECK(bench.known.base.through == (kept == length ? 1 : 0));
    REQUIRE(bench.known.base.through + bench.known.entries.size() == 3);
    // It stays so, whatever the next life adds.
    bench.mark = 0;
    bench.accept(4, 5);
    bench.write();
    bench.restart();
    REQUIRE(bench.node->progress == LogProgress::recovered);
    CHECK(bench.known.base.through + bench.known.entries.size() == 4);
    CHECK(bench.known.promised == Ballot(5));
  }
}

TEST_CASE("B-18 a chain whose creation was not answered is created again elsewhere") {
  Bench bench;
  for (Slot slot = 1; slot <= 3; ++slot) bench.accept(slot, 3);
  bench.write();
  bench.rewrite(2, 3, 3);
  const bool took_effect = GENERATE(false, true);
  if (took_effect) bench.context.complete_unanswered(*bench.node);
  if (!took_effect) bench.context.complete(*bench.node, IoStatus::full);
  bench.accept(4, 3);  // waits meanwhile
  bench.context.advance(50ms);
  bench.node->on_timer(bench.context, 0);
  bench.context.complete_all(*bench.node);
  bench.write();
  CHECK(bench.disk().size() == 1);
  bench.restart();
  REQUIRE(bench.node->progress == LogProgress::recovered);
  CHECK(bench.known.base.through == 2);
  CHECK(bench.known.entries.size() == 2);
}

TEST_CASE("B-18 segments whose removal fails, or never arrives, do no harm and are removed later") {
  Bench bench;
  bench.accept(1, 3);
  bench.write();
  bench.restart();
  bench.mark = 0;
  bench.accept(2, 4);
  bench.write();
  bench.rewrite(1, 2, 4);
  bench.context.complete(*bench.node);
  REQUIRE(bench.disk().size() == 3);
  SECTION("it fails") {
    bench.context.complete(*bench.node, IoStatus::unavailable);
    CHECK(bench.disk().size() == 3);
    bench.accept(3, 4);
    bench.write();
    CHECK(bench.disk().size() == 1);
  }
  SECTION("the process dies before, or in the middle") {
    const bool one_is_gone = GENERATE(false, true);
    if (one_is_gone) bench.context.complete(*bench.node);
    bench.restart();
    REQUIRE(bench.node->progress == LogProgress::recovered);
    CHECK(bench.known.base.through == 1);
    CHECK(bench.known.entries.size() == 1);
    bench.mark = 0;
    bench.accept(3, 4);
    bench.write();
    CHECK(bench.disk().size() == 2);
  }
  bench.restart();
  REQUIRE(bench.node->progress == LogProgress::recovered);
  CHECK(bench.known.base.through == 1);
  CHECK(bench.known.entries.size() == 2);
}

TEST_CASE("B-18 a chain that has lost its beginning, or a part of it, stops the replica") {
  Bench bench;
  for (Slot slot = 1; slot <= 3; ++slot) bench.accept(slot, 3);
  bench.write();
  bench.rewrite(1, 3, 3);
  bench.context.complete_all(*bench.node);
  bench.restart();
  bench.mark = 0;
  bench.accept(4, 3);
  bench.write();
  REQUIRE(bench.disk().size() == 2);
  SECTION("it is missing") { bench.disk().erase(bench.name(2)); }
  SECTION("it is shorter than its successor states") { bench.disk().at(bench.name(2)).pop_back(); }
  SECTION("a carried byte is wrong") { bench.disk().at(bench.name(2)).back() ^= std::byte{1}; }
  SECTION("it is alone, shorter than it states, and the chain that it replaced is removed") {
    bench.disk().erase(bench.name(3));
    bench.disk().at(bench.name(2)).pop_back();
  }
  bench.restart();
  CHECK(bench.node->progress == LogProgress::damaged);
}

}  // namespace
}  // namespace photon::paxos
