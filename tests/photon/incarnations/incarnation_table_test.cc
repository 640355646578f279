#include "core_impl/photon/incarnations/incarnation_table.h"

#include <string>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon {
namespace {

using namespace std::chrono_literals;
using testing::FakeContext;
using Event = IncarnationTable::Event;
using Lives = PooledVector<GrantedLife>;

constexpr VolumeId kTableCell{1};
constexpr IncarnationTable::Options kTableOptions{kTableCell, 200ms, 10s};

// A process with a table and nothing else.
class TableOwner final : public Node {
 public:
  void on_start(Context& context) override { table.start(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind) override { table.on_timer(context); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    REQUIRE(table.owns(ticket));
    const Event event = table.on_io(context, result);
    if (event != Event::none) events.push_back(event);
  }

  IncarnationTable table{kTableOptions};
  std::vector<Event> events;
};

struct TableBench {
  FakeContext context{NodeId{7}};

  Bytes& copy(std::uint32_t index) {
    const FileName name = incarnation_table_copy(index);
    return context.disks[kTableCell][std::string(name.data(), name.size())];
  }
  void start(TableOwner& owner) {
    owner.on_start(context);
    context.complete_all(owner);
  }
  void save(TableOwner& owner, const Lives& rows) {
    owner.table.save(context, rows);
    context.complete_all(owner);
  }
  // What a life that starts now finds.
  Lives found() {
    TableOwner next;
    context.crash();
    start(next);
    REQUIRE(next.events == std::vector{Event::loaded});
    return next.table.rows();
  }
};

const Lives kBefore{{20, 1, 1}};
const Lives kAfter{{20, 2, 5}, {21, 1, 1}};

Bytes encoded(const GrantedLives& lives) {
  Bytes bytes;
  append_encoded(lives, bytes);
  return bytes;
}

// A sealed record with a byte after the table.
Bytes encoded_and_more(const GrantedLives& lives) {
  Bytes bytes = encoded(lives);
  bytes.push_back(std::byte{0});
  seal_record(bytes, 0);
  return bytes;
}

// Bytes that are no sound copy, made of one that is.
std::vector<Bytes> damaged(const Bytes& sound) {
  std::vector<Bytes> all;
  for (std::size_t at = 0; at < sound.size(); at += 3) {
    all.push_back(sound);
    all.back()[at] ^= std::byte{0x10};
  }
  all.emplace_back(sound.begin(), sound.end() - 1);
  all.emplace_back();                            // empty
  all.emplace_back(sound.size(), std::byte{0});  // zeros, as a misdirected write leaves them
  all.push_back(encoded({0, kAfter}));           // no save has this number
  all.push_back(encoded({3, {{20, ~0U, 1}}}));   // no life comes after this one
  all.push_back(encoded({3, {{21, 1, 1}, {20, 1, 1}}}));  // out of order
  all.push_back(encoded_and_more({3, kBefore}));
  return all;
}

TEST_CASE("F-05 a table is saved when both copies are durable, and not before") {
  TableBench bench;
  TableOwner owner;
  bench.start(owner);
  REQUIRE(owner.events == std::vector{Event::loaded});
  CHECK(owner.table.rows().empty());
  owner.table.save(bench.context, kBefore);
  REQUIRE(bench.context.pending.size() == 1);  // one copy at a time is in doubt
  bench.context.complete(owner);
  CHECK(owner.events == std::vector{Event::loaded});
  REQUIRE(bench.context.pending.size() == 1);
  bench.context.complete(owner);
  CHECK(owner.events == std::vector{Event::loaded, Event::saved});
  CHECK(bench.copy(0) == bench.copy(1));
  CHECK(bench.found() == kBefore);
}

TEST_CASE("B-18 either copy may be damaged: the other one counts and repairs it") {
  for (std::uint32_t victim = 0; victim < kIncarnationTableCopies; ++victim) {
    TableBench bench;
    TableOwner first;
    bench.start(first);
    bench.save(first, kBefore);
    bench.save(first, kAfter);
    const Bytes sound = bench.copy(victim);
    for (const Bytes& bytes : damaged(sound)) {
      INFO("copy " << victim << ", " << bytes.size() << " bytes");
      bench.copy(victim) = bytes;
      TableOwner next;
      bench.context.crash();
      bench.start(next);
      CHECK(next.events == std::vector{Event::loaded});
      CHECK(next.table.rows() == kAfter);
      CHECK(next.table.statistics().repaired == 1);
      CHECK(bench.copy(victim) == sound);
    }
  }
}

TEST_CASE("B-18 a copy that the device refuses to read, or that is gone, is repaired") {
  for (const IoStatus status : {IoStatus::torn, IoStatus::missing}) {
    TableBench bench;
    TableOwner first;
    bench.start(first);
    bench.save(first, kAfter);
    TableOwner next;
    bench.context.crash();
    next.on_start(bench.context);
    bench.context.complete(next);          // the fence
    bench.context.complete(next, status);  // copy 0
    bench.context.complete_all(next);
    CHECK(next.table.rows() == kAfter);
    CHECK(next.table.statistics().repaired == 1);
  }
}

TEST_CASE("F-05 a crash at each moment of a save leaves two copies of the old or the new table") {
  for (int writes = 0; writes <= 2; ++writes) {
    INFO(writes << " of 2 copies are written before the crash");
    TableBench bench;
    TableOwner first;
    bench.start(first);
    bench.save(first, kBefore);
    first.table.save(bench.context, kAfter);
    for (int write = 0; write < writes; ++write) bench.context.complete(first);
    TableOwner next;
    bench.context.crash();
    bench.start(next);
    CHECK(next.table.rows() == (writes == 0 ? kBefore : kAfter));
    CHECK(next.table.statistics().repaired == (writes == 1 ? 1 : 0));
    CHECK(bench.copy(0) == bench.copy(1));
  }
}

TEST_CASE("F-05 a crash between the copies, then damage of the newer one: the older one counts") {
  TableBench bench;
  TableOwner first;
  bench.start(first);
  bench.save(first, kBefore);
  first.table.save(bench.context, kAfter);
  bench.context.complete(first);
  bench.copy(0).back() ^= std::byte{1};
  CHECK(bench.found() == kBefore);  // kAfter was not durable twice: nothing of it was granted
  // The number of the failed save is used again. That is harmless: the copies agree.
  TableOwner next;
  bench.context.crash();
  bench.start(next);
  bench.save(next, kAfter);
  CHECK(bench.found() == kAfter);
}

TEST_CASE("B-18 with both copies damaged nothing is guessed; a copy put back ends that") {
  TableBench bench;
  TableOwner first;
  bench.start(first);
  bench.save(first, kAfter);
  const Bytes sound = bench.copy(0);
  for (const Bytes& bytes : damaged(sound)) {
    for (std::uint32_t copy = 0; copy < kIncarnationTableCopies; ++copy) bench.copy(copy) = bytes;
    TableOwner next;
    bench.context.crash();
    bench.start(next);
    for (std::uint64_t again = 1; again <= 3; ++again) {
      CHECK(next.events.empty());
      CHECK(next.table.is_lost());
      CHECK(next.table.statistics().lost == again);
      CHECK(bench.copy(0) == bytes);  // unchanged, so that an operator can examine it
      bench.context.set_now(next.table.due());
      next.on_timer(bench.context, 0);
      bench.context.complete_all(next);
    }
    bench.copy(1) = sound;
    bench.context.set_now(next.table.due());
    next.on_timer(bench.context, 0);
    bench.context.complete_all(next);
    CHECK(next.events == std::vector{Event::loaded});
    CHECK_FALSE(next.table.is_lost());
    CHECK(next.table.rows() == kAfter);
    CHECK(bench.copy(0) == sound);
  }
}

TEST_CASE("B-18 a damaged copy beside a missing one is a lost table, not a new one") {
  TableBench bench;
  bench.copy(0) = Bytes(40, std::byte{0});
  TableOwner owner;
  bench.start(owner);
  CHECK(owner.events.empty());
  CHECK(owner.table.is_lost());
}

TEST_CASE(
    "F-05 requests that the volume refuses are repeated, the repair before the table counts") {
  TableBench bench;
  TableOwner first;
  bench.start(first);
  bench.save(first, kAfter);
  bench.copy(1).clear();
  TableOwner next;
  bench.context.crash();
  next.on_start(bench.context);
  int refusals = 0;
  for (; next.events.empty() && refusals < 10; ++refusals) {
    bench.context.complete(next, IoStatus::unavailable);
    CHECK(bench.context.pending.empty());
    bench.context.set_now(next.table.due());
    next.on_timer(bench.context, 0);
    bench.context.complete(next);
  }
  CHECK(refusals == 4);  // the fence, two reads, one repair
  CHECK(next.events == std::vector{Event::loaded});
  CHECK(bench.copy(0) == bench.copy(1));
}

TEST_CASE(
    "B-18 a running table checks its copies and repairs both, so damage does not accumulate") {
  TableBench bench;
  TableOwner owner;
  bench.start(owner);
  CHECK(owner.table.due() == MonotonicTime::max());  // nothing was saved: nothing to check
  bench.save(owner, kAfter);
  const Bytes sound = bench.copy(0);
  for (const Bytes& bytes : damaged(sound)) {
    bench.copy(0) = bytes;
    bench.copy(1) = encoded({1, kBefore});
    CHECK(owner.table.due() == bench.context.now() + 10s);
    bench.context.set_now(owner.table.due());
    owner.on_timer(bench.context, 0);
    bench.context.complete_all(owner);
    CHECK(bench.copy(0) == sound);
    CHECK(bench.copy(1) == sound);
  }
  CHECK(owner.table.statistics().repaired == 2 * damaged(sound).size());
  CHECK(owner.events == std::vector{Event::loaded, Event::saved});
}

TEST_CASE("F-05 a save that comes while the copies are checked follows the check, and is durable") {
  for (int answers = 0; answers < 4; ++answers) {
    INFO("the save comes after " << answers << " answers of the check");
    TableBench bench;
    TableOwner owner;
    bench.start(owner);
    bench.save(owner, kBefore);
    bench.copy(0).clear();
    bench.copy(1).clear();
    bench.context.set_now(owner.table.due());
    owner.on_timer(bench.context, 0);
    for (int answer = 0; answer < answers; ++answer) bench.context.complete(owner);
    owner.table.save(bench.context, kAfter);
    CHECK(owner.events == std::vector{Event::loaded, Event::saved});
    bench.context.complete_all(owner);
    CHECK(owner.events == std::vector{Event::loaded, Event::saved, Event::saved});
    CHECK(bench.copy(0) == bench.copy(1));
    CHECK(bench.found() == kAfter);
  }
}

TEST_CASE("F-06 a table whose owner has a later life is deposed at its next request") {
  TableBench bench;
  TableOwner owner;
  bench.start(owner);
  owner.table.save(bench.context, kAfter);
  bench.context.complete(owner, IoStatus::fenced);
  CHECK(owner.events == std::vector{Event::loaded, Event::deposed});
  CHECK(bench.context.pending.empty());
}

}  // namespace
}  // namespace photon
