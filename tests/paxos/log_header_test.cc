// What the header of a segment may state (replica_log.h): each field, and which part of the one
// before it continues.
#include <memory>

#include "core_impl/paxos/log_frame.h"
#include "core_impl/paxos/replica_log.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

namespace photon::paxos {
namespace {

using namespace std::chrono_literals;

constexpr VolumeId kHeaderDisk{1};
constexpr ShardId kHeaderGroup{5};

// Recovers the log of replica 2 and does nothing else.
class Reader final : public Node {
 public:
  void on_start(Context& context) override { log.start(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context&, TimerKind) override {}
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    const LogProgress now = log.on_io(context, ticket, result);
    if (now != LogProgress::waiting) progress = now;
  }
  ReplicaLog log{{kHeaderDisk, kHeaderGroup, 2, 50ms}};
  LogProgress progress = LogProgress::waiting;
};

struct Segments {
  photon::testing::FakeContext context{NodeId(1)};
  std::size_t read = 0;  // requests
  Recovered known{};

  // A segment with one promise a ballot; the header is what the test makes it.
  Bytes& add(std::uint64_t number, const SegmentHeader& header,
             std::vector<std::uint64_t> ballots) {
    const FileName name = segment_name(kHeaderGroup, number);
    Bytes& bytes = context.disks[kHeaderDisk][std::string(name.data(), name.size())];
    bytes.clear();
    append_framed(header, bytes);
    for (const std::uint64_t ballot : ballots) {
      append_framed(LogRecord::promise(Ballot(ballot)), bytes);
    }
    seal_frames(bytes, {kHeaderGroup, number, 0});
    return bytes;
  }
  LogProgress recover() {
    Reader reader;
    context.crash();
    reader.on_start(context);
    for (read = 0; !context.pending.empty(); ++read) {
      REQUIRE(read < 20);
      context.complete(reader);
    }
    if (reader.progress == LogProgress::recovered) known = reader.log.take_recovered();
    return reader.progress;
  }
};

}  // namespace

TEST_CASE("B-18 a header that is sound and states anything wrong is damage, field by field") {
  Segments disk;
  SegmentHeader header{kHeaderGroup, 2, 4, 0, 0, SegmentKind::beginning, 0, 0};
  LogProgress expected = LogProgress::damaged;
  SECTION("nothing is wrong") { expected = LogProgress::recovered; }
  SECTION("the last slot that a chain may begin after") {
    header.base = kMaxStoredSlot;
    expected = LogProgress::recovered;
  }
  SECTION("a chain that begins after a slot which no log reaches") {
    header.base = kMaxStoredSlot + 1;
  }
  SECTION("another group") { header.group = ShardId(6); }
  SECTION("another replica") { header.replica = 1; }
  SECTION("another segment") { header.segment = 3; }
  SECTION("it replaces itself") { header.previous = 4; }
  SECTION("it continues itself") {
    header.kind = SegmentKind::continuation;
    header.previous = 4;
  }
  SECTION("it continues a segment that is not there") {
    header.kind = SegmentKind::continuation;
    header.previous = 3;
  }
  disk.add(4, header, {9});
  CHECK(disk.recover() == expected);
}

TEST_CASE("B-18 a segment continues the one before at the end of a record, nowhere else") {
  Segments disk;
  const SegmentHeader first{kHeaderGroup, 2, 1, 0, 0};
  std::vector<std::size_t> ends;
  for (const std::vector<std::uint64_t>& ballots :
       {std::vector<std::uint64_t>{}, {7}, {7, 8}, {7, 8, 9}}) {
    ends.push_back(disk.add(1, first, ballots).size());
  }
  for (std::size_t valid = 0; valid <= ends.back() + 1; ++valid) {
    CAPTURE(valid);
    disk.add(2, {kHeaderGroup, 2, 2, 1, valid}, {20});
    const auto end = std::ranges::find(ends, valid);
    const bool possible = end != ends.end();
    CHECK((disk.recover() == LogProgress::recovered) == possible);
    if (possible) CHECK(disk.known.promised == Ballot(20));
  }
}

TEST_CASE("A-23 B-18 only the newest segment may end inside a record") {
  Segments disk;
  const SegmentHeader first{kHeaderGroup, 2, 1, 0, 0};
  const std::size_t header = disk.add(1, first, {}).size();
  const Bytes whole = disk.add(1, first, {7, 8});
  const auto cut = [&](std::size_t size) {
    disk.add(1, first, {7, 8}).resize(size);
    return size;
  };
  const std::size_t record = (whole.size() - header) / 2;
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    CAPTURE(size);
    cut(size);
    REQUIRE(disk.recover() == LogProgress::recovered);
    const std::size_t records = size < header ? 0 : (size - header) / record;
    CHECK(disk.known.promised == Ballot(records == 0 ? 0 : 6 + records));
  }
  disk.add(2, {kHeaderGroup, 2, 2, 1, whole.size()}, {20});
  for (std::size_t size = 1; size < whole.size(); ++size) {
    CAPTURE(size);
    cut(size);
    CHECK(disk.recover() == LogProgress::damaged);
  }
  cut(whole.size());
  CHECK(disk.recover() == LogProgress::recovered);
}

TEST_CASE("A-23 B-18 a beginning counts if all that it carries is there, and not a byte less") {
  Segments disk;
  disk.add(1, {kHeaderGroup, 2, 1, 0, 0}, {7});
  const SegmentHeader empty{kHeaderGroup, 2, 2, 1, 0, SegmentKind::beginning, 0, 0};
  const std::size_t header = disk.add(2, empty, {}).size();
  const std::size_t carried = disk.add(2, empty, {20, 21}).size() - header;
  SegmentHeader beginning = empty;
  beginning.carried_bytes = carried;
  for (std::size_t size = header; size <= header + carried; ++size) {
    CAPTURE(size);
    disk.add(2, beginning, {20, 21}).resize(size);
    REQUIRE(disk.recover() == LogProgress::recovered);
    const bool counts = size == header + carried;
    CHECK(disk.known.promised == Ballot(counts ? 21 : 7));
    CHECK(disk.read == (counts ? 2 : 3));  // the listing, and each segment of the chain
  }
}

}  // namespace photon::paxos
