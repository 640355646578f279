// Disks with valid checksums and records that no replica ever wrote: damage like any other.
#include "core_impl/base/hash.h"
#include "core_impl/paxos/log_frame.h"
#include "tests/paxos/driver_bench.h"

namespace photon::paxos::testing {
namespace {

constexpr ShardId kGroup{5};
const Ballot kBallot = make_ballot(1, 0);

// The disk of a group of one that chose two values, record by record.
struct Disk {
  SegmentHeader header{kGroup, 0, 1, 0, 0};
  std::vector<LogRecord> records{LogRecord::promise(kBallot),
                                 LogRecord::accept(1, kBallot, command_value(command("a").view())),
                                 LogRecord::commit(1)};

  Health health() const {
    Single single;
    FakeDisk& disk = single.context.disks[kDisk];
    Bytes& segment = disk[text(segment_name(kGroup, header.segment))];
    append_framed(header, segment);
    for (const LogRecord& record : records) append_framed(record, segment);
    seal_frames(segment, {kGroup, header.segment, 0});
    single.start();
    return single.server->driver.health();
  }
};

}  // namespace

TEST_CASE("B-18 records that no replica writes are damage, whatever their checksums say") {
  Disk disk;
  REQUIRE(disk.health() == Health::working);
  SECTION("a ballot of a node outside the group") {
    disk.records[0].ballot = make_ballot(1, 7);
    disk.records.resize(1);
  }
  SECTION("the greatest possible round") {
    disk.records[0].ballot = make_ballot(0xffffffffU, 0);
    disk.records.resize(1);
  }
  SECTION("an acceptance so far ahead that its gap would fill the memory") {
    disk.records[1].slot = Slot{1} << 50U;
    disk.records.resize(2);
  }
  SECTION("an admission after an open slot") {
    disk.records[1].slot = 2;
    disk.records[1].value = admission_value({0, Generation{2}});
    disk.records.resize(2);
  }
  SECTION("a chain that begins at the end of all slots") {
    disk.header.kind = SegmentKind::beginning;
    disk.header.base = ~Slot{0};
    disk.records.resize(1);
  }
  CHECK(disk.health() == Health::damaged);
}

TEST_CASE("B-18 a header that claims to carry more than possible is a torn one") {
  Disk disk;
  disk.header.kind = SegmentKind::beginning;
  disk.header.carried_bytes = ~std::uint64_t{0};
  CHECK(disk.health() == Health::working);  // of an empty log: it was never complete
}

TEST_CASE("B-18 a segment that continues less than a header of the one before is damage") {
  Single single;
  FakeDisk& disk = single.context.disks[kDisk];
  Bytes& first = disk[text(segment_name(kGroup, 1))];
  append_framed(SegmentHeader{kGroup, 0, 1, 0, 0}, first);
  append_framed(LogRecord::promise(kBallot), first);
  seal_frames(first, {kGroup, 1, 0});
  Bytes& second = disk[text(segment_name(kGroup, 2))];
  append_framed(SegmentHeader{kGroup, 0, 2, 1, 3}, second);
  seal_frames(second, {kGroup, 2, 0});
  single.start();
  CHECK(single.server->driver.health() == Health::damaged);
}

TEST_CASE("B-18 a snapshot of impossible slots or generations is damage") {
  Single single;
  SnapshotHeader header;
  header.group = kGroup;
  header.point = SnapshotPoint{1, Generations(1)};
  Server machine(options_of(0, 1));
  machine.applied = {"a"};
  Health expected = Health::damaged;
  SECTION("nothing is wrong") { expected = Health::working; }
  SECTION("a state other than the machine's") { header.state_hash = 1; }
  SECTION("generations of another group") { header.point.generations = Generations(3); }
  SECTION("another group") { header.group = ShardId(6); }
  SECTION("no slot") { header.point.through = 2; }  // the machine restores one
  SECTION("a slot") { header.point.through = ~Slot{0}; }
  SECTION("a generation") { header.point.generations.admit({0, Generation{0xffffffffU}}); }
  single.context.disks[kDisk][text(snapshot_name(kGroup))] = encode_snapshot(header, machine);
  single.start();
  CHECK(single.server->driver.health() == expected);
}

TEST_CASE("B-18 a snapshot that states another length of its state is none") {
  SnapshotHeader header;
  header.group = kGroup;
  header.point = SnapshotPoint{1, Generations(1)};
  Server machine(options_of(0, 1));
  machine.applied = {"a"};
  const Bytes sound = encode_snapshot(header, machine);
  const auto view = decode_snapshot(kGroup, sound);
  REQUIRE(view.has_value());
  const auto decodes = [&](std::uint64_t machine_bytes) {
    SnapshotHeader stated = view->header;
    stated.machine_bytes = machine_bytes;
    Bytes file;
    append_encoded(stated, file);
    append_bytes(view->machine, file);
    return decode_snapshot(kGroup, file).has_value();
  };
  CHECK(decodes(view->machine.size()));
  CHECK_FALSE(decodes(view->machine.size() - 1));
  CHECK_FALSE(decodes(view->machine.size() + 1));
}

TEST_CASE("B-18 a disk whose format is unsound, and that holds nothing else, is not formatted") {
  Single single;
  const FakeDisk formatted = single.context.disks[kDisk];
  FakeDisk& disk = single.context.disks[kDisk];
  Bytes& format = disk.begin()->second;
  SECTION("a wrong byte") { format.back() ^= std::byte{1}; }
  SECTION("cut short") { format.pop_back(); }
  SECTION("another group") { format = format_of_new_group(ShardId(6), 0); }
  SECTION("another replica") { format = format_of_new_group(kGroup, 1); }
  const FakeDisk before = disk;
  REQUIRE(before != formatted);
  single.start();
  CHECK(single.server->driver.health() == Health::damaged);
  CHECK(disk == before);
}

TEST_CASE("B-18 an empty disk that refuses its format for good stops the replica") {
  Single single;
  single.context.disks[kDisk].clear();
  single.server = std::make_unique<Server>(single.options);
  single.server->on_start(single.context);
  for (int i = 0; i < 3; ++i) single.context.complete(*single.server);
  REQUIRE(single.context.pending.size() == 1);
  CHECK(single.context.pending.front().request.operation == VolumeOperation::replace);
  single.context.complete(*single.server, IoStatus::fenced);
  CHECK(single.server->driver.health() == Health::damaged);
  CHECK(single.context.pending.empty());
}

TEST_CASE("B-18 a snapshot that the disk refuses for good stops the replica") {
  Single single;
  single.options.snapshot_min_bytes = 500;
  single.start();
  single.become_master();
  Server& server = *single.server;
  const auto& pending = single.context.pending;
  while (pending.empty() || pending.front().request.operation != VolumeOperation::replace) {
    if (pending.empty()) {
      REQUIRE(server.driver.propose(single.context, command("x")) != 0);
    } else {
      single.context.complete(server);
    }
  }
  REQUIRE(server.driver.health() == Health::working);
  single.context.complete(server, IoStatus::fenced);
  CHECK(server.driver.health() == Health::damaged);
  CHECK(server.driver.replica().base() == 0);  // no part of the log is given up for it
}

TEST_CASE("B-18 a value that only begins like an admission holds nothing") {
  Bytes cut;
  append_bytes(admission_value({1, Generation{2}}).view().first(2), cut);
  const SharedBytes value(cut);
  CHECK_FALSE(admission_in(value).has_value());
  CHECK(command_in(value).empty());
  Bytes longer;
  append_bytes(admission_value({1, Generation{2}}).view(), longer);
  longer.push_back(std::byte{0});
  CHECK_FALSE(admission_in(SharedBytes(longer)).has_value());
  CHECK_FALSE(admission_in(SharedBytes{}).has_value());
  CHECK(command_in(SharedBytes{}).empty());
  CHECK(admission_in(admission_value({31, kMaxGeneration})).has_value());
  CHECK_FALSE(
      admission_in(admission_value({1, Generation{kMaxGeneration.value() + 1}})).has_value());
  CHECK_FALSE(admission_in(admission_value({32, Generation{2}})).has_value());
  CHECK_FALSE(admission_in(admission_value({1, Generation{0}})).has_value());
}

TEST_CASE("B-18 a follower allocates no room for slots too far ahead") {
  Replica replica({.group = kGroup, .self = 0, .replicas = 3}, Recovered{}, MonotonicTime{});
  const auto accepted = [&](Slot first) {
    Accept accept;
    accept.group = kGroup;
    accept.ballot = make_ballot(1, 1);
    accept.first_slot = first;
    accept.values.push_back(command_value(command("a").view()));
    Output out;
    replica.step(Input{MonotonicTime{}, Received{1, accept}}, out);
    return std::ranges::any_of(
        out.records, [](const LogRecord& record) { return record.kind == RecordKind::accept; });
  };
  CHECK_FALSE(accepted(kMaxGap + 1));
  CHECK(accepted(kMaxGap));
}

}  // namespace photon::paxos::testing
