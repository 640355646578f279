// The operator that resets the state of dispatchers: what its journals hold, and how storage, other
// owners and its own death affect it.

#include "core_impl/photon/dispatcher/state_operator.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/leases/lease_epoch.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"
#include "tests/support/fake_context.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

constexpr VolumeId kLogs{1};
constexpr VolumeId kCell{2};

class OperatorWorld {
 public:
  OperatorWorld() : harness(NodeId(10)) {
    options.logs = kLogs;
    options.cell = kCell;
    options.partitions = 2;
  }

  void start() {
    harness.start([this] {
      auto node = std::make_unique<StateOperator>(options);
      person = node.get();
      return node;
    });
  }

  // Bytes of `count` clicks in the log of that server.
  std::uint64_t write_clicks(std::uint16_t server, std::uint32_t count) {
    Bytes bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Bytes click = framed_click(click_id(i), query_id(i), "click");
      bytes.insert(bytes.end(), click.begin(), click.end());
    }
    harness.volumes[kLogs.value()].add(view_of(log_of(server).name()), bytes);
    return bytes.size();
  }

  static logs::LogFile log_of(std::uint16_t server) { return {logs::LogType::foreign, server, 0}; }

  // Gives the partition an owner that has saved a click.
  void own(std::uint32_t partition, std::uint32_t round) {
    Bytes journal;
    const LeaseEpoch epoch(round, 7, Incarnation(3));
    append_journal(OwnershipRecord{NodeId(20), epoch.value(), {}, 10s}, journal);
    SavedRecord saved;
    saved.click = click_id(1);
    append_journal(saved, journal);
    VolumeRequest request;
    request.operation = VolumeOperation::fence;
    request.file = partition_directory(kDispatcherPrefix, partition);
    request.epoch = epoch.value();
    HarnessVolume& cell = harness.volumes[kCell.value()];
    REQUIRE(cell.execute(request).status == IoStatus::ok);
    cell.add(view_of(partition_journal(kDispatcherPrefix, partition)), journal);
  }

  JournalState journal(std::uint32_t partition) {
    return read_journal(harness.volumes[kCell.value()].content(
        view_of(partition_journal(kDispatcherPrefix, partition))));
  }

  Harness harness;
  StateOperator::Options options;
  StateOperator* person = nullptr;
};

bool is_new(const JournalState& state) {
  return state.ownership.owner == kNoNode && state.saved.empty() &&
         LeaseEpoch(state.ownership.epoch).worker() == LeaseEpoch::kOperator;
}

using Offsets = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

Offsets offsets_of(const JournalState& state) {
  Offsets offsets;
  for (const OffsetRecord& each : state.offsets) offsets.emplace_back(each.file, each.offset);
  return offsets;
}

}  // namespace

TEST_CASE("C-32 every partition begins at the end of its logs, without retries, above its owner") {
  OperatorWorld world;
  const std::uint64_t even = world.write_clicks(2, 3000);  // longer than the part that is read
  const std::uint64_t odd = world.write_clicks(3, 2);
  world.own(0, 5);
  world.own(1, 9);
  world.start();
  world.harness.run_for(10s);
  REQUIRE(world.person->outcome().has_value());
  CHECK(world.person->outcome()->files == 2);
  CHECK(world.person->outcome()->bytes == even + odd);
  CHECK(is_new(world.journal(0)));
  CHECK(is_new(world.journal(1)));
  CHECK(offsets_of(world.journal(0)) == Offsets{{OperatorWorld::log_of(2).number(), even}});
  CHECK(offsets_of(world.journal(1)) == Offsets{{OperatorWorld::log_of(3).number(), odd}});
  CHECK(LeaseEpoch(world.journal(0).ownership.epoch).round() == 6);
  CHECK(LeaseEpoch(world.journal(1).ownership.epoch).round() > 9);
}

TEST_CASE("C-32 the end of each log is read once, as one short read at a random place") {
  OperatorWorld world;
  world.write_clicks(2, 20'000);
  world.write_clicks(3, 2);
  std::uint32_t reads = 0;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (request.volume != kLogs || request.operation != VolumeOperation::read) return IoFate::done;
    ++reads;
    CHECK(request.access == Access::random);
    CHECK(request.length <= 2 * logs::LogReader::kSuspiciousTail);
    return IoFate::done;
  };
  world.start();
  world.harness.run_for(10s);
  REQUIRE(world.person->outcome().has_value());
  CHECK(reads == 2);
}

TEST_CASE("C-32 A-23 an incomplete or damaged record at the end is not skipped") {
  OperatorWorld world;
  world.options.partitions = 1;
  const std::uint64_t whole = world.write_clicks(2, 3);
  Bytes tail = framed_click(click_id(9), query_id(9), "click");
  SECTION("it is still being written") { tail.resize(tail.size() / 2); }
  SECTION("it is damaged") { tail.back() ^= std::byte{1}; }
  world.harness.volumes[kLogs.value()].add(view_of(OperatorWorld::log_of(2).name()), tail);
  world.start();
  world.harness.run_for(10s);
  CHECK(offsets_of(world.journal(0)) == Offsets{{OperatorWorld::log_of(2).number(), whole}});
}

TEST_CASE("C-32 damage before the end does not hide the end") {
  OperatorWorld world;
  world.options.partitions = 1;
  const std::uint64_t whole = world.write_clicks(2, 30);
  world.harness.volumes[kLogs.value()].lose(view_of(OperatorWorld::log_of(2).name()), whole / 2,
                                            whole / 30);
  world.start();
  world.harness.run_for(10s);
  CHECK(offsets_of(world.journal(0)) == Offsets{{OperatorWorld::log_of(2).number(), whole}});
}

TEST_CASE("C-32 A-24 a copy that has lost its end since it was listed is listed anew") {
  constexpr std::uint32_t kClicks = 3000;  // longer than the part that is read
  const logs::LogFile log = OperatorWorld::log_of(2);
  const FileName name = log.name();
  Bytes bytes;
  std::vector<std::uint64_t> ends{0};
  for (std::uint32_t i = 0; i < kClicks; ++i) {
    const Bytes click = framed_click(click_id(i), query_id(i), "click");
    bytes.insert(bytes.end(), click.begin(), click.end());
    ends.push_back(bytes.size());
  }
  const std::size_t left = GENERATE(std::size_t{100}, std::size_t{2990});
  FakeContext context{NodeId(10)};
  FakeDisk& disk = context.disks[kLogs];
  disk[std::string(view_of(name))] = bytes;
  StateOperator::Options options;
  options.logs = kLogs;
  options.cell = kCell;
  StateOperator person(options);
  person.on_start(context);
  context.fire(person, *context.next_timer());
  context.complete(person);  // the listing
  disk[std::string(view_of(name))].resize(ends[left] + 7);
  context.complete_all(person);
  REQUIRE(person.outcome().has_value());
  const JournalState journal = read_journal(
      context.disks[kCell].at(std::string(view_of(partition_journal(kDispatcherPrefix, 0)))));
  CHECK(offsets_of(journal) == Offsets{{log.number(), ends[left]}});
}

TEST_CASE("C-32 without logs nothing is skipped, and no state is written") {
  OperatorWorld world;
  world.own(0, 1);
  world.start();
  world.harness.run_for(10s);
  REQUIRE(world.person->outcome().has_value());
  CHECK(world.person->outcome()->files == 0);
  CHECK(is_new(world.journal(0)));
  CHECK(offsets_of(world.journal(0)).empty());
}

TEST_CASE("C-32 C-06 a worker that takes over between fence and journal is fenced in turn") {
  OperatorWorld world;
  world.write_clicks(2, 3);
  std::uint32_t takeovers = 0;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (request.operation == VolumeOperation::replace && takeovers < 3) {
      ++takeovers;
      VolumeRequest fence;
      fence.operation = VolumeOperation::fence;
      fence.file = partition_directory(kDispatcherPrefix, 0);
      fence.epoch = LeaseEpoch(10 * takeovers, 7, Incarnation(3)).value();
      CHECK(world.harness.volumes[kCell.value()].execute(fence).status == IoStatus::ok);
    }
    return IoFate::done;
  };
  world.start();
  world.harness.run_for(60s);
  CHECK(takeovers == 3);
  CHECK(is_new(world.journal(0)));
  CHECK(LeaseEpoch(world.journal(0).ownership.epoch).round() >= 30);
  CHECK(world.person->outcome().has_value());
}

TEST_CASE("C-32 C-06 each partition is fenced before its journal is written, at the same epoch") {
  OperatorWorld world;
  world.write_clicks(2, 3);
  world.own(0, 9);
  world.own(1, 5);  // the epoch for the first partition would do for this one
  std::map<std::string, std::uint64_t> fences;
  std::uint32_t written = 0;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    const std::string name(view_of(request.file));
    if (request.operation == VolumeOperation::fence) fences[name] = request.epoch;
    for (std::uint32_t partition = 0; partition < 2; ++partition) {
      const bool writes = request.operation == VolumeOperation::replace &&
                          name == view_of(partition_journal(kDispatcherPrefix, partition));
      if (!writes) continue;
      ++written;
      const FileName directory = partition_directory(kDispatcherPrefix, partition);
      CHECK(fences[std::string(view_of(directory))] == request.epoch);
    }
    return IoFate::done;
  };
  world.start();
  world.harness.run_for(10s);
  CHECK(written == 2);
  CHECK(fences.size() == 2);
  CHECK(world.person->outcome().has_value());
}

TEST_CASE("C-32 a silent cell is asked again, and nothing is reported before it is done") {
  OperatorWorld world;
  world.write_clicks(2, 3);
  bool answers = false;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    return answers || request.volume == kLogs ? IoFate::done : IoFate::lost;
  };
  world.start();
  world.harness.run_for(60s);
  CHECK_FALSE(world.person->outcome().has_value());
  answers = true;
  world.harness.run_for(10s);
  CHECK(world.person->outcome().has_value());
  CHECK(is_new(world.journal(1)));
}

TEST_CASE("C-32 an operator that dies in the middle leaves the rest unchanged") {
  OperatorWorld world;
  world.write_clicks(2, 3);
  world.own(0, 5);
  world.own(1, 5);
  world.harness.io_fate = [](const VolumeRequest& request) {
    const bool second = view_of(request.file) == view_of(partition_journal(kDispatcherPrefix, 1));
    return second && request.operation == VolumeOperation::replace ? IoFate::held : IoFate::done;
  };
  world.start();
  world.harness.run_for(10s);
  world.harness.crash([](const VolumeRequest&) { return std::size_t{0}; });
  world.harness.io_fate = {};
  world.start();  // nothing is done twice
  world.harness.run_for(60s);
  CHECK(is_new(world.journal(0)));
  CHECK(world.journal(1).ownership.owner == NodeId(20));
  CHECK(world.journal(1).saved.size() == 1);
  CHECK_FALSE(world.person->outcome().has_value());
}

TEST_CASE("C-32 the operator waits for its time, by its own clock") {
  OperatorWorld world;
  world.write_clicks(2, 3);
  world.options.at = world.harness.wall() + 1h;
  world.start();
  world.harness.run_for(59min);
  CHECK(world.harness.volumes[kCell.value()].contents(kDispatcherPrefix).empty());
  world.harness.run_for(2min);
  CHECK(world.person->outcome().has_value());
}
